//! Marking notifications as read or archived.

use super::shown::{self, ShownNotification};
use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{Fault, id::NotificationId};
use octavo_ports::notifications::Marked;

/// How to mark a notification; what is `None` stays as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkChange {
    pub read: Option<bool>,
    pub archived: Option<bool>,
}

/// Marks one notification of the caller.
pub async fn mark(
    unit: &mut Unit,
    id: Draft<NotificationId>,
    change: Draft<MarkChange>,
) -> AppResult<ShownNotification> {
    let user = access::locked_user(unit).await?;
    let found = match id {
        Ok(id) => unit.tx.notifications().find(user.id, id).await?,
        Err(_) => None,
    };
    let Some(mut notification) = found else { return Err(unit.absent().await) };
    unit.claim().await?;
    let MarkChange { read, archived } = change?;
    if notification.mark(read, archived, unit.call.now) {
        unit.tx.notifications().save(&notification).await?;
    }
    let shown = shown::many(unit, user.id, vec![notification]).await?.pop();
    shown.ok_or_else(|| Fault::Internal("a notification was shown and is gone").into())
}

/// Marks what is unread as read. Returns how many notifications changed.
pub async fn mark_all(unit: &mut Unit, which: Draft<Marked>) -> AppResult<u64> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    let (which, now) = (which?, unit.call.now);
    Ok(unit.tx.notifications().mark_all(user.id, which, now).await?)
}
