//! Databases that a caller may know about.

use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    page_access::{lineage, lineage::Visible},
    scope::{Scope, Unit},
};
use octavo_core_model::{Fault, database::Database, fault::Conflict, id::DatabaseId};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// A database that the caller may know about.
#[derive(Clone, Debug)]
pub(crate) struct SeenDatabase<'a> {
    /// Its node in the tree, with the caller's level.
    pub(crate) node: Visible<'a>,
    pub(crate) database: Database,
}

/// Finds the database that a call names, if the caller may know about it.
pub(crate) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DatabaseId>,
) -> AppResult<Option<SeenDatabase<'a>>> {
    let Some(node) = lineage::find(scope, caller, authority, id).await? else { return Ok(None) };
    let database = scope.tx.databases().find(caller.workspace, node.page.id.as_database()).await?;
    Ok(database.map(|database| SeenDatabase { node, database }))
}

/// Finds the database whose records a unit writes, and keeps others from changing its schema until the unit ends.
/// `None` if it does not exist. If the caller may not see it, refuses at once: a caller that has lost access must not
/// get an earlier answer replayed.
pub(crate) async fn share<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<DatabaseId>,
) -> AppResult<Option<SeenDatabase<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(database) = unit.tx.databases().lock_shared(caller.workspace, *id).await? else { return Ok(None) };
    // Read after the lock, so that a database that goes to the trash meanwhile is found there.
    let node = lineage::find(unit, caller, authority, &Ok(*id)).await?.ok_or(Fault::NotFound)?;
    Ok(Some(SeenDatabase { node, database }))
}

/// Refuses to write to a database that is archived or in the trash.
pub(crate) fn require_in_use(seen: &SeenDatabase<'_>) -> AppResult<()> {
    if seen.node.page.trash.is_some() {
        return Err(Conflict::PageTrashed.into());
    }
    if seen.database.archived_at.is_some() { Err(Conflict::DatabaseArchived.into()) } else { Ok(()) }
}
