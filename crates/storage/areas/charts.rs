//! Charts of databases.

use super::{Scope, dialect::one_of};
use crate::{prepared::Prepare, rows::charts::ChartRow, schema::charts, stored::Stored};
use diesel::prelude::*;
use octavo_core_model::{
    chart::Chart,
    id::{ChartId, DatabaseId, WorkspaceId},
};
use octavo_ports::{
    charts::{ChartReads, Charts},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl ChartReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: ChartId) -> StoreResult<Option<Chart>> {
        let chart = charts::table.find((Stored(workspace), Stored(id))).select(ChartRow::as_select());
        Ok(self.optional(chart).await?.map(Chart::from))
    }

    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[ChartId]) -> StoreResult<Vec<Chart>> {
        let found = charts::table
            .filter(charts::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(charts::id, ids.iter().copied().map(Stored)))
            .select(ChartRow::as_select());
        Ok(self.all::<ChartRow, _>(found).await?.into_iter().map(Chart::from).collect())
    }

    async fn list_of(&mut self, workspace: WorkspaceId, databases: &[DatabaseId]) -> StoreResult<Vec<Chart>> {
        let found = charts::table
            .filter(charts::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(charts::database_id, databases.iter().copied().map(Stored)))
            .select(ChartRow::as_select());
        Ok(self.all::<ChartRow, _>(found).await?.into_iter().map(Chart::from).collect())
    }
}

#[area]
impl Charts for Scope {
    async fn insert(&mut self, chart: &Chart) -> StoreResult<()> {
        let row = ChartRow::from(chart);
        self.execute(diesel::insert_into(charts::table).values(&row)).await.map(drop)
    }

    async fn save(&mut self, chart: &Chart) -> StoreResult<()> {
        let row = charts::table.find((Stored(chart.workspace), Stored(chart.id)));
        self.execute(diesel::update(row).set(ChartRow::from(chart)).prepared()).await.map(drop)
    }

    async fn remove(&mut self, workspace: WorkspaceId, id: ChartId) -> StoreResult<()> {
        let row = charts::table.find((Stored(workspace), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }
}
