//! What a copy consists of: a page and what lies below it, as far as the reader sees it.

use super::MAX_PAGES;
use crate::{
    blocks::MAX_COPIED,
    database_copies::Originals,
    outcome::AppResult,
    page_access::{link_reach::shown_by_link, listing::list_visible_children, visibility::Visibility},
    relations::Reader,
    scope::Unit,
};
use octavo_core_model::{
    fault::Unprocessable,
    id::{DatabaseId, PageId, WorkspaceId},
    page::{Listed, Page, PageKind},
    share_link::ShareLink,
};
use std::collections::BTreeSet;

/// How many pages of one level are examined below a link, including those that it does not show.
const MOST_SIFTED: u32 = 10 * MAX_PAGES;

/// Which parts of a page are copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) children: bool,
    pub(super) databases: bool,
    pub(super) records: bool,
}

/// The originals of a copy.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// The page, and below it pages, databases and pages of records, each after what contains it.
    pub(super) nodes: Vec<Page>,
    pub(super) levels: u32,
    pub(super) databases: Originals,
}

/// Finds what is to be copied: at most three statements for each level, and those for databases.
pub(super) async fn gather(
    unit: &mut Unit,
    reader: Reader<'_>,
    workspace: WorkspaceId,
    root: Page,
    parts: Parts,
) -> AppResult<Gathered> {
    let mut gathering = Gathering::new(reader, workspace, root);
    while parts.children && gathering.descend(unit, parts).await? {}
    let Gathering { levels, .. } = gathering;
    let count = u32::try_from(levels.len()).unwrap_or(u32::MAX);
    let nodes: Vec<_> = levels.into_iter().flatten().collect();
    let databases = nodes.iter().filter(|node| node.kind == PageKind::Database);
    let databases = databases.map(id_of).collect();
    let most = parts.records.then_some(MAX_COPIED);
    let databases = Originals::read(unit, reader, workspace, databases, most).await?;
    Ok(Gathered { nodes, levels: count, databases })
}

/// What decides which pages the reader sees.
enum Sight<'a> {
    Caller(Visibility),
    Link(&'a ShareLink),
}

struct Gathering<'a> {
    sight: Sight<'a>,
    levels: Vec<Vec<Page>>,
    /// How many more pages and databases fit.
    pages_left: u32,
    /// How many more pages of records fit.
    record_pages_left: u32,
}

impl<'a> Gathering<'a> {
    fn new(reader: Reader<'a>, workspace: WorkspaceId, root: Page) -> Self {
        let sight = match reader {
            Reader::Caller(authority) => Sight::Caller(Visibility::of(workspace, authority)),
            Reader::Link(link) => Sight::Link(link),
        };
        Self { sight, levels: vec![vec![root]], pages_left: MAX_PAGES - 1, record_pages_left: MAX_COPIED }
    }

    /// Adds the next level. Returns false if there is none.
    async fn descend(&mut self, unit: &mut Unit, parts: Parts) -> AppResult<bool> {
        let (mut pages, mut databases) = (Vec::new(), Vec::new());
        for node in self.levels.last().into_iter().flatten() {
            let is_database = node.kind == PageKind::Database;
            if is_database { databases.push(node.id) } else { pages.push(node.id) }
        }
        let listed = if parts.databases { Listed::PagesAndDatabases } else { Listed::Pages };
        let mut below = self.children(unit, &pages, listed, self.pages_left).await?;
        self.pages_left = left(self.pages_left, below.len())?;
        if parts.records {
            let records = self.children(unit, &databases, Listed::PagesAndRecords, self.record_pages_left).await?;
            self.record_pages_left = left(self.record_pages_left, records.len())?;
            below.extend(records);
        }
        let has_more = !below.is_empty();
        if has_more {
            self.levels.push(below);
        }
        Ok(has_more)
    }

    /// What the reader sees in these containers; one more than there is room for if there is more.
    async fn children(&mut self, unit: &mut Unit, above: &[PageId], listed: Listed, room: u32) -> AppResult<Vec<Page>> {
        if above.is_empty() {
            return Ok(Vec::new());
        }
        match &mut self.sight {
            Sight::Link(link) => shown(unit, link, above, listed, room).await,
            Sight::Caller(visibility) => list_visible_children(unit, visibility, above, listed, room + 1).await,
        }
    }
}

fn left(room: u32, count: usize) -> Result<u32, Unprocessable> {
    u32::try_from(count).ok().and_then(|count| room.checked_sub(count)).ok_or(Unprocessable::TooLarge)
}

/// What a link shows in these containers. Pages that it does not reach do not count, but the number of examined pages is
/// limited.
async fn shown(unit: &mut Unit, link: &ShareLink, above: &[PageId], listed: Listed, room: u32) -> AppResult<Vec<Page>> {
    let most = MOST_SIFTED.max(room);
    let found = unit.tx.pages().list_children(link.workspace, above, listed, None, most + 1).await?;
    if found.len() > most as usize {
        return Err(Unprocessable::TooLarge.into());
    }
    let mut shown = shown_by_link(unit, link.workspace, found).await?;
    let databases: Vec<_> = shown.iter().filter(|page| page.kind == PageKind::Database).map(id_of).collect();
    if !databases.is_empty() {
        let databases = unit.tx.databases().list_by_id(link.workspace, &databases).await?;
        let archived = databases.iter().filter(|database| database.archived_at.is_some());
        let archived: BTreeSet<_> = archived.map(|database| database.id.node()).collect();
        shown.retain(|page| !archived.contains(&page.id));
    }
    Ok(shown)
}

const fn id_of(node: &Page) -> DatabaseId {
    node.id.as_database()
}
