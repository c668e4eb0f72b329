//! Beginning a thread.

use super::{
    access::{SeenComment, bytes_of_comment, count_written},
    anchors::{self, NamedAnchor, NamedSelection},
    mentions,
    shown::{self, ShownComment},
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    comment::{Comment, Mention, Mentions},
    event::{
        EventPayload,
        comments::{CommentMentioned, CommentWritten},
    },
    fault::{Issue, Violation},
    id::{CommentId, TeamId},
    page::Page,
    text::CommentText,
};
use octavo_permissions::{Authority, Team, teams::may_see_team};
use octavo_ports::comments::CommentPlace;

/// A thread to be begun.
#[derive(Clone, Debug)]
pub struct NewComment {
    pub selection: Option<NamedSelection>,
    pub body: CommentText,
    /// Whom and what it mentions; by default those that the text mentions by name.
    pub mentions: Option<Vec<Mention>>,
    /// The team of the page, for callers that want to be sure of it.
    pub team: Option<TeamId>,
}

/// Begins a thread on a page on which the caller may comment.
pub async fn create(unit: &mut Unit, named: Draft<NamedAnchor>, draft: Draft<NewComment>) -> AppResult<ShownComment> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let named = match (named, &draft) {
        (Ok(named), _) => named,
        (Err(fault), reported) => {
            unit.claim().await?;
            // The draft reports the flaws of ids among others.
            return Err(reported.as_ref().err().cloned().unwrap_or(fault).into());
        }
    };
    let Some(place) = anchors::place(unit, &caller, &authority, named).await? else {
        unit.claim().await?;
        draft?;
        return Err(Violation::new("pageId", Issue::Required).into());
    };
    let node = anchors::lock(unit, &caller, &authority, &place).await?;
    need(&authority, node.lineage.level(), Level::Comment)?;
    unit.claim().await?;
    let NewComment { selection, body, mentions, team } = draft?;
    check_team(unit, &authority, &node.page, team).await?;
    require_writable(&node.page)?;
    let anchor = place.anchor(unit, &authority, &node.page, selection).await?;
    let mentions = mentions::find(unit, &caller, &authority, &body, mentions, []).await?;
    let now = unit.call.now;
    let comment = Comment {
        id: unit.id(CommentId::new),
        workspace: caller.workspace,
        page: node.page.id,
        anchor,
        body,
        mentions,
        resolution: None,
        reply_count: 0,
        author: caller.author(),
        created_at: now,
        updated_at: now,
    };
    count_written(unit, bytes_of_comment(&comment, comment.mentions.len()))?;
    unit.tx.comments().insert(&comment).await?;
    mentions::record(unit, caller.workspace, &CommentPlace::from(&comment), &comment.mentions, &Mentions::default())
        .await?;
    let seen = SeenComment { comment, node };
    seen.emit(unit, EventPayload::CommentCreated, CommentWritten::from(&seen.comment));
    for mention in seen.comment.mentions.iter() {
        seen.emit(unit, EventPayload::CommentMentioned, CommentMentioned::from(mention));
    }
    shown::one(unit, &authority, seen.comment, false).await
}

/// A thread belongs to the team of its page. A team that the caller may not see does not exist for them.
async fn check_team(unit: &mut Unit, authority: &Authority, page: &Page, team: Option<TeamId>) -> AppResult<()> {
    let Some(id) = team.filter(|team| page.team != Some(*team)) else { return Ok(()) };
    let found = unit.tx.teams().find(page.workspace, id).await?;
    let is_seen = found.is_some_and(|team| may_see_team(authority, Team { id: team.id, is_private: team.is_private }));
    if is_seen {
        return Err(Violation::new("teamId", Issue::InvalidValue).with(id.to_string().into()).into());
    }
    Err(Fault::UnknownId("teamId").into())
}
