//! Records of databases.

use super::{
    Db, Scope,
    dialect::{self, ROWS_AT_ONCE, locked, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::records::{RecordRow, page_columns},
    schema::records,
    stored::Stored,
};
use diesel::{
    dsl::count_star,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    id::{DatabaseId, PageId, RecordId, WorkspaceId},
    position::Position,
    record::{MAX_DEPTH, Record, RecordPage, RecordPlace},
};
use octavo_ports::{
    records::{RecordFilter, RecordReads, Records},
    store::StoreResult,
};
use octavo_storage_macros::area;

/// The records of a database.
macro_rules! records_of {
    ($workspace:expr, $database:expr) => {
        records::table
            .filter(records::workspace_id.eq(Stored($workspace)))
            .filter(records::database_id.eq(Stored($database)))
    };
}

/// The records with these ids.
macro_rules! records_by_id {
    ($workspace:expr, $ids:expr) => {
        records::table
            .filter(records::workspace_id.eq(Stored($workspace)))
            .filter(one_of!(records::id, $ids.iter().copied().map(Stored)))
    };
}

#[area]
impl RecordReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Option<Record>> {
        let record = records::table.find((Stored(workspace), Stored(id))).select(RecordRow::as_select());
        Ok(self.optional(record).await?.map(Record::from))
    }

    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<Record>> {
        let found = records_by_id!(workspace, ids).select(RecordRow::as_select());
        Ok(self.all::<RecordRow, _>(found).await?.into_iter().map(Record::from).collect())
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        filter: &RecordFilter,
        after: Option<&RecordPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Record>> {
        let mut list = records_of!(workspace, database)
            .order((records::position, records::id))
            .limit(limit.into())
            .select(RecordRow::as_select())
            .into_boxed::<Db>();
        if !filter.with_archived {
            list = list.filter(records::archived_at.is_null());
        }
        if let Some(parent) = filter.parent {
            list = list.filter(records::parent_id.eq(Stored(parent)));
        }
        if let Some(ids) = &filter.within {
            let seen = one_of!(records::id, ids.iter().copied().map(Stored));
            list = list.filter(records::has_entries.eq(false).or(seen));
        }
        if let Some(RecordPlace { position, id }) = after {
            let (position, id) = (Stored(position.clone()), Stored(*id));
            // The first condition is redundant, but lets the index find the place.
            list = list
                .filter(records::position.ge(position.clone()))
                .filter(records::position.gt(position).or(records::id.gt(id)));
        }
        Ok(self.all::<RecordRow, _>(list).await?.into_iter().map(Record::from).collect())
    }

    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: Option<RecordId>,
        limit: u32,
    ) -> StoreResult<Vec<Record>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let list = records_of!(workspace, database)
            .filter(records::id.gt(after))
            .order(records::id)
            .limit(limit.into())
            .select(RecordRow::as_select());
        Ok(self.all::<RecordRow, _>(list).await?.into_iter().map(Record::from).collect())
    }

    async fn list_bags(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
        after: Option<RecordId>,
        limit: u32,
    ) -> StoreResult<Vec<(RecordId, String)>> {
        let after = after.map_or_else(String::new, |id| id.to_string());
        let list = records_of!(workspace, database)
            .filter(records::id.gt(after))
            .order(records::id)
            .limit(limit.into())
            .select((records::id, records::bag));
        let found = self.all::<(Stored<RecordId>, String), _>(list).await?;
        Ok(found.into_iter().map(|(id, bag)| (id.0, bag)).collect())
    }

    async fn list_with_entries(&mut self, workspace: WorkspaceId, database: DatabaseId) -> StoreResult<Vec<RecordId>> {
        let list = records_of!(workspace, database).filter(records::has_entries).select(records::id);
        Ok(self.all::<Stored<RecordId>, _>(list).await?.into_iter().map(|id| id.0).collect())
    }

    async fn count_parts(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<(RecordId, u64)>> {
        let counts = records::table
            .filter(records::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(records::parent_id, ids.iter().copied().map(Stored)))
            .group_by(records::parent_id)
            .select((records::parent_id, count_star()));
        let counts = self.all::<(Option<Stored<RecordId>>, i64), _>(counts).await?;
        Ok(counts.into_iter().filter_map(|(id, count)| Some((id?.0, count.unsigned_abs()))).collect())
    }

    async fn list_above(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Vec<RecordId>> {
        // Bounded, so that a cycle, which cannot be there, could not run forever.
        let climb = sql_query(format!(
            "WITH RECURSIVE above (id, depth) AS ( \
                 SELECT parent_id, 1 FROM records WHERE workspace_id = $1 AND id = $2 AND parent_id IS NOT NULL \
                 UNION ALL \
                 SELECT r.parent_id, a.depth + 1 FROM above AS a \
                 JOIN records AS r ON r.workspace_id = $1 AND r.id = a.id AND r.parent_id IS NOT NULL \
                 WHERE a.depth < {}) \
             SELECT id FROM above ORDER BY depth",
            2 * MAX_DEPTH
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(id));
        let found = self.all::<Stored<RecordId>, _>(climb.columns::<Text>().prepared()).await?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }

    async fn measure_below(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<u32> {
        let walk = sql_query(format!(
            "WITH RECURSIVE below (id, depth) AS ( \
                 SELECT id, 1 FROM records WHERE workspace_id = $1 AND parent_id = $2 \
                 UNION ALL \
                 SELECT r.id, b.depth + 1 FROM below AS b \
                 JOIN records AS r ON r.workspace_id = $1 AND r.parent_id = b.id \
                 WHERE b.depth < {}) \
             SELECT CAST(COALESCE(MAX(depth), 0) AS BIGINT) FROM below",
            2 * MAX_DEPTH
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(id));
        let levels = self.one::<i64, _>(walk.columns::<BigInt>().prepared()).await?;
        Ok(u32::try_from(levels).unwrap_or(u32::MAX))
    }

    async fn find_last_position(
        &mut self,
        workspace: WorkspaceId,
        database: DatabaseId,
    ) -> StoreResult<Option<Position>> {
        let last = records_of!(workspace, database).order(records::position.desc()).limit(1).select(records::position);
        Ok(self.optional::<Stored<Position>, _>(last).await?.map(|position| position.0))
    }
}

#[area]
impl Records for Scope {
    async fn insert_many(&mut self, records: Vec<Record>) -> StoreResult<()> {
        let mut records = records.into_iter().peekable();
        while records.peek().is_some() {
            let rows = records.by_ref().take(ROWS_AT_ONCE).map(RecordRow::from).collect();
            let answer = dialect::insert_records(self.conn().await?, rows).await;
            self.checked(answer)?;
        }
        Ok(())
    }

    async fn lock(&mut self, workspace: WorkspaceId, id: RecordId) -> StoreResult<Option<Record>> {
        let record = records::table.find((Stored(workspace), Stored(id))).select(RecordRow::as_select());
        Ok(self.optional(locked!(record)).await?.map(Record::from))
    }

    async fn lock_many(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<Vec<Record>> {
        let found = records_by_id!(workspace, ids).order(records::id).select(RecordRow::as_select());
        Ok(self.all::<RecordRow, _>(locked!(found)).await?.into_iter().map(Record::from).collect())
    }

    async fn save_many(&mut self, records: Vec<Record>) -> StoreResult<()> {
        let mut records = records.into_iter().peekable();
        while records.peek().is_some() {
            let rows = records.by_ref().take(ROWS_AT_ONCE).map(RecordRow::from).collect();
            let answer = dialect::save_records(self.conn().await?, rows).await;
            self.checked(answer)?;
        }
        Ok(())
    }

    async fn note_page(&mut self, workspace: WorkspaceId, page: PageId, state: RecordPage) -> StoreResult<()> {
        let (has_page, has_entries) = page_columns(state);
        let row = records::table.find((Stored(workspace), Stored(page.as_record())));
        let set = (records::has_page.eq(has_page), records::has_entries.eq(has_entries));
        self.execute(diesel::update(row).set(set).prepared()).await.map(drop)
    }

    async fn remove_many(&mut self, workspace: WorkspaceId, ids: &[RecordId]) -> StoreResult<()> {
        let parts = records::table
            .filter(records::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(records::parent_id, ids.iter().copied().map(Stored)));
        let release = diesel::update(parts).set(records::parent_id.eq(None::<Stored<RecordId>>));
        self.execute(release.prepared()).await?;
        self.execute(diesel::delete(records_by_id!(workspace, ids))).await.map(drop)
    }
}
