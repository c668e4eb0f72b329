//! A user's notifications.

use super::shown::{self, ShownNotification};
use crate::{
    access,
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::notification::NotificationPlace;
use octavo_ports::notifications::NotificationFilter;

/// Which notifications to list.
#[derive(Clone, Debug, Default)]
pub struct NotificationList {
    pub filter: NotificationFilter,
    pub before: Option<NotificationPlace>,
    pub limit: u32,
}

/// A page of notifications.
#[derive(Clone, Debug)]
pub struct Listed {
    pub notifications: Vec<ShownNotification>,
    /// How many of the workspace, or of all, are neither read nor archived.
    pub unread: u64,
}

/// The caller's notifications of all workspaces, those that changed last first.
pub async fn list(view: &mut View, wanted: Draft<NotificationList>) -> AppResult<Listed> {
    let user = access::user(view).await?;
    let NotificationList { filter, before, limit } = wanted?;
    let found = view.tx.notifications().list(user.id, &filter, before, limit).await?;
    let unread = view.tx.notifications().count_unread(user.id, filter.workspace).await?;
    Ok(Listed { notifications: shown::many(view, user.id, found).await?, unread })
}
