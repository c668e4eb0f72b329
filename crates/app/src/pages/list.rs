//! Reading pages: one, a list, recently visited ones.

use super::{
    PageDetails, enter,
    lineage::{find, need},
    listing::list_visible,
    permissions::{self, Permissions},
    shown::{many, one},
    visibility::Visibility,
};
use crate::{
    access::RouteAccess,
    blocks::{PageBlocks, content},
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{Listed, Node, Page, PageDetail, PageFilter, PageKind, PageMark, PageSort, PublicAccess, Roots, Visit},
};

/// How many visits are returned.
const VISITS: u32 = 50;
/// How many visits are examined for that before falling back to looking up all pages that the caller may see.
const LOOKED_THROUGH: u32 = 200;

/// A page that a caller opened.
#[derive(Clone, Debug)]
pub struct Opened {
    pub shown: PageDetails,
    /// `None` if not requested.
    pub permissions: Option<Permissions>,
    /// Its blocks; `None` if not requested.
    pub content: Option<PageBlocks>,
    /// The visit to store if a person opened the page.
    pub visit: Option<Visit>,
}

/// Returns one page. Its permissions are shown only to callers that may edit it.
pub async fn get(view: &mut View, id: Draft<PageId>, details: Draft<Vec<PageDetail>>) -> AppResult<Opened> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    let is_asked = |detail| details.as_ref().is_ok_and(|details| details.contains(&detail));
    let (with_permissions, with_blocks) = (is_asked(PageDetail::Permissions), is_asked(PageDetail::Blocks));
    if with_permissions {
        need(&authority, seen.lineage.level(), Level::Edit)?;
    }
    details?;
    let permissions = if with_permissions { Some(permissions::of(view, &seen).await?) } else { None };
    let content = if with_blocks { Some(content(view, &authority, &seen.page).await?) } else { None };
    let shown = one(view, &caller, &authority, &seen).await?.with_ancestors(&seen);
    let user = caller.user().map(|user| user.id).filter(|_| seen.page.trash.is_none());
    let visit = user.map(|user| Visit { workspace: caller.workspace, user, page: seen.page.id, at: view.call.now });
    Ok(Opened { shown, permissions, content, visit })
}

/// Which pages to list.
#[derive(Clone, Debug)]
pub struct PageList {
    /// Children of this page or of the root; by default all pages.
    pub parent: Option<Option<PageId>>,
    pub team: Option<TeamId>,
    pub created_by: Option<UserId>,
    pub updated_after: Option<Timestamp>,
    pub public_access: PublicFilter,
    /// Whether to list the pages of records too.
    pub include_record_pages: bool,
    pub sort: Option<PageSort>,
    pub after: Option<PageMark>,
    pub limit: u32,
}

/// The wanted kind of public access; `None` for all pages.
pub type PublicFilter = Option<PublicAccess>;

impl PageList {
    /// The order of the list: children by position, other lists by latest change first.
    pub fn sort(&self) -> PageSort {
        self.sort.unwrap_or(if self.parent.is_some() { PageSort::POSITION } else { PageSort::NEWEST_CHANGE })
    }

    fn filter(&self, now: Timestamp) -> PageFilter {
        let place = match self.parent {
            None => None,
            Some(Some(id)) => Some(Roots::In(Node::Page(id))),
            Some(None) => Some(self.team.map_or(Roots::Anywhere, |team| Roots::In(Node::Team(team)))),
        };
        let listed = if self.include_record_pages { Listed::PagesAndRecords } else { Listed::Pages };
        PageFilter {
            listed,
            place,
            team: self.team,
            created_by: self.created_by,
            updated_after: self.updated_after,
            public: self.public_access.map(|access| (access, now)),
            ..PageFilter::default()
        }
    }
}

/// Lists the active pages that the caller may see.
pub async fn list(view: &mut View, asked: Draft<PageList>) -> AppResult<Vec<PageDetails>> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let asked = asked?;
    if let (Some(Some(parent)), true) = (asked.parent, asked.include_record_pages) {
        // A database is not a page, so nothing is below the page with its id.
        let parent = view.tx.pages().find(caller.workspace, parent).await?;
        if parent.is_some_and(|parent| parent.kind == PageKind::Database) {
            return Ok(Vec::new());
        }
    }
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let (filter, sort) = (asked.filter(view.call.now), asked.sort());
    let found = list_visible(view, &mut visibility, filter, sort, asked.after, asked.limit).await?;
    many(view, &caller, &mut visibility, found).await
}

/// A page and the caller's last visit.
#[derive(Clone, Debug)]
pub struct Recent {
    pub shown: PageDetails,
    pub last_visited_at: Timestamp,
}

/// The pages that the caller visited last and may still see, latest visit first.
pub async fn recent(view: &mut View) -> AppResult<Vec<Recent>> {
    let (caller, authority) = enter(view, RouteAccess::OWN_PAGES).await?;
    let Some(user) = caller.member() else { return Ok(Vec::new()) };
    let mut visibility = Visibility::of(caller.workspace, &authority);
    let found = visible_visits(view, &mut visibility, caller.workspace, user).await?;
    let (pages, times): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let shown = many(view, &caller, &mut visibility, pages).await?;
    Ok(shown.into_iter().zip(times).map(|(shown, last_visited_at)| Recent { shown, last_visited_at }).collect())
}

async fn visible_visits(
    view: &mut View,
    visibility: &mut Visibility,
    workspace: WorkspaceId,
    user: UserId,
) -> AppResult<Vec<(Page, Timestamp)>> {
    if let Some(within) = visibility.within(view, Level::View).await? {
        return Ok(view.tx.pages().list_visited(workspace, user, within.nodes.as_deref(), VISITS).await?);
    }
    let mut found = view.tx.pages().list_visited(workspace, user, None, LOOKED_THROUGH).await?;
    let is_all = found.len() < LOOKED_THROUGH as usize;
    visibility.look_up(view, found.iter().map(|(page, _)| page.access)).await?;
    found.retain(|(page, _)| visibility.level(page.access) >= Level::View);
    if is_all || found.len() >= VISITS as usize {
        found.truncate(VISITS as usize);
        return Ok(found);
    }
    let nodes = visibility.nodes(view, Level::View).await?;
    Ok(view.tx.pages().list_visited(workspace, user, nodes.as_deref(), VISITS).await?)
}
