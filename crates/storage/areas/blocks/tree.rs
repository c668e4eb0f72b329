//! The shape of a page's content: lists of siblings, the ancestors and descendants of a block, and its neighbours.

use super::{
    super::{
        Db, Scope,
        dialect::{self, ListType, among, list},
    },
    octet_length,
};
use crate::{
    prepared::{Columns, Prepare},
    rows::blocks::{BlockNodeRow, BlockRow, NeighboursRow, Parent},
    schema::blocks,
    stored::Stored,
};
use diesel::{
    dsl::{AsSelect, SqlTypeOf},
    prelude::*,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_blocks_tree::{Block, BlockNode, batch::Neighbours};
use octavo_core_model::{
    id::{BlockId, PageId, WorkspaceId},
    position::Position,
};
use octavo_ports::{
    blocks::{BlockTotals, SiblingFilter},
    store::StoreResult,
};
use std::collections::BTreeMap;

/// The children of one parent in their order, with the selected columns.
macro_rules! siblings {
    ($workspace:expr, $filter:expr, $selection:expr) => {{
        let mut list = blocks::table
            .filter(blocks::workspace_id.eq(Stored($workspace)))
            .filter(blocks::page_id.eq(Stored($filter.page)))
            .filter(blocks::parent_id.eq(Stored(Parent::new($filter.page, $filter.parent))))
            .order((blocks::position, blocks::created_at, blocks::id))
            .limit($filter.limit.into())
            .select($selection)
            .into_boxed::<Db>();
        // SQLite finds both kinds by an index only if each alternative names the parent.
        let parent = blocks::parent_id.eq(Stored(Parent::new($filter.page, $filter.parent)));
        list = if $filter.with_deleted {
            let deleted = blocks::deleted_at.is_not_null().and(parent.clone());
            list.filter(blocks::deleted_at.is_null().and(parent).or(deleted))
        } else {
            list.filter(blocks::deleted_at.is_null())
        };
        if let Some(mark) = &$filter.after {
            let (position, at) = (Stored(mark.position.clone()), mark.created_at.millis());
            let later = blocks::created_at.gt(at).or(blocks::created_at.eq(at).and(blocks::id.gt(Stored(mark.id))));
            list = list.filter(blocks::position.ge(position.clone())).filter(blocks::position.gt(position).or(later));
        }
        list
    }};
}

/// The condition for children of a page ($2) of a workspace ($1). `parent` is what follows the column.
fn children(parent: &str, with_deleted: bool) -> String {
    let present = format!("b.parent_id {parent} AND b.deleted_at IS NULL");
    let those = if with_deleted {
        // SQLite finds both kinds by an index only if each alternative names the parent.
        format!("({present} OR b.parent_id {parent} AND b.deleted_at IS NOT NULL)")
    } else {
        present
    };
    format!("b.workspace_id = $1 AND b.page_id = $2 AND {those}")
}

impl Scope {
    pub(super) async fn siblings_in_order(
        &mut self,
        workspace: WorkspaceId,
        filter: &SiblingFilter,
    ) -> StoreResult<Vec<Block>> {
        let list = siblings!(workspace, filter, BlockRow::as_select());
        Ok(self.all::<BlockRow, _>(list).await?.into_iter().map(Block::from).collect())
    }

    /// The ids of siblings, with the bytes of their stored bodies.
    pub(super) async fn sizes_of_siblings(
        &mut self,
        workspace: WorkspaceId,
        filter: &SiblingFilter,
    ) -> StoreResult<Vec<(BlockId, u64)>> {
        let list = siblings!(workspace, filter, (blocks::id, octet_length(blocks::body)));
        let sizes = self.all::<(Stored<BlockId>, i32), _>(list).await?;
        Ok(sizes.into_iter().map(|(id, bytes)| (id.0, u64::from(bytes.unsigned_abs()))).collect())
    }

    /// The totals of all blocks below these. Stops at this many blocks.
    pub(super) async fn totals_below(
        &mut self,
        workspace: WorkspaceId,
        filter: &SiblingFilter,
        ids: &[BlockId],
        most: u32,
    ) -> StoreResult<BlockTotals> {
        if ids.is_empty() {
            return Ok(BlockTotals::default());
        }
        let (first, further) = (children(&among(3), filter.with_deleted), children("= a.id", filter.with_deleted));
        let sql = format!(
            "WITH RECURSIVE below (id, bytes) AS ( \
                 SELECT b.id, octet_length(b.body) FROM blocks AS b WHERE {first} \
                 UNION ALL \
                 SELECT b.id, octet_length(b.body) FROM below AS a JOIN blocks AS b ON {further}) \
             SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) \
             FROM (SELECT bytes FROM below LIMIT {most}) AS counted"
        );
        let walk = sql_query(sql)
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(Stored(filter.page))
            .bind::<ListType, _>(list(ids.iter().copied()));
        let (blocks, bytes) = self.one::<(i64, i64), _>(walk.columns::<(BigInt, BigInt)>().prepared()).await?;
        Ok(BlockTotals { blocks: blocks.unsigned_abs(), bytes: bytes.unsigned_abs() })
    }

    pub(super) async fn blocks_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
        with_deleted: bool,
    ) -> StoreResult<Vec<Block>> {
        let (first, further) = (children(&among(3), with_deleted), children("= a.id", with_deleted));
        let sql = format!(
            "WITH RECURSIVE below (id) AS ( \
                 SELECT b.id FROM blocks AS b WHERE {first} \
                 UNION ALL \
                 SELECT b.id FROM below AS a JOIN blocks AS b ON {further}) \
             SELECT b.workspace_id, b.id, b.page_id, b.created_by, b.created_at, b.parent_id, b.position, b.kind, b.body, \
                 b.source_id, b.version, b.since, b.updated_by, b.updated_at, b.deleted_at, b.deleted_with \
             FROM below AS a JOIN blocks AS b ON b.workspace_id = $1 AND b.id = a.id"
        );
        let walk = sql_query(sql)
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(Stored(page))
            .bind::<ListType, _>(list(ids.iter().copied()));
        Ok(self
            .all::<BlockRow, _>(walk.columns::<SqlTypeOf<AsSelect<BlockRow, Db>>>().prepared())
            .await?
            .into_iter()
            .map(Block::from)
            .collect())
    }

    pub(super) async fn nodes_above(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockNode>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        // A block above several of them is returned once.
        let sql = format!(
            "WITH RECURSIVE above (id, parent_id, position, kind, source_id) AS ( \
                 SELECT id, parent_id, position, kind, source_id FROM blocks \
                 WHERE workspace_id = $1 AND id {} AND deleted_at IS NULL \
                 UNION \
                 SELECT b.id, b.parent_id, b.position, b.kind, b.source_id FROM above AS a \
                 JOIN blocks AS b ON b.workspace_id = $1 AND b.id = a.parent_id AND b.deleted_at IS NULL) \
             SELECT id, parent_id, position, kind, source_id FROM above",
            among(2)
        );
        let walk = sql_query(sql).bind::<Text, _>(Stored(workspace)).bind::<ListType, _>(list(ids.iter().copied()));
        Ok(self
            .all::<BlockNodeRow, _>(walk.columns::<SqlTypeOf<AsSelect<BlockNodeRow, Db>>>().prepared())
            .await?
            .into_iter()
            .map(BlockNode::from)
            .collect())
    }

    pub(super) async fn nodes_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
    ) -> StoreResult<Vec<BlockNode>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "WITH RECURSIVE below (id, parent_id, position, kind, source_id) AS ( \
                 SELECT id, parent_id, position, kind, source_id FROM blocks \
                 WHERE workspace_id = $1 AND page_id = $2 AND parent_id {} AND deleted_at IS NULL \
                 UNION \
                 SELECT b.id, b.parent_id, b.position, b.kind, b.source_id FROM below AS a JOIN blocks AS b \
                 ON b.workspace_id = $1 AND b.page_id = $2 AND b.parent_id = a.id AND b.deleted_at IS NULL) \
             SELECT id, parent_id, position, kind, source_id FROM below",
            among(3)
        );
        let walk = sql_query(sql)
            .bind::<Text, _>(Stored(workspace))
            .bind::<Text, _>(Stored(page))
            .bind::<ListType, _>(list(ids.iter().copied()));
        Ok(self
            .all::<BlockNodeRow, _>(walk.columns::<SqlTypeOf<AsSelect<BlockNodeRow, Db>>>().prepared())
            .await?
            .into_iter()
            .map(BlockNode::from)
            .collect())
    }

    /// Each nearest position is one step in an index.
    pub(super) async fn neighbours(
        &mut self,
        workspace: WorkspaceId,
        ids: &[BlockId],
    ) -> StoreResult<BTreeMap<BlockId, Neighbours>> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let sql = format!(
            "SELECT a.id, \
                 (SELECT MAX(s.position) FROM blocks AS s WHERE s.workspace_id = $1 AND s.page_id = a.page_id \
                     AND s.parent_id = a.parent_id AND s.position < a.position AND s.deleted_at IS NULL) AS previous, \
                 (SELECT MIN(s.position) FROM blocks AS s WHERE s.workspace_id = $1 AND s.page_id = a.page_id \
                     AND s.parent_id = a.parent_id AND s.position > a.position AND s.deleted_at IS NULL) AS next, \
                 (SELECT MAX(s.position) FROM blocks AS s WHERE s.workspace_id = $1 AND s.page_id = a.page_id \
                     AND s.parent_id = a.id AND s.deleted_at IS NULL) AS last_child \
             FROM blocks AS a WHERE a.workspace_id = $1 AND a.id {} AND a.deleted_at IS NULL",
            among(2)
        );
        let ask = sql_query(sql).bind::<Text, _>(Stored(workspace)).bind::<ListType, _>(list(ids.iter().copied()));
        Ok(self
            .all::<NeighboursRow, _>(ask.columns::<(Text, Nullable<Text>, Nullable<Text>, Nullable<Text>)>().prepared())
            .await?
            .into_iter()
            .map(<(BlockId, Neighbours)>::from)
            .collect())
    }

    pub(super) async fn move_keys(
        &mut self,
        workspace: WorkspaceId,
        places: &[(BlockId, Position)],
        page_version: i64,
    ) -> StoreResult<()> {
        let answer = dialect::move_blocks(self.conn().await?, workspace, places, page_version).await;
        self.checked(answer)
    }
}
