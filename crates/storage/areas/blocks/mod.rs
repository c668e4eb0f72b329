//! Blocks: implements the traits of the port with the statements in the other files of this folder.

mod histories;
mod locks;
mod references;
mod tree;

use super::{
    Db, Scope,
    dialect::{self, one_of},
};
use crate::{
    prepared::Prepare,
    rows::blocks::{BlockLocationRow, BlockNodeRow, BlockRow, Parent, octet_length},
    schema::blocks,
    stored::Stored,
};
use diesel::{
    dsl::sum,
    prelude::*,
    sql_types::{Nullable, Text},
};
use octavo_blocks_tree::{Block, BlockNode, batch::Neighbours};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    page::Node,
    position::Position,
};
use octavo_ports::{
    blocks::{
        BlockLocation, BlockReads, BlockRemoval, BlockTotals, Blocks, InstancePages, PageReference, ReferenceMark,
        SiblingFilter,
    },
    store::StoreResult,
};
use octavo_storage_macros::area;
use std::collections::BTreeMap;

/// The blocks of one deletion. The condition on the time leads to the index of deleted blocks.
macro_rules! deleted_with {
    ($workspace:expr, $page:expr, $root:expr, $since:expr) => {
        blocks::table
            .filter(blocks::workspace_id.eq(Stored($workspace)))
            .filter(blocks::page_id.eq(Stored($page)))
            .filter(blocks::deleted_with.eq(Stored($root)))
            .filter(blocks::since.eq($since))
            .filter(blocks::deleted_at.is_not_null())
    };
}

#[area]
impl BlockReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<Block>> {
        let named = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::id, ids.iter().copied().map(Stored)))
            .select(BlockRow::as_select());
        Ok(self.all::<BlockRow, _>(named).await?.into_iter().map(Block::from).collect())
    }

    async fn list_locations(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockLocation>> {
        let named = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::id, ids.iter().copied().map(Stored)))
            .select(BlockLocationRow::as_select());
        Ok(self.all::<BlockLocationRow, _>(named).await?.into_iter().map(BlockLocation::from).collect())
    }

    async fn list_siblings(&mut self, workspace: WorkspaceId, filter: &SiblingFilter) -> StoreResult<Vec<Block>> {
        self.siblings_in_order(workspace, filter).await
    }

    async fn list_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
        with_deleted: bool,
    ) -> StoreResult<Vec<Block>> {
        self.blocks_below(workspace, page, ids, with_deleted).await
    }

    async fn measure_siblings(
        &mut self,
        workspace: WorkspaceId,
        filter: &SiblingFilter,
        most_below: u32,
    ) -> StoreResult<BlockTotals> {
        let siblings = self.sizes_of_siblings(workspace, filter).await?;
        let (ids, bytes): (Vec<_>, Vec<_>) = siblings.into_iter().unzip();
        let below = self.totals_below(workspace, filter, &ids, most_below).await?;
        Ok(BlockTotals {
            blocks: below.blocks.saturating_add(ids.len() as u64),
            bytes: bytes.into_iter().fold(below.bytes, u64::saturating_add),
        })
    }

    async fn list_deleted_with(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        root: BlockId,
        since: i64,
    ) -> StoreResult<Vec<Block>> {
        let found = deleted_with!(workspace, page, root, since).select(BlockRow::as_select());
        Ok(self.all::<BlockRow, _>(found).await?.into_iter().map(Block::from).collect())
    }

    async fn count_bytes_deleted_with(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        root: BlockId,
        since: i64,
    ) -> StoreResult<u64> {
        let total = deleted_with!(workspace, page, root, since).select(sum(octet_length(blocks::body)));
        Ok(self.one::<Option<i64>, _>(total).await?.unwrap_or_default().unsigned_abs())
    }

    async fn list_of_pages(&mut self, workspace: WorkspaceId, pages: &[PageId], limit: u32) -> StoreResult<Vec<Block>> {
        let all = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::page_id, pages.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .limit(limit.into())
            .select(BlockRow::as_select());
        Ok(self.all::<BlockRow, _>(all).await?.into_iter().map(Block::from).collect())
    }

    async fn measure_pages(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<Vec<(PageId, u64)>> {
        let sizes = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::page_id, pages.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .group_by(blocks::page_id)
            .select((blocks::page_id, sum(octet_length(blocks::body))));
        let sizes = self.all::<(Stored<PageId>, Option<i64>), _>(sizes).await?;
        Ok(sizes.into_iter().map(|(page, bytes)| (page.0, bytes.unwrap_or_default().unsigned_abs())).collect())
    }

    async fn count_bytes(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<u64> {
        let total = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::page_id, pages.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .select(sum(octet_length(blocks::body)));
        Ok(self.one::<Option<i64>, _>(total).await?.unwrap_or_default().unsigned_abs())
    }

    async fn list_nodes_above(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockNode>> {
        self.nodes_above(workspace, ids).await
    }

    async fn list_nodes_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
    ) -> StoreResult<Vec<BlockNode>> {
        self.nodes_below(workspace, page, ids).await
    }

    async fn list_neighbours(
        &mut self,
        workspace: WorkspaceId,
        ids: &[BlockId],
    ) -> StoreResult<BTreeMap<BlockId, Neighbours>> {
        self.neighbours(workspace, ids).await
    }

    async fn find_last_position(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Option<Position>> {
        let last = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(blocks::page_id.eq(Stored(page)))
            .filter(blocks::parent_id.eq(Stored(Parent::Page(page))))
            .filter(blocks::deleted_at.is_null())
            .order(blocks::position.desc())
            .limit(1)
            .select(blocks::position);
        Ok(self.optional::<Stored<Position>, _>(last).await?.map(|position| position.0))
    }

    async fn list_nodes_at(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        positions: &[Position],
    ) -> StoreResult<Vec<BlockNode>> {
        let there = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(blocks::page_id.eq(Stored(page)))
            .filter(one_of!(blocks::position, positions.iter().cloned().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .select(BlockNodeRow::as_select());
        Ok(self.all::<BlockNodeRow, _>(there).await?.into_iter().map(BlockNode::from).collect())
    }

    async fn list_sibling_nodes(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        parent: Option<BlockId>,
    ) -> StoreResult<Vec<BlockNode>> {
        let there = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(blocks::page_id.eq(Stored(page)))
            .filter(blocks::parent_id.eq(Stored(Parent::new(page, parent))))
            .filter(blocks::deleted_at.is_null())
            .order(blocks::position)
            .select(BlockNodeRow::as_select());
        Ok(self.all::<BlockNodeRow, _>(there).await?.into_iter().map(BlockNode::from).collect())
    }

    async fn find_on_page(&mut self, workspace: WorkspaceId, page: PageId, ids: &[BlockId]) -> StoreResult<Vec<Block>> {
        let named = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::id, ids.iter().copied().map(Stored)))
            .filter(blocks::page_id.eq(Stored(page)))
            .filter(blocks::deleted_at.is_null())
            .select(BlockRow::as_select());
        Ok(self.all::<BlockRow, _>(named).await?.into_iter().map(Block::from).collect())
    }

    async fn list_instances(
        &mut self,
        workspace: WorkspaceId,
        sources: &[BlockId],
        pages: InstancePages,
        limit: u32,
    ) -> StoreResult<Vec<BlockLocation>> {
        let mut instances = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::source_id, sources.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .order((blocks::page_id, blocks::id))
            .limit(limit.into())
            .select(BlockLocationRow::as_select())
            .into_boxed::<Db>();
        match pages {
            InstancePages::All => {}
            InstancePages::Only(page) => instances = instances.filter(blocks::page_id.eq(Stored(page))),
            InstancePages::AllExcept(page) => instances = instances.filter(blocks::page_id.ne(Stored(page))),
        }
        Ok(self.all::<BlockLocationRow, _>(instances).await?.into_iter().map(BlockLocation::from).collect())
    }

    async fn list_references_of_instances(
        &mut self,
        workspace: WorkspaceId,
        targets: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<PageReference>> {
        self.references_of_instances(workspace, targets, limit).await
    }

    async fn list_references_to(
        &mut self,
        workspace: WorkspaceId,
        target: PageId,
        within: Option<&[Node]>,
        after: Option<&ReferenceMark>,
        limit: u32,
    ) -> StoreResult<Vec<PageReference>> {
        self.references_to(workspace, target, within, after, limit).await
    }
}

diesel::define_sql_function! {
    /// Returns the first value that is not null.
    fn coalesce(first: Nullable<Text>, second: Text) -> Text;
}

#[area]
impl Blocks for Scope {
    async fn lock_shared(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockLocation>> {
        self.lock_rows_shared(workspace, ids).await
    }

    async fn lock(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<()> {
        self.lock_rows(workspace, ids).await
    }

    async fn insert(&mut self, blocks: &[Block]) -> StoreResult<bool> {
        for some in blocks.chunks(dialect::ROWS_AT_ONCE) {
            let answer = dialect::insert_blocks(self.conn().await?, some.iter().map(BlockRow::from).collect()).await;
            if self.checked(answer)? != some.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn save(&mut self, blocks: &[Block]) -> StoreResult<()> {
        for some in blocks.chunks(dialect::ROWS_AT_ONCE) {
            let answer = dialect::save_blocks(self.conn().await?, some.iter().map(BlockRow::from).collect()).await;
            self.checked(answer)?;
        }
        Ok(())
    }

    async fn respread(
        &mut self,
        workspace: WorkspaceId,
        places: &[(BlockId, Position)],
        page_version: i64,
    ) -> StoreResult<()> {
        self.move_keys(workspace, places, page_version).await
    }

    async fn delete(&mut self, removal: &BlockRemoval<'_>) -> StoreResult<()> {
        let gone = blocks::table
            .filter(blocks::workspace_id.eq(Stored(removal.workspace)))
            .filter(one_of!(blocks::id, removal.blocks.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null());
        let update = diesel::update(gone).set((
            blocks::deleted_at.eq(removal.now.millis()),
            blocks::deleted_with.eq(coalesce(removal.root.map(Stored), blocks::id).nullable()),
            blocks::since.eq(removal.page_version),
            blocks::version.eq(blocks::version + 1),
            blocks::updated_by.eq(Stored(removal.by)),
            blocks::updated_at.eq(removal.now.millis()),
        ));
        self.execute(update.prepared()).await.map(drop)
    }

    async fn replace_references(
        &mut self,
        workspace: WorkspaceId,
        blocks: &[BlockId],
        references: &[PageReference],
    ) -> StoreResult<()> {
        self.put_references(workspace, blocks, references).await
    }
}
