//! Replies.

use super::{
    access::{bytes_of_text, count_written, lock, may_manage},
    mentions,
    shown::{self, ShownReply},
};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, lineage::need, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Level,
    comment::{Comment, Mention, Mentions, Reply},
    event::{
        EventPayload, MAX_LISTED,
        comments::{ReplyCreated, ReplyDeleted},
    },
    fault::Conflict,
    id::{CommentId, ReplyId, UserId},
    text::CommentText,
};
use octavo_ports::comments::CommentPlace;
use std::collections::BTreeSet;

/// A reply to be written.
#[derive(Clone, Debug)]
pub struct NewReply {
    pub body: CommentText,
    /// As in [`NewComment`](super::NewComment).
    pub mentions: Option<Vec<Mention>>,
}

/// Adds a reply to a thread. A resolved thread stays resolved.
pub async fn reply(unit: &mut Unit, id: Draft<CommentId>, draft: Draft<NewReply>) -> AppResult<ShownReply> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::PAGES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(mut seen) = locked else { return Err(unit.absent().await) };
    need(&authority, seen.node.lineage.level(), Level::Comment)?;
    unit.claim().await?;
    let NewReply { body, mentions } = draft?;
    require_writable(&seen.node.page)?;
    if seen.comment.reply_count >= Comment::MOST_REPLIES {
        return Err(Conflict::LimitReached(Comment::MOST_REPLIES).into());
    }
    let mentions = mentions::find(unit, &caller, &authority, &body, mentions, []).await?;
    let reply = Reply {
        id: unit.id(ReplyId::new),
        workspace: caller.workspace,
        comment: seen.comment.id,
        page: seen.comment.page,
        body,
        mentions,
        author: caller.author(),
        created_at: unit.call.now,
    };
    count_written(unit, bytes_of_text(&reply.body, &reply.mentions))?;
    unit.tx.comments().insert_reply(&reply).await?;
    mentions::record(unit, caller.workspace, &CommentPlace::from(&reply), &reply.mentions, &Mentions::default())
        .await?;
    seen.comment.reply_count += 1;
    unit.tx.comments().save(&seen.comment).await?;
    let participants = participants(unit, &seen.comment).await?;
    let what = ReplyCreated::new(&seen.comment, &reply, participants);
    seen.emit_of(unit, EventPayload::CommentReplyCreated, &reply, what);
    shown::reply(unit, &authority, reply).await
}

/// The people that have written in a thread, beginning with its author.
async fn participants(unit: &mut Unit, comment: &Comment) -> AppResult<Vec<UserId>> {
    let limit = u32::try_from(MAX_LISTED).unwrap_or(u32::MAX);
    let repliers = unit.tx.comments().list_repliers(comment.workspace, comment.id, limit).await?;
    let others: BTreeSet<_> = repliers.into_iter().filter(|user| *user != comment.author).collect();
    Ok([comment.author].into_iter().chain(others).collect())
}

/// Deletes a reply. The caller must be its author or be allowed to edit the page.
pub async fn delete_reply(unit: &mut Unit, id: Draft<CommentId>, reply: Draft<ReplyId>) -> AppResult<()> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(mut seen) = locked else { return Err(unit.absent().await) };
    let found = match reply {
        Ok(reply) => unit.tx.comments().find_reply(caller.workspace, seen.comment.id, reply).await?,
        Err(_) => None,
    };
    let Some(reply) = found else { return Err(unit.absent().await) };
    may_manage(&caller, &authority, &seen.node, reply.author)?;
    unit.claim().await?;
    require_writable(&seen.node.page)?;
    unit.only_removes();
    unit.tx.comments().remove_reply(caller.workspace, seen.comment.id, reply.id).await?;
    seen.comment.reply_count =
        seen.comment.reply_count.checked_sub(1).ok_or(Fault::Internal("a reply was not counted"))?;
    unit.tx.comments().save(&seen.comment).await?;
    let what = ReplyDeleted::new(&seen.comment, &reply);
    seen.emit_of(unit, EventPayload::CommentReplyDeleted, &reply, what);
    Ok(())
}
