//! Reactions to comments and replies.

use super::access::{SeenComment, count_written, lock};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    comment::{Emoji, Reaction, Reply},
    event::{
        EventPayload,
        comments::{OfComment, ReactionChanged},
    },
    id::{CommentId, ReplyId, UserId},
};

/// What a reaction takes up, with its event.
const BYTES_OF_REACTION: u64 = 600;

/// An emoji, and what it is a reaction to.
#[derive(Clone, Copy, Debug)]
pub struct ReactionTarget {
    pub emoji: Emoji,
    /// The reply; `None` for the comment that begins the thread.
    pub reply: Option<ReplyId>,
}

/// Who reacts to something with an emoji.
#[derive(Clone, Debug)]
pub struct ReactionState {
    pub comment: CommentId,
    pub target: ReactionTarget,
    pub users: Vec<UserId>,
}

/// Reacts to a comment or reply. Nothing changes if the caller has already reacted like this.
pub async fn react(unit: &mut Unit, id: Draft<CommentId>, draft: Draft<ReactionTarget>) -> AppResult<ReactionState> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(seen) = locked else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Comment)?;
    unit.claim().await?;
    let (reaction, reply) = reaction(unit, &caller, &seen, draft?).await?;
    let is_new = unit.tx.comments().insert_reaction(&reaction).await?;
    if is_new {
        count_written(unit, BYTES_OF_REACTION)?;
    }
    let changed = is_new.then_some(EventPayload::CommentReactionAdded as fn(_) -> _);
    state(unit, &seen, &reaction, reply.as_ref(), changed).await
}

/// Takes a reaction back. Nothing changes if the caller has not reacted like this.
pub async fn unreact(unit: &mut Unit, id: Draft<CommentId>, draft: Draft<ReactionTarget>) -> AppResult<ReactionState> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(seen) = locked else { return Err(unit.absent().await) };
    unit.claim().await?;
    let (reaction, reply) = reaction(unit, &caller, &seen, draft?).await?;
    let target = (reaction.comment, reaction.reply);
    let comments = unit.tx.comments();
    let was_there = comments.remove_reaction(caller.workspace, target, reaction.emoji, reaction.user).await?;
    let changed = was_there.then_some(EventPayload::CommentReactionRemoved as fn(_) -> _);
    state(unit, &seen, &reaction, reply.as_ref(), changed).await
}

/// The caller's reaction to something in a thread, and the reply that it is to.
async fn reaction(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    seen: &SeenComment<'_>,
    target: ReactionTarget,
) -> AppResult<(Reaction, Option<Reply>)> {
    let comment = &seen.comment;
    let reply = match target.reply {
        Some(id) => {
            let found = unit.tx.comments().find_reply(caller.workspace, comment.id, id).await?;
            Some(found.ok_or(Fault::UnknownId("replyId"))?)
        }
        None => None,
    };
    require_writable(&seen.node.page)?;
    let reaction = Reaction {
        workspace: caller.workspace,
        comment: comment.id,
        reply: target.reply,
        page: comment.page,
        emoji: target.emoji,
        user: caller.author(),
        created_at: unit.call.now,
    };
    Ok((reaction, reply))
}

/// Who reacts like this now, after reporting the change if there was one.
async fn state(
    unit: &mut Unit,
    seen: &SeenComment<'_>,
    reaction: &Reaction,
    reply: Option<&Reply>,
    changed: Option<fn(OfComment<ReactionChanged>) -> EventPayload>,
) -> AppResult<ReactionState> {
    let target = (reaction.comment, reaction.reply);
    let users = unit.tx.comments().list_reactors(reaction.workspace, target, reaction.emoji).await?;
    if let Some(kind) = changed {
        let what = ReactionChanged::new(reaction, users.len() as u64);
        match reply {
            Some(reply) => seen.emit_of(unit, kind, reply, what),
            None => seen.emit(unit, kind, what),
        }
    }
    let target = ReactionTarget { emoji: reaction.emoji, reply: reaction.reply };
    Ok(ReactionState { comment: reaction.comment, target, users })
}
