//! The pages that a link shows to its holders.

use super::{
    Key, Opened,
    node::Node,
    open::open,
    reach::{self, Found},
    tables::{SharedTable, TableOf, tables_in},
};
use crate::{
    blocks::{PageBlocks, shared_content},
    outcome::{AppResult, Draft},
    page_memory::hold_page,
    reservations::Reservations,
    scope::View,
};
use octavo_core_model::{
    Fault,
    id::{DatabaseId, PageId, ViewId},
    page::{Page, PageKind, ResourceId},
    share_link::ShareLink,
};
use octavo_ports::compute::{Reservation, WorkKind, WorkOwner};
use std::collections::BTreeMap;

/// A page as a link shows it.
#[derive(Clone, Debug)]
pub struct SharedPage {
    pub link: ShareLink,
    /// A page, or a database if it is to be rendered.
    pub page: Page,
    /// The pages and databases above it, starting with the page of the link.
    pub ancestors: Vec<Node>,
    pub children: Vec<Node>,
    pub content: PageBlocks,
    /// Other pages that its blocks name and the link shows. They are looked up only for rendering, like what follows.
    pub named: Vec<Node>,
    /// The records of the database, or the record of the page.
    pub table: Option<SharedTable>,
    /// The databases that its blocks show, in the views that the blocks name.
    pub tables: BTreeMap<(DatabaseId, Option<ViewId>), SharedTable>,
}

/// The page of a link or a descendant, with the pages around it that the link shows too. Five statements for the
/// page of the link, seven for a descendant; a few more if there are databases around it or pages have entries of their
/// own, and more for instances.
pub async fn page(view: &mut View, key: Key, wanted: Draft<PageId>) -> AppResult<SharedPage> {
    let found = find(view, &key, Some(wanted.map(ResourceId::Page))).await?;
    if found.page.kind == PageKind::Database {
        return Err(Fault::NotFound.into());
    }
    hold_page(view, WorkOwner::Workspace(found.link.workspace), &found.page).await?;
    with_content(view, found).await
}

/// Like [`page`], also for databases, with a place in the compute pool for rendering the content. Anybody may open a link,
/// so the place counts for its workspace, whoever calls.
pub async fn page_to_render(
    view: &mut View,
    key: Key,
    wanted: Option<Draft<ResourceId>>,
    reservations: Reservations,
) -> AppResult<(SharedPage, Reservation)> {
    let found = find(view, &key, wanted).await?;
    let owner = WorkOwner::Workspace(found.link.workspace);
    let reservation = reservations.for_page(view, owner, &found.page, WorkKind::Short).await?;
    let mut shown = with_content(view, found).await?;
    shown.named = named(view, &shown).await?;
    shown.table = match TableOf::page(&shown.page) {
        Some(of) => of.load(view, &shown.link, None).await?,
        None => None,
    };
    shown.tables = tables_in(view, &shown.link, &shown.content).await?;
    let kind = WorkKind::of_page(0, shown.content.bytes_of_sources());
    Ok((shown, reservations.at_least(reservation, kind)?))
}

async fn find(view: &mut View, key: &Key, wanted: Option<Draft<ResourceId>>) -> AppResult<Found> {
    let Opened { link, page } = open(view, key).await?;
    let id = wanted.unwrap_or_else(|| Ok(page.resource())).map_err(|_| Fault::NotFound)?;
    reach::find(view, link, page, id).await
}

async fn with_content(view: &mut View, found: Found) -> AppResult<SharedPage> {
    let Found { link, page, ancestors } = found;
    let children = reach::children(view, &link, page.id).await?.into_iter().map(Node::from).collect();
    let content = match page.kind {
        PageKind::Page | PageKind::Record => shared_content(view, &link, &page).await?,
        PageKind::Database => PageBlocks::default(),
    };
    Ok(SharedPage { link, page, ancestors, children, content, named: Vec::new(), table: None, tables: BTreeMap::new() })
}

/// How many of the pages that blocks name are examined. Anybody may request them.
const MOST_NAMED: usize = 200;

/// The plain pages that the blocks name and the link shows, apart from those around the page. Two statements; none if there
/// are no others.
async fn named(view: &mut View, shown: &SharedPage) -> AppResult<Vec<Node>> {
    let SharedPage { link, page, ancestors, children, content, .. } = shown;
    let mut others = content.named_pages();
    others.remove(&page.id);
    for node in ancestors.iter().chain(children) {
        others.remove(&node.id.node());
    }
    let others: Vec<_> = others.into_iter().take(MOST_NAMED).collect();
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let now = view.call.now;
    let covered = view.tx.share_links().list_pages_of_link(link, &others, now).await?;
    if covered.is_empty() {
        return Ok(Vec::new());
    }
    let mut pages = view.tx.pages().list_by_id(link.workspace, &covered).await?;
    pages.retain(|page| page.kind == PageKind::Page);
    Ok(pages.into_iter().map(Node::from).collect())
}
