//! Bringing a table up to date.

use super::rows::Rows;
use crate::{kept_tables::KeptTable, loaded_schemas::schema_of, outcome::AppResult, scope::View};
use octavo_core_model::{
    Fault, Timestamp,
    database::Database,
    id::{DatabaseId, RecordId, WorkspaceId},
};
use octavo_databases::Schema;
use octavo_query_engine::{Change, Table};
use std::{collections::BTreeSet, sync::Arc};

/// How many events are read at once.
const EVENTS_AT_ONCE: u32 = 1_000;

/// From this many changes on, a table is loaded again.
const MANY_CHANGES: usize = 20_000;

/// The result of looking for a table.
#[derive(Debug)]
pub(crate) enum Look {
    Found(Box<Refresh>),
    /// It is not in memory, or too much has changed since.
    Missing,
}

/// A table, and what has changed since it was kept.
#[derive(Debug)]
pub(crate) struct Refresh {
    kept: KeptTable,
    schema: Arc<Schema>,
    changed: Vec<Rows>,
    removed: Vec<RecordId>,
    up_to: i64,
    now: Timestamp,
}

/// Looks for the table of a database in memory, and reads what has changed since. One statement if nothing has.
pub(crate) async fn look(view: &mut View, database: &Database) -> AppResult<Look> {
    match view.tables().get((database.workspace, database.id)) {
        Some(kept) => follow(view, database, kept).await,
        None => Ok(Look::Missing),
    }
}

/// Reads what has changed since a table was kept. One statement if nothing has.
pub(crate) async fn follow(view: &mut View, database: &Database, kept: KeptTable) -> AppResult<Look> {
    let (workspace, id, now) = (database.workspace, database.id, view.call.now);
    // Events that are older than that may no longer exist.
    if now.since(kept.as_of) > view.rules().event_retention / 2 {
        return Ok(Look::Missing);
    }
    let Some((ids, up_to)) = changes_since(view, workspace, id, kept.up_to).await? else { return Ok(Look::Missing) };
    // The schema after the changes; without changes, the one that the call has read is new enough.
    let read_again = if ids.is_empty() {
        None
    } else {
        Some(view.tx.databases().find(workspace, id).await?.ok_or(Fault::NotFound)?)
    };
    let database = read_again.as_ref().unwrap_or(database);
    if database.schema.epoch != kept.epoch {
        return Ok(Look::Missing);
    }
    let schema = schema_of(view, database).await?;
    let (mut changed, mut removed) = (Vec::new(), Vec::new());
    let all: Vec<_> = ids.into_iter().collect();
    for ids in all.chunks(EVENTS_AT_ONCE as usize) {
        let rows = Rows::by_id(view, workspace, &schema, ids).await?;
        let there: BTreeSet<_> = rows.records().iter().map(|record| record.id).collect();
        removed.extend(ids.iter().filter(|id| !there.contains(id)));
        changed.push(rows);
    }
    Ok(Look::Found(Box::new(Refresh { kept, schema, changed, removed, up_to, now })))
}

/// The records that changed after an event; `None` if there are very many.
async fn changes_since(
    view: &mut View,
    workspace: WorkspaceId,
    database: DatabaseId,
    mut after: i64,
) -> AppResult<Option<(BTreeSet<RecordId>, i64)>> {
    let mut ids = BTreeSet::new();
    loop {
        let found = view.tx.events().list_changed_records(workspace, database, after, EVENTS_AT_ONCE).await?;
        ids.extend(found.ids);
        after = found.up_to;
        if !found.is_cut {
            return Ok(Some((ids, after)));
        }
        if ids.len() > MANY_CHANGES {
            return Ok(None);
        }
    }
}

impl Refresh {
    /// Whether the table is used as it is.
    pub(crate) fn is_current(&self) -> bool {
        self.changed.is_empty() && self.kept.schema_version == self.schema.version()
    }

    /// The table with the changes. This is work for the compute pool, unless the table is current.
    pub(crate) fn apply(self) -> KeptTable {
        let table = if self.is_current() { Arc::clone(&self.kept.table) } else { Arc::new(self.changed_table()) };
        let (schema_version, epoch) = (self.schema.version(), self.kept.epoch);
        KeptTable { table, schema_version, epoch, up_to: self.up_to, as_of: self.now }
    }

    fn changed_table(&self) -> Table {
        let table = self.kept.table.with_schema(&self.schema);
        let rows = self.changed.iter().flat_map(Rows::iter).map(Change::Put);
        let removed = self.removed.iter().copied().map(Change::Remove);
        let changes: Vec<_> = rows.chain(removed).collect();
        table.apply(&changes)
    }
}
