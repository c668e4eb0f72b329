//! Deleting a thread.

use super::access::{lock, may_manage};
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, require_writable},
    scope::Unit,
};
use octavo_core_model::{
    event::{EventPayload, comments::CommentDeleted},
    id::CommentId,
};

/// Deletes a thread with its replies. The caller must be its author or be allowed to edit the page.
pub async fn delete(unit: &mut Unit, id: Draft<CommentId>) -> AppResult<()> {
    let (caller, authority) = page_access::enter(unit, RouteAccess::PAGES_CHANGE_BY_ADMIN_KEYS).await?;
    let locked = lock(unit, &caller, &authority, &id).await?;
    let Some(seen) = locked else { return Err(unit.absent().await) };
    may_manage(&caller, &authority, &seen.node, seen.comment.author)?;
    unit.claim().await?;
    require_writable(&seen.node.page)?;
    unit.only_removes();
    unit.tx.comments().remove(caller.workspace, seen.comment.id).await?;
    seen.emit(unit, EventPayload::CommentDeleted, CommentDeleted::from(&seen.comment));
    Ok(())
}
