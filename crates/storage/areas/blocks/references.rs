//! References from blocks to other resources.

use super::super::{
    Db, Scope,
    dialect::{self, one_of},
};
use crate::{
    prepared::Prepare,
    rows::blocks::ReferenceRow,
    schema::{block_references as references, pages},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    page::Node,
};
use octavo_ports::{
    blocks::{PageReference, ReferenceKind, ReferenceMark},
    store::StoreResult,
};

impl Scope {
    pub(super) async fn put_references(
        &mut self,
        workspace: WorkspaceId,
        blocks: &[BlockId],
        now: &[PageReference],
    ) -> StoreResult<()> {
        if !blocks.is_empty() {
            let before = references::table
                .filter(references::workspace_id.eq(Stored(workspace)))
                .filter(one_of!(references::block_id, blocks.iter().copied().map(Stored)));
            self.execute(diesel::delete(before).prepared()).await?;
        }
        for some in now.chunks(dialect::ROWS_AT_ONCE) {
            let answer =
                dialect::insert_references(self.conn().await?, some.iter().map(ReferenceRow::from).collect()).await;
            self.checked(answer)?;
        }
        Ok(())
    }

    pub(super) async fn references_of_instances(
        &mut self,
        workspace: WorkspaceId,
        targets: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<PageReference>> {
        let list = references::table
            .filter(references::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(references::target_id, targets.iter().copied().map(Stored)))
            .filter(references::kind.eq(Stored(ReferenceKind::Synced)))
            .order((references::page_id, references::block_id))
            .limit(limit.into())
            .select(ReferenceRow::as_select());
        Ok(self.all::<ReferenceRow, _>(list).await?.into_iter().map(PageReference::from).collect())
    }

    pub(super) async fn references_to(
        &mut self,
        workspace: WorkspaceId,
        target: PageId,
        within: Option<&[Node]>,
        after: Option<&ReferenceMark>,
        limit: u32,
    ) -> StoreResult<Vec<PageReference>> {
        let (time, id, kind) = after.map_or((i64::MAX, AFTER_EVERY_ID.to_owned(), ""), |mark| {
            (mark.created_at.millis(), mark.block.to_string(), mark.kind.name())
        });
        let same_block = references::block_id.eq(id.clone()).and(references::kind.gt(kind));
        let same = pages::workspace_id.eq(references::workspace_id).and(pages::id.eq(references::page_id));
        let mut list = references::table
            .inner_join(pages::table.on(same))
            .filter(pages::trashed_at.is_null())
            .filter(references::workspace_id.eq(Stored(workspace)))
            .filter(references::target_id.eq(Stored(target)))
            .filter(references::created_at.le(time))
            .filter(references::created_at.lt(time).or(references::block_id.lt(id)).or(same_block))
            .order((references::created_at.desc(), references::block_id.desc(), references::kind.asc()))
            .limit(limit.into())
            .select(ReferenceRow::as_select())
            .into_boxed::<Db>();
        if let Some(nodes) = within {
            list = list.filter(one_of!(pages::access_id, nodes.iter().copied().map(Stored)));
        }
        Ok(self.all::<ReferenceRow, _>(list).await?.into_iter().map(PageReference::from).collect())
    }
}
