//! What is shown of the results of a search.

use super::{filter::SearchFilter, place::SearchPlace};
use crate::{outcome::AppResult, page_access::visibility::Visibility, record_pages::list_implied, scope::View};
use octavo_core_model::{
    Level, Timestamp,
    comment::Comment,
    database::Database,
    id::{BlockId, CommentId, DatabaseId, PageId, PropertyId, RecordId, UserId, WorkspaceId},
    page::{Page, PageKind, ResourceId},
    record::Record,
    scope::ScopeArea,
    text::{PageIcon, PageTitle},
};
use octavo_ports::search::{Hit, NodeKey, Place, UnitKey};
use octavo_search::Field;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A page of results.
#[derive(Clone, Debug, Default)]
pub struct SearchPage {
    pub units: Vec<FoundUnit>,
    pub total: Total,
    /// Where the next page begins.
    pub next: Option<SearchPlace>,
}

/// How many results there are on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    pub value: usize,
    /// Whether there are not more.
    pub is_exact: bool,
}

impl Default for Total {
    fn default() -> Self {
        Self { value: 0, is_exact: true }
    }
}

/// Something that a search found, as the caller sees it.
#[derive(Clone, Debug)]
pub struct FoundUnit {
    pub key: UnitKey,
    /// The page to open: the page itself, that of the record or of the comment, or the one that the database is in.
    pub page: Option<PageId>,
    /// The database of a record.
    pub database: Option<DatabaseId>,
    /// For a comment, the title of its page.
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
    /// The pages and databases above it that the caller may view, from the root down.
    pub ancestors: Vec<FoundAncestor>,
    pub score: u32,
    pub highlights: Vec<Highlight>,
    /// The caller's level.
    pub level: Level,
    pub created_by: Option<UserId>,
    pub updated_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A page or database above something that was found.
#[derive(Clone, Debug)]
pub struct FoundAncestor {
    pub id: ResourceId,
    pub title: PageTitle,
}

/// A part of a text, with what was found in it.
#[derive(Clone, Debug)]
pub struct Highlight {
    pub field: Field,
    pub block: Option<BlockId>,
    pub property: Option<PropertyId>,
    pub text: String,
    /// In UTF-16 code units.
    pub ranges: Vec<Range<usize>>,
}

/// Reads what is shown of hits, in their order. What is gone or hidden by now is left out. At most four statements; some
/// more if there are records whose pages have no rows.
pub(super) async fn load_units(
    view: &mut View,
    workspace: WorkspaceId,
    visibility: &Visibility,
    filter: &SearchFilter,
    hits: &[Hit],
) -> AppResult<Vec<FoundUnit>> {
    let loaded = Loaded::of(view, workspace, filter, hits).await?;
    Ok(hits.iter().filter_map(|hit| loaded.unit(hit, visibility, filter)).collect())
}

/// The rows that hits are shown with.
struct Loaded {
    pages: BTreeMap<PageId, Page>,
    records: BTreeMap<RecordId, Record>,
    databases: BTreeMap<DatabaseId, Database>,
    comments: BTreeMap<CommentId, Comment>,
}

impl Loaded {
    async fn of(view: &mut View, workspace: WorkspaceId, filter: &SearchFilter, hits: &[Hit]) -> AppResult<Self> {
        let (mut records, mut databases, mut comments) = (Vec::new(), Vec::new(), Vec::new());
        let (mut nodes, mut record_pages) = (BTreeSet::new(), Vec::new());
        for hit in hits {
            match hit.key {
                UnitKey::Page(id) => drop(nodes.insert(id)),
                UnitKey::Database(id) => {
                    nodes.insert(id.node());
                    databases.push(id);
                }
                UnitKey::Record(id) => {
                    nodes.insert(id.page());
                    record_pages.push(id.page());
                    records.push(id);
                }
                UnitKey::Comment(id) => comments.push(id),
            }
            nodes.extend(above(filter, hit.place));
        }
        let comments =
            if comments.is_empty() { Vec::new() } else { view.tx.comments().list_by_id(workspace, &comments).await? };
        nodes.extend(comments.iter().map(|comment| comment.page));
        let list = Vec::from_iter(nodes);
        let found = if list.is_empty() { Vec::new() } else { view.tx.pages().list_by_id(workspace, &list).await? };
        let mut pages: BTreeMap<_, _> = found.into_iter().map(|page| (page.id, page)).collect();
        record_pages.retain(|id| !pages.contains_key(id));
        let implied = list_implied(view, workspace, &record_pages).await?;
        pages.extend(implied.into_iter().map(|page| (page.id, page)));
        let records =
            if records.is_empty() { Vec::new() } else { view.tx.records().list_by_id(workspace, &records).await? };
        let databases = if databases.is_empty() {
            Vec::new()
        } else {
            view.tx.databases().list_by_id(workspace, &databases).await?
        };
        Ok(Self {
            pages,
            records: records.into_iter().map(|record| (record.id, record)).collect(),
            databases: databases.into_iter().map(|database| (database.id, database)).collect(),
            comments: comments.into_iter().map(|comment| (comment.id, comment)).collect(),
        })
    }

    fn unit(&self, hit: &Hit, visibility: &Visibility, filter: &SearchFilter) -> Option<FoundUnit> {
        let id = match hit.key {
            UnitKey::Page(id) => id,
            UnitKey::Database(id) => id.node(),
            UnitKey::Record(id) => id.page(),
            UnitKey::Comment(id) => self.comments.get(&id)?.page,
        };
        let page = self.pages.get(&id).filter(|page| page.trash.is_none())?;
        let level = Some(visibility.level(page.access)).filter(|level| *level >= Level::View)?;
        let ancestors = above(filter, hit.place).into_iter().rev().filter(|above| *above != id);
        let unit = FoundUnit {
            key: hit.key,
            page: Some(id),
            database: None,
            title: page.title.clone(),
            icon: page.icon.clone(),
            ancestors: ancestors.filter_map(|id| self.ancestor(id, visibility, filter)).collect(),
            score: hit.mark.score,
            highlights: Vec::new(),
            level,
            created_by: page.created_by,
            updated_by: page.updated_by,
            created_at: page.created_at,
            updated_at: page.updated_at,
        };
        Some(match hit.key {
            UnitKey::Page(_) => unit,
            UnitKey::Database(id) => {
                let host = page.container.page().filter(|host| filter.is_visible(place(*host)));
                let database = self.databases.get(&id)?;
                FoundUnit { page: host, updated_at: database.updated_at, ..unit }
            }
            UnitKey::Record(id) => {
                let record = self.records.get(&id)?;
                FoundUnit {
                    database: Some(record.database),
                    created_by: record.created_by,
                    updated_by: record.updated_by,
                    created_at: record.created_at,
                    updated_at: record.updated_at,
                    ..unit
                }
            }
            UnitKey::Comment(id) => {
                let comment = self.comments.get(&id)?;
                FoundUnit {
                    created_by: Some(comment.author),
                    updated_by: Some(comment.author),
                    created_at: comment.created_at,
                    updated_at: comment.updated_at,
                    ..unit
                }
            }
        })
    }

    fn ancestor(&self, id: PageId, visibility: &Visibility, filter: &SearchFilter) -> Option<FoundAncestor> {
        let page = self.pages.get(&id).filter(|_| filter.is_visible(place(id)))?;
        // An app sees only titles of the areas that it has scopes for.
        let area = if page.kind == PageKind::Page { ScopeArea::Pages } else { ScopeArea::Databases };
        if !visibility.opens(area) {
            return None;
        }
        Some(FoundAncestor { id: page.resource(), title: page.title.clone() })
    }
}

fn place(node: PageId) -> Place {
    Place { page: node.into(), database: None }
}

/// The nodes of the tree from a place up to the root, beginning with its page or, if that has no row, with its database.
fn above(filter: &SearchFilter, place: Place) -> Vec<PageId> {
    let climb = |key: NodeKey| filter.map().climb(key).map(|place| place.id).collect::<Vec<_>>();
    let nodes = climb(place.page);
    match place.database {
        Some(database) if nodes.is_empty() => climb(database),
        _ => nodes,
    }
}
