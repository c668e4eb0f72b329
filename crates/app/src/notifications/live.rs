//! Notifications that live streams pass on.

use super::shown::{self, ShownNotification};
use crate::{access, outcome::AppResult, scope::View};
use octavo_core_model::{
    id::{NotificationId, UserId, WorkspaceId},
    notification::Notification,
};
use std::time::Duration;

/// Streams look back so far: the time of a notification is that at which its unit began, on the clock of its node.
const LOOKED_BACK: Duration = Duration::from_mins(1);

/// How many notifications one look finds.
const MOST: u32 = 5_000;

/// The caller's notifications of a workspace that changed lately. A stream that begins now passes on later ones.
pub async fn list_known(view: &mut View, workspace: WorkspaceId) -> AppResult<Vec<Notification>> {
    let user = access::user(view).await?;
    list_recent(view, workspace, &[user.id]).await
}

/// The notifications of these users in a workspace that changed lately, in the order of their changes.
pub async fn list_recent(view: &mut View, workspace: WorkspaceId, users: &[UserId]) -> AppResult<Vec<Notification>> {
    let since = view.call.now.minus(LOOKED_BACK);
    Ok(view.tx.notifications().list_recent(users, workspace, since, MOST).await?)
}

/// Some of the caller's notifications, as the caller may see them now.
pub async fn show(view: &mut View, ids: Vec<NotificationId>) -> AppResult<Vec<ShownNotification>> {
    let user = access::user(view).await?;
    let mut found = view.tx.notifications().list_by_id(&[user.id], &ids).await?;
    found.sort_by_key(|told| (told.updated_at, told.id));
    shown::many(view, user.id, found).await
}
