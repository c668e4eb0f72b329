//! Locks on sources of instances: creating an instance and deleting its source must wait for each other.

use super::super::{
    Scope,
    dialect::{self, one_of},
};
use crate::{rows::blocks::BlockLocationRow, schema::blocks, stored::Stored};
use diesel::prelude::*;
use octavo_core_model::id::{BlockId, WorkspaceId};
use octavo_ports::{blocks::BlockLocation, store::StoreResult};

/// Selects blocks in the order in which all units lock them, so that two units cannot deadlock.
macro_rules! in_one_order {
    ($workspace:expr, $ids:expr) => {
        blocks::table
            .filter(blocks::workspace_id.eq(Stored($workspace)))
            .filter(one_of!(blocks::id, $ids.iter().copied().map(Stored)))
            .order(blocks::id)
    };
}

impl Scope {
    pub(super) async fn lock_rows_shared(
        &mut self,
        workspace: WorkspaceId,
        ids: &[BlockId],
    ) -> StoreResult<Vec<BlockLocation>> {
        let locked = dialect::locked_shared!(in_one_order!(workspace, ids).select(BlockLocationRow::as_select()));
        Ok(self.all::<BlockLocationRow, _>(locked).await?.into_iter().map(BlockLocation::from).collect())
    }

    pub(super) async fn lock_rows(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<()> {
        if !dialect::UNITS_MEET {
            return Ok(());
        }
        let locked = dialect::locked!(in_one_order!(workspace, ids).select(blocks::id));
        self.all::<Stored<BlockId>, _>(locked).await.map(drop)
    }
}
