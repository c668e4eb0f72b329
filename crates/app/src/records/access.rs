//! Records that a caller may know about, and the database that a call writes to.

use crate::{
    access::WorkspaceCaller,
    loaded_schemas::schema_of,
    outcome::{AppResult, Draft},
    page_access::lineage::{Visible, visible},
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault,
    database::Database,
    fault::Conflict,
    id::{DatabaseId, PageId, RecordId},
    page::Page,
    record::{Record, RecordPage},
};
use octavo_databases::Schema;
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::sync::Arc;

/// A record that the caller may know about.
#[derive(Clone, Debug)]
pub(super) struct SeenRecord<'a> {
    pub(super) record: Record,
    /// The node that decides about access to it, with the caller's level: its own page if that has entries, otherwise
    /// its database.
    pub(super) node: Visible<'a>,
}

const fn access_node(record: &Record) -> PageId {
    match record.page {
        RecordPage::WithEntries => record.id.page(),
        RecordPage::Implied | RecordPage::Stored => record.database.node(),
    }
}

/// Finds the record that a call names, if the caller may know about it.
pub(super) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<RecordId>,
) -> AppResult<Option<SeenRecord<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(record) = scope.tx.records().find(caller.workspace, *id).await? else { return Ok(None) };
    let node = scope.tx.pages().find(caller.workspace, access_node(&record)).await?;
    let seen = visible(scope, authority, node).await?;
    Ok(seen.map(|node| SeenRecord { record, node }))
}

/// Finds the record that a call changes. `None` if it does not exist. If the caller may not see it, refuses at once: a
/// caller that has lost access must not get an earlier answer replayed.
pub(super) async fn look_up<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<RecordId>,
) -> AppResult<Option<SeenRecord<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(record) = unit.tx.records().find(caller.workspace, *id).await? else { return Ok(None) };
    // Records of a database that is being removed have no node any more.
    let Some(node) = unit.tx.pages().find(caller.workspace, access_node(&record)).await? else { return Ok(None) };
    let node = visible(unit, authority, Some(node)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(SeenRecord { record, node }))
}

/// A database whose records a unit writes. Nobody else changes its schema, archives or removes it meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct HeldDatabase {
    pub(crate) database: Database,
    pub(crate) schema: Arc<Schema>,
}

/// What a unit is about to do with the records of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Others may write other records.
    Shared,
    /// Nobody else may write records, because the records that the change depends on are not locked.
    Alone,
}

impl HeldDatabase {
    /// Locks the database. Refuses if it is archived, or in the trash like this node of it.
    pub(crate) async fn lock(unit: &mut Unit, node: &Page, id: DatabaseId, hold: Hold) -> AppResult<Self> {
        let locked = match hold {
            Hold::Shared => unit.tx.databases().lock_shared(node.workspace, id).await?,
            Hold::Alone => unit.tx.databases().lock(node.workspace, id).await?,
        };
        let database = locked.ok_or(Fault::NotFound)?;
        if node.trash.is_some() {
            return Err(Conflict::PageTrashed.into());
        }
        if database.archived_at.is_some() {
            return Err(Conflict::DatabaseArchived.into());
        }
        let schema = schema_of(unit, &database).await?;
        Ok(Self { database, schema })
    }
}
