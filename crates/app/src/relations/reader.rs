//! Which records somebody sees: a caller by their level, the holders of a share link by what the link covers.

use super::targets::{self, Target};
use crate::{
    outcome::AppResult,
    page_access::{link_reach::shown_by_link, visibility::Visibility},
    scope::Scope,
};
use octavo_core_model::{
    Level,
    id::{DatabaseId, PageId, RecordId, WorkspaceId},
    page::Node,
    share_link::ShareLink,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use std::collections::{BTreeMap, BTreeSet};

/// Somebody who reads records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader<'a> {
    Caller(&'a Authority),
    /// A link covers the records of databases at or below its page that are not archived.
    Link(&'a ShareLink),
}

impl Reader<'_> {
    /// Whether archived records are shown if they are asked for.
    pub(crate) const fn sees_archived(self) -> bool {
        matches!(self, Self::Caller(_))
    }

    /// Of the records of a visible database whose pages have entries of their own, those that the reader sees; `None` if
    /// that is all of them. One statement for most databases.
    pub(crate) async fn records_within<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        database: DatabaseId,
    ) -> AppResult<Option<Vec<RecordId>>> {
        let (seen, hidden) = self.with_entries(scope, workspace, database).await?;
        Ok((!hidden.is_empty()).then_some(seen))
    }

    /// The records of a visible database that the reader does not see, because their pages have entries of their own. One
    /// statement for most databases.
    pub(crate) async fn hidden_records<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        database: DatabaseId,
    ) -> AppResult<BTreeSet<RecordId>> {
        let (_, hidden) = self.with_entries(scope, workspace, database).await?;
        Ok(hidden.into_iter().collect())
    }

    /// The records whose pages have entries of their own: those that the reader sees, and the others. Nothing is looked
    /// up for a reader who sees all of them.
    async fn with_entries<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        database: DatabaseId,
    ) -> AppResult<(Vec<RecordId>, Vec<RecordId>)> {
        let mut visibility = match self {
            Self::Link(_) => None,
            Self::Caller(authority) => Some(Visibility::of_everything(workspace, authority)),
        };
        if visibility.as_ref().is_some_and(Visibility::is_uniform) {
            return Ok((Vec::new(), Vec::new()));
        }
        let ids = scope.tx.records().list_with_entries(workspace, database).await?;
        let node = |id: &RecordId| Node::Page(id.page());
        if let Some(visibility) = &mut visibility {
            visibility.look_up(scope, ids.iter().map(node)).await?;
            return Ok(ids.into_iter().partition(|id| visibility.level(node(id)) >= Level::View));
        }
        if ids.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let shown = let_in(scope, workspace, &ids).await?;
        Ok(ids.into_iter().partition(|id| shown.contains(id)))
    }

    /// The databases of this list that the reader sees. At most four statements; none if the list is empty.
    pub(crate) async fn visible_databases<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        databases: &[DatabaseId],
    ) -> AppResult<BTreeSet<DatabaseId>> {
        if databases.is_empty() {
            return Ok(BTreeSet::new());
        }
        let authority = match self {
            Self::Link(link) => return covered_databases(scope, link, databases).await,
            Self::Caller(authority) => authority,
        };
        let nodes: Vec<_> = databases.iter().map(|database| database.node()).collect();
        let nodes = scope.tx.pages().list_by_id(workspace, &nodes).await?;
        let mut visibility = Visibility::of_everything(workspace, authority);
        visibility.look_up(scope, nodes.iter().map(|node| node.access)).await?;
        let seen = nodes.iter().filter(|node| node.trash.is_none() && visibility.level_of(node) >= Level::View);
        Ok(seen.map(|node| node.id.as_database()).collect())
    }

    /// The records of this set that exist and that the reader sees.
    pub(crate) async fn visible<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        records: &BTreeSet<Target>,
    ) -> AppResult<BTreeSet<Target>> {
        match self {
            Self::Caller(authority) => targets::visible(scope, workspace, authority, records).await,
            Self::Link(link) => covered(scope, link, records).await,
        }
    }
}

/// The records of this set that a link covers. Four statements, and one more for each database; none if the set is empty.
async fn covered<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    records: &BTreeSet<Target>,
) -> AppResult<BTreeSet<Target>> {
    let mut by_database: BTreeMap<DatabaseId, BTreeSet<RecordId>> = BTreeMap::new();
    for (database, id) in records {
        by_database.entry(*database).or_default().insert(*id);
    }
    let databases = covered_databases(scope, link, &by_database.keys().copied().collect::<Vec<_>>()).await?;
    by_database.retain(|database, _| databases.contains(database));
    let ids: Vec<_> = by_database.values().flatten().copied().collect();
    if ids.is_empty() || !link.include_children {
        return Ok(BTreeSet::new());
    }
    let found = scope.tx.records().list_by_id(link.workspace, &ids).await?;
    let active = found.into_iter().filter(|record| record.archived_at.is_none());
    let mut seen: BTreeSet<_> = active.map(|record| (record.database, record.id)).collect();
    seen.retain(|target| records.contains(target));
    for database in by_database.into_keys() {
        let with_entries = scope.tx.records().list_with_entries(link.workspace, database).await?;
        let concerned: Vec<_> = with_entries.into_iter().filter(|id| seen.contains(&(database, *id))).collect();
        if concerned.is_empty() {
            continue;
        }
        let shown = let_in(scope, link.workspace, &concerned).await?;
        for id in concerned.iter().filter(|id| !shown.contains(id)) {
            seen.remove(&(database, *id));
        }
    }
    Ok(seen)
}

/// The databases of this list that a link covers: its own, and those below it that are not archived.
pub(crate) async fn covered_databases<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    databases: &[DatabaseId],
) -> AppResult<BTreeSet<DatabaseId>> {
    if databases.is_empty() {
        return Ok(BTreeSet::new());
    }
    let nodes: Vec<_> = databases.iter().map(|database| database.node()).collect();
    let now = scope.call.now;
    let covered = scope.tx.share_links().list_pages_of_link(link, &nodes, now).await?;
    let covered: Vec<_> = covered.into_iter().map(PageId::as_database).collect();
    if covered.is_empty() {
        return Ok(BTreeSet::new());
    }
    let found = scope.tx.databases().list_by_id(link.workspace, &covered).await?;
    let shown = found.into_iter().filter(|found| found.archived_at.is_none() || found.id.node() == link.page);
    Ok(shown.map(|found| found.id).collect())
}

/// The records of this list whose pages let in the links of their database.
async fn let_in<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    ids: &[RecordId],
) -> AppResult<BTreeSet<RecordId>> {
    let pages: Vec<_> = ids.iter().map(|id| id.page()).collect();
    let pages = scope.tx.pages().list_by_id(workspace, &pages).await?;
    let shown = shown_by_link(scope, workspace, pages).await?;
    Ok(shown.into_iter().map(|page| page.id.as_record()).collect())
}
