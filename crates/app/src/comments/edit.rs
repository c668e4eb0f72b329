//! Editing the comment that begins a thread.

use super::{
    access::{bytes_of_comment, count_written, lock},
    mentions,
    shown::{self, ShownComment},
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    comment::{Mention, Mentions},
    event::{
        EventPayload,
        comments::{CommentMentioned, CommentWritten},
    },
    fault::Denial,
    id::CommentId,
    text::CommentText,
};
use octavo_ports::comments::CommentPlace;

/// A change of a comment; what is `None` stays as it is.
#[derive(Clone, Debug)]
pub struct CommentEdit {
    pub body: Option<CommentText>,
    /// Whom and what it mentions. If only the text changes, it is read for names again, and what was mentioned by id stays.
    pub mentions: Option<Vec<Mention>>,
}

/// Edits a comment. The caller must be its author, or an owner or admin who does not act through an app.
pub async fn edit(unit: &mut Unit, id: Draft<CommentId>, draft: Draft<CommentEdit>) -> AppResult<ShownComment> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(mut seen) = locked else { return Err(unit.absent().await) };
    if caller.author() != seen.comment.author && !caller.is_in_charge() {
        return Err(Fault::Forbidden(Denial::NotAuthor).into());
    }
    unit.claim().await?;
    let CommentEdit { body, mentions } = draft?;
    require_writable(&seen.node.page)?;
    let before = seen.comment.mentions.clone();
    let text = body.as_ref().unwrap_or(&seen.comment.body).clone();
    let mentions = if body.is_none() && mentions.is_none() {
        before.clone()
    } else {
        let named_by_id = before.iter().filter(|mention| !mention.has_token());
        mentions::find(unit, &caller, &authority, &text, mentions, named_by_id).await?
    };
    if !seen.comment.edit(text, mentions, unit.call.now) {
        return shown::one(unit, &authority, seen.comment, false).await;
    }
    let added = newly_mentioned(&seen.comment.mentions, &before);
    count_written(unit, bytes_of_comment(&seen.comment, added.len()))?;
    unit.tx.comments().save(&seen.comment).await?;
    let place = CommentPlace::from(&seen.comment);
    mentions::record(unit, caller.workspace, &place, &seen.comment.mentions, &before).await?;
    seen.emit(unit, EventPayload::CommentUpdated, CommentWritten::from(&seen.comment));
    for mention in added {
        seen.emit(unit, EventPayload::CommentMentioned, CommentMentioned::from(mention));
    }
    shown::one(unit, &authority, seen.comment, false).await
}

/// What was not mentioned before. Somebody who was no member then is the same person.
fn newly_mentioned(now: &Mentions, before: &Mentions) -> Vec<Mention> {
    let is_known =
        |mention: &Mention| mention.user().is_some_and(|user| before.iter().any(|old| old.user() == Some(user)));
    now.new_since(before).filter(|mention| !is_known(mention)).collect()
}
