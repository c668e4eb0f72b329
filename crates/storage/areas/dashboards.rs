//! Dashboards on pages and in databases.

use super::{Scope, dialect::one_of};
use crate::{
    prepared::Prepare,
    rows::dashboards::DashboardRow,
    schema::dashboards,
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    dashboard::Dashboard,
    id::{DashboardId, PageId, WorkspaceId},
};
use octavo_ports::{
    dashboards::{DashboardReads, Dashboards},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl DashboardReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: DashboardId) -> StoreResult<Option<Dashboard>> {
        let dashboard = dashboards::table.find((Stored(workspace), Stored(id))).select(DashboardRow::as_select());
        Ok(self.optional(dashboard).await?.map(Dashboard::from))
    }

    async fn list_of(&mut self, workspace: WorkspaceId, hosts: &[PageId]) -> StoreResult<Vec<Dashboard>> {
        let found = dashboards::table
            .filter(dashboards::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(dashboards::host_id, hosts.iter().copied().map(Stored)))
            .select(DashboardRow::as_select());
        Ok(self.all::<DashboardRow, _>(found).await?.into_iter().map(Dashboard::from).collect())
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        before: Option<DashboardId>,
        limit: u32,
    ) -> StoreResult<Vec<Dashboard>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let found = dashboards::table
            .filter(dashboards::workspace_id.eq(Stored(workspace)))
            .filter(dashboards::id.lt(before))
            .order(dashboards::id.desc())
            .limit(limit.into())
            .select(DashboardRow::as_select());
        Ok(self.all::<DashboardRow, _>(found).await?.into_iter().map(Dashboard::from).collect())
    }
}

#[area]
impl Dashboards for Scope {
    async fn insert(&mut self, dashboard: &Dashboard) -> StoreResult<()> {
        let row = DashboardRow::from(dashboard);
        self.execute(diesel::insert_into(dashboards::table).values(&row)).await.map(drop)
    }

    async fn save(&mut self, dashboard: &Dashboard) -> StoreResult<()> {
        let row = dashboards::table.find((Stored(dashboard.workspace), Stored(dashboard.id)));
        self.execute(diesel::update(row).set(DashboardRow::from(dashboard)).prepared()).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: DashboardId) -> StoreResult<()> {
        let row = dashboards::table.find((Stored(workspace), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }
}
