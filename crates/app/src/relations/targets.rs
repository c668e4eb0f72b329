//! Records of other databases that a caller may see.

use crate::{outcome::AppResult, page_access::visibility::Visibility, scope::Scope};
use octavo_core_model::{
    Level,
    id::{DatabaseId, RecordId, WorkspaceId},
    page::Node,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// A record, and the database in which it is looked for.
pub(crate) type Target = (DatabaseId, RecordId);

/// The records of this set that exist in their databases and that the caller may see. One statement more than
/// [`visible`].
pub(crate) async fn existing<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    wanted: &BTreeSet<Target>,
) -> AppResult<BTreeSet<Target>> {
    if wanted.is_empty() {
        return Ok(BTreeSet::new());
    }
    let ids: Vec<_> = wanted.iter().map(|(_, id)| *id).collect();
    let found = scope.tx.records().list_by_id(workspace, &ids).await?;
    let found: BTreeSet<_> = found.iter().map(|record| (record.database, record.id)).collect();
    visible(scope, workspace, authority, &found.intersection(wanted).copied().collect()).await
}

/// The records of this set that the caller may see: their databases are visible and not in the trash, and no grants of
/// their own hide them. Two to five statements, and one more for each database.
pub(crate) async fn visible<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    authority: &Authority,
    records: &BTreeSet<Target>,
) -> AppResult<BTreeSet<Target>> {
    if records.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut by_database: BTreeMap<DatabaseId, Vec<RecordId>> = BTreeMap::new();
    for (database, id) in records {
        by_database.entry(*database).or_default().push(*id);
    }
    let nodes: Vec<_> = by_database.keys().map(|database| database.node()).collect();
    let nodes = scope.tx.pages().list_by_id(workspace, &nodes).await?;
    let mut visibility = Visibility::of_everything(workspace, authority);
    visibility.look_up(scope, nodes.iter().map(|node| node.access)).await?;
    let mut seen = BTreeSet::new();
    for node in nodes.iter().filter(|node| node.trash.is_none() && visibility.level_of(node) >= Level::View) {
        let database = node.id.as_database();
        let ids = by_database.remove(&database).unwrap_or_default();
        seen.extend(ids.into_iter().map(|id| (database, id)));
    }
    if !visibility.is_uniform() {
        let databases: BTreeSet<_> = seen.iter().map(|(database, _)| *database).collect();
        for database in databases {
            let with_entries = scope.tx.records().list_with_entries(workspace, database).await?;
            let concerned: Vec<_> = with_entries.into_iter().filter(|id| seen.contains(&(database, *id))).collect();
            let node = |id: &RecordId| Node::Page(id.page());
            visibility.look_up(scope, concerned.iter().map(node)).await?;
            for id in concerned.iter().filter(|id| visibility.level(node(id)) < Level::View) {
                seen.remove(&(database, *id));
            }
        }
    }
    Ok(seen)
}
