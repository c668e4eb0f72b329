//! Databases, their properties and their views.

use super::{
    Scope,
    dialect::{self, ListType, among, list, locked, locked_shared, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::{
        databases::{DatabaseRow, PropertyRow},
        views::ViewRow,
    },
    schema::{databases, properties, views},
    stored::Stored,
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    database::Database,
    id::{DatabaseId, PropertyId, RecordId, ViewId, WorkspaceId},
};
use octavo_databases::{Property, views::StoredView};
use octavo_ports::{
    databases::{DatabaseReads, Databases},
    store::StoreResult,
};
use octavo_storage_macros::area;

/// In how many rows the records of a database are counted.
const COUNT_PARTS: u8 = 8;

#[area]
impl DatabaseReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>> {
        let database = databases::table.find((Stored(workspace), Stored(id))).select(DatabaseRow::as_select());
        Ok(self.optional(database).await?.map(Database::from))
    }

    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[DatabaseId]) -> StoreResult<Vec<Database>> {
        let found = databases::table
            .filter(databases::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(databases::id, ids.iter().copied().map(Stored)))
            .select(DatabaseRow::as_select());
        Ok(self.all::<DatabaseRow, _>(found).await?.into_iter().map(Database::from).collect())
    }

    async fn count(&mut self, workspace: WorkspaceId) -> StoreResult<u64> {
        // A database that is removed keeps its row until its records are gone, but not its node.
        let count = sql_query("SELECT COUNT(*) FROM pages WHERE workspace_id = $1 AND kind = 'database'")
            .bind::<Text, _>(Stored(workspace));
        Ok(self.one::<i64, _>(count.columns::<BigInt>().prepared()).await?.unsigned_abs())
    }

    async fn list_properties(&mut self, workspace: WorkspaceId, ids: &[DatabaseId]) -> StoreResult<Vec<Property>> {
        let found = properties::table
            .filter(properties::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(properties::database_id, ids.iter().copied().map(Stored)))
            .select(PropertyRow::as_select());
        Ok(self.all::<PropertyRow, _>(found).await?.into_iter().map(Property::from).collect())
    }

    async fn list_related(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Vec<DatabaseId>> {
        let found = properties::table
            .filter(properties::workspace_id.eq(Stored(workspace)))
            .filter(properties::target_id.eq(Stored(id)))
            .select(properties::database_id)
            .distinct();
        Ok(self.all::<Stored<DatabaseId>, _>(found).await?.into_iter().map(|id| id.0).collect())
    }

    async fn locate_views(&mut self, workspace: WorkspaceId, ids: &[ViewId]) -> StoreResult<Vec<(ViewId, DatabaseId)>> {
        let found = views::table
            .filter(views::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(views::id, ids.iter().copied().map(Stored)))
            .select((views::id, views::database_id));
        let found = self.all::<(Stored<ViewId>, Stored<DatabaseId>), _>(found).await?;
        Ok(found.into_iter().map(|(view, database)| (view.0, database.0)).collect())
    }

    async fn list_views(
        &mut self,
        workspace: WorkspaceId,
        ids: &[DatabaseId],
    ) -> StoreResult<Vec<(DatabaseId, StoredView)>> {
        let found = views::table
            .filter(views::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(views::database_id, ids.iter().copied().map(Stored)))
            .select(ViewRow::as_select());
        Ok(self.all::<ViewRow, _>(found).await?.into_iter().map(<(DatabaseId, StoredView)>::from).collect())
    }

    async fn count_records(
        &mut self,
        workspace: WorkspaceId,
        ids: &[DatabaseId],
    ) -> StoreResult<Vec<(DatabaseId, u64)>> {
        let counts = sql_query(format!(
            "SELECT database_id, CAST(SUM(active) AS BIGINT) FROM record_counts \
             WHERE workspace_id = $1 AND database_id {} GROUP BY database_id",
            among(2)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<ListType, _>(list(ids.iter().copied()));
        let counts = self.all::<(Stored<DatabaseId>, i64), _>(counts.columns::<(Text, BigInt)>().prepared()).await?;
        Ok(counts.into_iter().map(|(id, count)| (id.0, u64::try_from(count).unwrap_or(0))).collect())
    }
}

#[area]
impl Databases for Scope {
    async fn insert(&mut self, database: &Database) -> StoreResult<()> {
        let row = DatabaseRow::from(database);
        self.execute(diesel::insert_into(databases::table).values(&row)).await.map(drop)
    }

    async fn lock(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>> {
        let database = databases::table.find((Stored(workspace), Stored(id))).select(DatabaseRow::as_select());
        Ok(self.optional(locked!(database)).await?.map(Database::from))
    }

    async fn lock_shared(&mut self, workspace: WorkspaceId, id: DatabaseId) -> StoreResult<Option<Database>> {
        let database = databases::table.find((Stored(workspace), Stored(id))).select(DatabaseRow::as_select());
        Ok(self.optional(locked_shared!(database)).await?.map(Database::from))
    }

    async fn save(&mut self, database: &Database) -> StoreResult<()> {
        let row = databases::table.find((Stored(database.workspace), Stored(database.id)));
        self.execute(diesel::update(row).set(DatabaseRow::from(database)).prepared()).await.map(drop)
    }

    async fn insert_properties(&mut self, workspace: WorkspaceId, properties: &[Property]) -> StoreResult<()> {
        let rows = properties.iter().map(|property| PropertyRow::new(workspace, property)).collect();
        let answer = dialect::insert_properties(self.conn().await?, rows).await;
        self.checked(answer)
    }

    async fn save_property(&mut self, workspace: WorkspaceId, property: &Property) -> StoreResult<()> {
        let row = properties::table.find((Stored(workspace), Stored(property.database), Stored(property.id)));
        let new = PropertyRow::new(workspace, property);
        self.execute(diesel::update(row).set(new).prepared()).await.map(drop)
    }

    async fn remove_property(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        id: PropertyId,
    ) -> StoreResult<()> {
        let row = properties::table.find((Stored(workspace), Stored(database), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn insert_views(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        views: &[StoredView],
    ) -> StoreResult<()> {
        let rows = views.iter().map(|view| ViewRow::new(workspace, database, view)).collect();
        let answer = dialect::insert_views(self.conn().await?, rows).await;
        self.checked(answer)
    }

    async fn save_view(&mut self, workspace: WorkspaceId, database: DatabaseId, view: &StoredView) -> StoreResult<()> {
        let row = views::table.find((Stored(workspace), Stored(database), Stored(view.id)));
        let new = ViewRow::new(workspace, database, view);
        self.execute(diesel::update(row).set(new).prepared()).await.map(drop)
    }

    async fn remove_view(&mut self, workspace: WorkspaceId, database: DatabaseId, id: ViewId) -> StoreResult<()> {
        let row = views::table.find((Stored(workspace), Stored(database), Stored(id)));
        self.execute(diesel::delete(row)).await.map(drop)
    }

    async fn change_record_count(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        record: RecordId,
        by: i64,
    ) -> StoreResult<()> {
        let count = sql_query(
            "INSERT INTO record_counts (workspace_id, database_id, part, active) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (workspace_id, database_id, part) \
             DO UPDATE SET active = record_counts.active + excluded.active",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(database))
        .bind::<BigInt, _>(i64::from(count_part(record)))
        .bind::<BigInt, _>(by);
        self.execute(count.prepared()).await.map(drop)
    }

    async fn take_numbers(&mut self, workspace: WorkspaceId, database: DatabaseId, count: u32) -> StoreResult<i64> {
        let take = sql_query(
            "INSERT INTO record_numbers (workspace_id, database_id, last) VALUES ($1, $2, $3) \
             ON CONFLICT (workspace_id, database_id) \
             DO UPDATE SET last = record_numbers.last + excluded.last RETURNING last",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(database))
        .bind::<BigInt, _>(i64::from(count));
        let last = self.one::<i64, _>(take.columns::<BigInt>().prepared()).await?;
        Ok(last - i64::from(count) + 1)
    }

    async fn number_records(&mut self, workspace: WorkspaceId, database: DatabaseId) -> StoreResult<()> {
        let number = sql_query(
            "UPDATE records SET number = unnumbered.number FROM ( \
                 SELECT id, ROW_NUMBER() OVER (ORDER BY id) + COALESCE(( \
                     SELECT last FROM record_numbers WHERE workspace_id = $1 AND database_id = $2), 0) AS number \
                 FROM records WHERE workspace_id = $1 AND database_id = $2 AND number IS NULL) AS unnumbered \
             WHERE records.workspace_id = $1 AND records.id = unnumbered.id",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(database));
        let numbered = self.execute(number.prepared()).await?;
        self.take_numbers(workspace, database, u32::try_from(numbered).unwrap_or(u32::MAX)).await.map(drop)
    }
}

/// The row that counts a record. The ends of ids are random.
fn count_part(record: RecordId) -> u8 {
    record.to_string().bytes().next_back().unwrap_or_default() % COUNT_PARTS
}
