//! Databases that a caller may know about.

use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    page_access::lineage::{self, Visible},
    scope::Scope,
};
use octavo_core_model::{database::Database, fault::Conflict, id::DatabaseId};
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

/// Refuses to write to a database that is archived or in the trash.
pub(crate) fn require_in_use(seen: &SeenDatabase<'_>) -> AppResult<()> {
    if seen.node.page.trash.is_some() {
        return Err(Conflict::PageTrashed.into());
    }
    if seen.database.archived_at.is_some() { Err(Conflict::DatabaseArchived.into()) } else { Ok(()) }
}
