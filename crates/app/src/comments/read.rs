//! Reading threads.

use super::{
    access,
    anchors::{self, NamedAnchor},
    shown::{self, ShownComment},
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::find, listing::Filling, visibility::Visibility},
    scope::View,
};
use octavo_core_model::{
    Fault, Level,
    comment::{Comment, CommentStatus},
    id::{CommentId, PageId, TeamId, UserId},
    page::{Node, Page},
};
use octavo_permissions::{Authority, Team, teams::may_see_team};
use octavo_ports::comments::CommentFilter;
use std::collections::{BTreeMap, BTreeSet};

/// Which threads to list.
#[derive(Clone, Debug, Default)]
pub struct CommentList {
    /// Only those on this page, block or record.
    pub anchor: NamedAnchor,
    /// Only those on pages of this team.
    pub team: Option<TeamId>,
    /// Only those that this person began.
    pub author: Option<UserId>,
    pub status: Option<CommentStatus>,
    pub with_replies: bool,
    pub before: Option<CommentId>,
    pub limit: u32,
}

/// A thread with its replies.
pub async fn get(view: &mut View, id: Draft<CommentId>) -> AppResult<ShownComment> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    let seen = access::find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    shown::one(view, &authority, seen.comment, true).await
}

/// Lists the threads on a page, newest first. The anchor of the list names a block or the record of that page.
pub async fn list_of_page(
    view: &mut View,
    page: Draft<PageId>,
    asked: Draft<CommentList>,
) -> AppResult<Vec<ShownComment>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?;
    let asked = asked?;
    let asked = CommentList { anchor: NamedAnchor { page: Some(seen.page.id), ..asked.anchor }, ..asked };
    found(view, &caller, &authority, asked, Some(seen.page)).await
}

/// Lists the threads that the caller may see, newest first.
pub async fn list(view: &mut View, asked: Draft<CommentList>) -> AppResult<Vec<ShownComment>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    found(view, &caller, &authority, asked?, None).await
}

/// The threads on a page that is known to be visible, or those on any pages that the caller may see.
async fn found(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    asked: CommentList,
    visible: Option<Page>,
) -> AppResult<Vec<ShownComment>> {
    let place = anchors::place(view, caller, authority, asked.anchor).await?;
    if let Some(place) = &place {
        let page = match visible.filter(|page| page.id == place.page) {
            Some(page) => page,
            None => find(view, caller, authority, &Ok(place.page)).await?.ok_or(Fault::UnknownId(place.field))?.page,
        };
        place.check(&page)?;
    }
    if let Some(id) = asked.team {
        let team = view.tx.teams().find(caller.workspace, id).await?;
        let seen = team.filter(|team| may_see_team(authority, Team { id, is_private: team.is_private }));
        seen.ok_or(Fault::UnknownId("teamId"))?;
    }
    let filter = CommentFilter {
        page: place.map(|place| place.page),
        block: place.and_then(|place| place.block),
        on_record: place.is_some_and(|place| place.record.is_some() && place.block.is_none()),
        team: asked.team,
        author: asked.author,
        status: asked.status,
        within: None,
    };
    let comments = if place.is_some() {
        view.tx.comments().list(caller.workspace, &filter, asked.before, asked.limit).await?
    } else {
        visible_ones(view, caller, authority, filter, asked.before, asked.limit).await?
    };
    if let Some(author) = asked.author.filter(|_| comments.is_empty() && asked.before.is_none()) {
        view.tx.members().find(caller.workspace, author).await?.ok_or(Fault::UnknownId("authorId"))?;
    }
    shown::many(view, authority, caller.workspace, comments, asked.with_replies).await
}

/// Lists threads on any pages that the caller may see.
async fn visible_ones(
    view: &mut View,
    caller: &WorkspaceCaller,
    authority: &Authority,
    mut filter: CommentFilter,
    mut before: Option<CommentId>,
    limit: u32,
) -> AppResult<Vec<Comment>> {
    let mut visibility = Visibility::of(caller.workspace, authority);
    let mut filling = Filling::new(Level::View, limit);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        filter.within.clone_from(&chunk.within.nodes);
        if filter.within.as_ref().is_some_and(Vec::is_empty) {
            break;
        }
        let found = view.tx.comments().list(caller.workspace, &filter, before, chunk.limit).await?;
        before = found.last().map(|comment| comment.id).or(before);
        let pages: BTreeSet<_> = found.iter().map(|comment| comment.page).collect();
        let pages = view.tx.pages().list_by_id(caller.workspace, &Vec::from_iter(pages)).await?;
        visibility.look_up(view, pages.iter().map(|page| page.access)).await?;
        let nodes: BTreeMap<_, _> = pages.iter().map(|page| (page.id, page.access)).collect();
        let place = |comment: Comment| {
            // If the page was removed meanwhile, its comments are hidden too.
            let node = nodes.get(&comment.page).copied().unwrap_or(Node::Page(comment.page));
            (node, comment)
        };
        filling.add(&chunk, found.into_iter().map(place).collect(), &visibility);
    }
    Ok(filling.into_seen())
}
