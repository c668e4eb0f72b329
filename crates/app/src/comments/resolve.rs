//! Resolving and reopening threads.

use super::{
    access::{SeenComment, lock, may_manage},
    shown::{self, ShownComment},
};
use crate::{
    access::{RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    page_access::{self, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    comment::Comment,
    event::{EventPayload, comments::CommentState},
    id::CommentId,
};
use octavo_permissions::Authority;

/// Resolves a thread. One that is resolved stays as it is.
pub async fn resolve(unit: &mut Unit, id: Draft<CommentId>) -> AppResult<Comment> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let mut seen = begin(unit, &caller, &authority, &id).await?;
    if seen.comment.resolve(caller.author(), unit.call.now) {
        unit.tx.comments().save(&seen.comment).await?;
        seen.emit(unit, EventPayload::CommentResolved, CommentState::from(&seen.comment));
    }
    Ok(seen.comment)
}

/// Reopens a thread. One that is open stays as it is.
pub async fn reopen(unit: &mut Unit, id: Draft<CommentId>) -> AppResult<ShownComment> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::OWN_PAGES_CHANGE).await?;
    let mut seen = begin(unit, &caller, &authority, &id).await?;
    if seen.comment.reopen(unit.call.now) {
        unit.tx.comments().save(&seen.comment).await?;
        seen.emit(unit, EventPayload::CommentReopened, CommentState::from(&seen.comment));
    }
    shown::one(unit, &authority, seen.comment, false).await
}

/// Locks a thread that the caller began, or that is on a page that the caller may edit.
async fn begin<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    id: &Draft<CommentId>,
) -> AppResult<SeenComment<'a>> {
    let locked = lock(unit, caller, authority, id).await?;
    let Some(seen) = locked else { return Err(unit.absent().await) };
    may_manage(caller, authority, &seen.node, seen.comment.author)?;
    unit.claim().await?;
    require_writable(&seen.node.page)?;
    Ok(seen)
}
