//! What a share link shows to its holders.

use super::password_proof::opens;
use crate::{
    blocks::{PageBlocks, shared_content},
    outcome::{AppResult, Draft},
    page_access::link_reach::{excluding_steps, shown_by_link},
    page_memory::hold_page,
    reservations::Reservations,
    scope::{Scope, View},
};
use octavo_core_model::{
    Fault, Token,
    fault::Unknown,
    id::PageId,
    page::{Listed, Page, PageKind, ResourceId, Step},
    share_link::{ShareLink, ShareStatus},
    text::{PageIcon, PageTitle},
};
use octavo_ports::{
    compute::{Reservation, WorkKind, WorkOwner},
    store::Reads,
};

/// What a caller presents to open a link: the token in its address, and proof of the password.
#[derive(Clone, Debug)]
pub struct Key {
    pub token: Draft<Token>,
    pub access: Option<String>,
}

/// A link and the page or database that it shows.
#[derive(Clone, Debug)]
pub struct Opened {
    pub link: ShareLink,
    pub page: Page,
}

/// A page or database that a link shows.
#[derive(Clone, Debug)]
pub struct Node {
    pub id: ResourceId,
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
}

/// A page as a link shows it.
#[derive(Clone, Debug)]
pub struct SharedPage {
    pub link: ShareLink,
    pub page: Page,
    /// The pages above it, starting with the page of the link.
    pub ancestors: Vec<Node>,
    pub children: Vec<Node>,
    pub content: PageBlocks,
    /// Other pages that its blocks name and the link shows. They are looked up only for rendering.
    pub named: Vec<Node>,
}

/// Finds the link of a token if it is still valid. Two statements.
pub(super) async fn find<T: Reads + ?Sized>(scope: &mut Scope<T>, token: &Draft<Token>) -> AppResult<Opened> {
    let hash = token.as_ref().map_err(|_| Fault::NotFound)?.hash();
    let workspace = scope.tx.share_links().find_workspace(&hash).await?.ok_or(Fault::NotFound)?;
    let found = scope.tx.share_links().find_opened(workspace, &hash).await?;
    let (link, page) = found.filter(|(_, page)| page.trash.is_none()).ok_or(Fault::NotFound)?;
    match link.status(scope.call.now) {
        ShareStatus::Revoked => Err(Fault::NotFound.into()),
        ShareStatus::Expired => Err(Fault::ShareExpired.into()),
        ShareStatus::Active => Ok(Opened { link, page }),
    }
}

/// Opens a link, or returns why that is refused.
pub(super) async fn open<T: Reads + ?Sized>(scope: &mut Scope<T>, key: &Key) -> AppResult<Opened> {
    let opened = find(scope, &key.token).await?;
    let (keyring, now) = (scope.keyring(), scope.call.now);
    let is_unlocked = || key.access.as_deref().is_some_and(|access| opens(&keyring, &opened.link, access, now));
    if opened.link.password.is_some() && !is_unlocked() {
        return Err(Fault::Unauthenticated(Unknown::SharePasswordRequired).into());
    }
    Ok(opened)
}

/// The page a link leads to.
pub async fn share(view: &mut View, key: Key) -> AppResult<Opened> {
    open(view, &key).await
}

/// The page of a link or a descendant, with the pages around it that the link shows too. Five statements for the
/// page of the link, seven for a descendant; up to two more if pages have entries of their own, and more for instances.
pub async fn page(view: &mut View, key: Key, wanted: Option<Draft<PageId>>) -> AppResult<SharedPage> {
    let found = find_page(view, &key, wanted).await?;
    hold_page(view, WorkOwner::Workspace(found.link.workspace), &found.page).await?;
    with_content(view, found).await
}

/// Like [`page`], with a place in the compute pool for rendering the content. Anybody may open a link, so the place
/// counts for its workspace, whoever calls. Up to three more statements.
pub async fn page_to_render(
    view: &mut View,
    key: Key,
    wanted: Option<Draft<PageId>>,
    reservations: Reservations,
) -> AppResult<(SharedPage, Reservation)> {
    let found = find_page(view, &key, wanted).await?;
    let owner = WorkOwner::Workspace(found.link.workspace);
    let reservation = reservations.for_page(view, owner, &found.page, WorkKind::Short).await?;
    let mut shown = with_content(view, found).await?;
    shown.named = named(view, &shown).await?;
    let kind = WorkKind::of_page(0, shown.content.bytes_of_sources());
    Ok((shown, reservations.at_least(reservation, kind)?))
}

/// A page that a link shows, without its content.
struct Found {
    link: ShareLink,
    page: Page,
    ancestors: Vec<Node>,
    children: Vec<Node>,
}

async fn find_page(view: &mut View, key: &Key, wanted: Option<Draft<PageId>>) -> AppResult<Found> {
    let Opened { link, page } = open(view, key).await?;
    let id = wanted.unwrap_or(Ok(page.id)).map_err(|_| Fault::NotFound)?;
    let (page, ancestors) = if id == page.id { (page, Vec::new()) } else { below(view, &link, id).await? };
    if page.kind == PageKind::Database {
        return Err(Fault::NotFound.into());
    }
    let children = children(view, &link, page.id).await?.into_iter().map(Node::from).collect();
    Ok(Found { link, page, ancestors, children })
}

async fn with_content(view: &mut View, found: Found) -> AppResult<SharedPage> {
    let Found { link, page, ancestors, children } = found;
    let content = shared_content(view, &link, &page).await?;
    Ok(SharedPage { link, page, ancestors, children, content, named: Vec::new() })
}

/// How many of the pages that blocks name are examined. Anybody may request them.
const MOST_NAMED: usize = 200;

/// The pages that the blocks name and the link shows, apart from those around the page. Two statements; none if there
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
    pages.retain(|page| page.kind != PageKind::Database);
    Ok(pages.into_iter().map(Node::from).collect())
}

async fn below(view: &mut View, link: &ShareLink, id: PageId) -> AppResult<(Page, Vec<Node>)> {
    let lineage = view.tx.pages().find_lineage(link.workspace, id).await?;
    let excluding = excluding_steps(view, link.workspace, &lineage).await?;
    let (_, above) = link.shown_part(&lineage, &excluding).and_then(<[Step]>::split_last).ok_or(Fault::NotFound)?;
    let page = view.tx.pages().find(link.workspace, id).await?.filter(|page| page.trash.is_none());
    Ok((page.ok_or(Fault::NotFound)?, above.iter().map(Node::from).collect()))
}

/// How many children are examined for a list. Anybody may request such a list, and it is not paginated.
const MOST_CHILDREN: u32 = 1000;

/// The children of a page that the link shows as well, in their order.
pub(super) async fn children<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    link: &ShareLink,
    page: PageId,
) -> AppResult<Vec<Page>> {
    if !link.include_children {
        return Ok(Vec::new());
    }
    let found = scope.tx.pages().list_children(link.workspace, &[page], Listed::Pages, None, MOST_CHILDREN).await?;
    shown_by_link(scope, link.workspace, found).await
}

impl From<&Step> for Node {
    fn from(step: &Step) -> Self {
        Self { id: ResourceId::of(step.id, step.kind), title: step.title.clone(), icon: step.icon.clone() }
    }
}

impl From<Page> for Node {
    fn from(page: Page) -> Self {
        Self { id: page.resource(), title: page.title, icon: page.icon }
    }
}
