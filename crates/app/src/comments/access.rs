//! Threads that a caller may know about.

use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Draft},
    page_access::{
        self,
        lineage::{Visible, need},
    },
    scope::{Scope, Unit},
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Fault, Level,
    comment::{Comment, Mentions, Reply},
    event::{
        EventPayload,
        comments::{OfComment, OnComment},
    },
    id::{CommentId, UserId},
    text::CommentText,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// What a comment takes up besides its text.
const BYTES_OF_COMMENT: u64 = 300;

/// What a mention takes up in a comment or an event.
const BYTES_OF_MENTION: u64 = 60;

/// A thread that the caller may know about, and its page.
#[derive(Clone, Debug)]
pub(super) struct SeenComment<'a> {
    pub(super) comment: Comment,
    pub(super) node: Visible<'a>,
}

/// Finds the thread that a call names, if the caller may see its page.
pub(super) async fn find<'a, T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<CommentId>,
) -> AppResult<Option<SeenComment<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(comment) = scope.tx.comments().find(caller.workspace, *id).await? else { return Ok(None) };
    let node = page_access::lineage::find(scope, caller, authority, &Ok(comment.page)).await?;
    Ok(node.map(|node| SeenComment { comment, node }))
}

/// Locks the thread that a call changes, and its page. `None` if it does not exist. If the caller may not see it, refuses
/// at once: a caller that has lost access must not get an earlier answer replayed.
pub(super) async fn lock<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<CommentId>,
) -> AppResult<Option<SeenComment<'a>>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(comment) = unit.tx.comments().find(caller.workspace, *id).await? else { return Ok(None) };
    // The page is gone if its content is being removed.
    let page = Ok(comment.page);
    let Some(node) = page_access::lock(unit, caller.workspace, authority, &page).await? else { return Ok(None) };
    // It may have been deleted before the page was locked.
    let comment = unit.tx.comments().lock(caller.workspace, *id).await?;
    Ok(comment.map(|comment| SeenComment { comment, node }))
}

impl SeenComment<'_> {
    /// Reports something that happened to the thread.
    pub(super) fn emit<T: OnComment>(&self, unit: &mut Unit, kind: fn(OfComment<T>) -> EventPayload, what: T) {
        let event = OfComment::new(&self.comment, &self.node.page, unit.acting().0.id(), what);
        unit.emit(self.comment.workspace, kind(event));
    }

    /// Reports something that happened to a reply.
    pub(super) fn emit_of<T: OnComment>(
        &self,
        unit: &mut Unit,
        kind: fn(OfComment<T>) -> EventPayload,
        reply: &Reply,
        what: T,
    ) {
        let event = OfComment::new(&self.comment, &self.node.page, unit.acting().0.id(), what);
        unit.emit(self.comment.workspace, kind(event.about(reply.author, &reply.mentions)));
    }
}

/// Whether the caller may resolve or delete what this person wrote: it is their own, or they may edit the page.
pub(super) fn may_manage(
    caller: &WorkspaceCaller,
    authority: &Authority,
    node: &Visible<'_>,
    author: UserId,
) -> Result<(), Fault> {
    if caller.author() == author { Ok(()) } else { need(authority, node.lineage.level(), Level::Edit) }
}

/// Counts bytes among what the caller has written.
pub(super) fn count_written(unit: &mut Unit, bytes: u64) -> AppResult<()> {
    unit.count_written(WrittenSize::of_bytes(bytes))
}

/// What a text takes up, with what it mentions. Its event names the mentions once more.
pub(super) fn bytes_of_text(body: &CommentText, mentions: &Mentions) -> u64 {
    body.as_str().len() as u64 + BYTES_OF_COMMENT + 2 * BYTES_OF_MENTION * mentions.len() as u64
}

/// What a thread takes up, with its events. There is one for each new mention, which names the other mentions too.
pub(super) fn bytes_of_comment(comment: &Comment, new_mentions: usize) -> u64 {
    let quote = comment.anchor.selection().map_or(0, |selection| selection.quote().len() as u64);
    let event = BYTES_OF_COMMENT + 2 * quote + BYTES_OF_MENTION * comment.mentions.len() as u64;
    bytes_of_text(&comment.body, &comment.mentions) + quote + event * (1 + new_mentions as u64)
}
