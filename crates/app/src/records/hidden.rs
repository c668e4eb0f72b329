//! Which records of a database the caller may not see, although the caller sees the database.

use crate::{outcome::AppResult, page_access::visibility::Visibility, scope::Scope};
use octavo_core_model::{
    Level,
    id::{DatabaseId, RecordId, WorkspaceId},
    page::Node,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::BTreeSet;

/// The records whose pages have entries of their own.
#[derive(Debug, Default)]
pub(super) struct WithEntries {
    pub(super) visible: Vec<RecordId>,
    pub(super) hidden: Vec<RecordId>,
}

/// Sorts the records whose pages have entries of their own by whether the caller may see them; `None` if the level is
/// the same everywhere. One statement for most databases.
pub(super) async fn with_entries<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    database: DatabaseId,
) -> AppResult<Option<WithEntries>> {
    let mut visibility = Visibility::of_everything(workspace, authority);
    if visibility.is_uniform() {
        return Ok(None);
    }
    let ids = scope.tx.records().list_with_entries(workspace, database).await?;
    let node = |id: &RecordId| Node::Page(id.page());
    visibility.look_up(scope, ids.iter().map(node)).await?;
    let (visible, hidden) = ids.into_iter().partition(|id| visibility.level(node(id)) >= Level::View);
    Ok(Some(WithEntries { visible, hidden }))
}

/// The records of a database that grants of their own hide from the caller. One statement for most databases.
pub(crate) async fn hidden_records<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    database: DatabaseId,
) -> AppResult<BTreeSet<RecordId>> {
    let found = with_entries(scope, workspace, authority, database).await?;
    Ok(found.unwrap_or_default().hidden.into_iter().collect())
}
