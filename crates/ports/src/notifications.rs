//! Notifications and the preferences of those who get them.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    id::{NotificationId, UserId, WorkspaceId},
    notification::{MailPreferences, Notification, NotificationPlace, NotificationType},
};

/// Which notifications to list.
#[derive(Clone, Debug, Default)]
pub struct NotificationFilter {
    pub workspace: Option<WorkspaceId>,
    /// Only these types; `None` for all.
    pub kinds: Option<Vec<NotificationType>>,
    pub unread: bool,
    /// Those that are archived, or those that are not.
    pub archived: bool,
}

/// Changes of one page or record that are folded.
#[derive(Clone, Copy, Debug)]
pub struct Folding<'a> {
    pub workspace: WorkspaceId,
    pub kind: NotificationType,
    /// The id of what changed.
    pub subject: &'a str,
    /// Users that were told of this action are left out.
    pub action: &'a str,
    /// The users to tell.
    pub users: &'a [UserId],
    /// Only notifications that were created after this time.
    pub since: Timestamp,
    pub now: Timestamp,
}

/// A mail about the notifications of a day that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueDigest {
    pub user: UserId,
    /// When the first of its notifications was created.
    pub since: Timestamp,
    /// When it was taken. What they are told of later belongs to the next one.
    pub until: Timestamp,
    pub due_at: Timestamp,
}

/// The notifications to mark.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    pub workspace: Option<WorkspaceId>,
    /// Only those that were last changed before.
    pub before: Option<Timestamp>,
    /// Whether they are archived too.
    pub archive: bool,
}

#[async_trait]
pub trait NotificationReads: Send {
    async fn find(&mut self, user: UserId, id: NotificationId) -> StoreResult<Option<Notification>>;

    /// A user's notifications, those that changed last first, after the given place.
    async fn list(
        &mut self,
        user: UserId,
        filter: &NotificationFilter,
        before: Option<NotificationPlace>,
        limit: u32,
    ) -> StoreResult<Vec<Notification>>;

    /// How many are neither read nor archived.
    async fn count_unread(&mut self, user: UserId, workspace: Option<WorkspaceId>) -> StoreResult<u64>;

    /// Those of these notifications that belong to these users.
    async fn list_by_id(&mut self, users: &[UserId], ids: &[NotificationId]) -> StoreResult<Vec<Notification>>;

    /// A user's notifications of these types that are neither read nor archived and were created from the first time on
    /// and before the second one, those that changed last first.
    async fn list_unread_between(
        &mut self,
        user: UserId,
        kinds: &[NotificationType],
        since: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Notification>>;

    /// The notifications of these users in a workspace that changed at this time or later, in the order of their changes.
    async fn list_recent(
        &mut self,
        users: &[UserId],
        workspace: WorkspaceId,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Notification>>;

    /// Users whose mail of the day is due, those first that have waited longest.
    async fn list_due_digests(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<UserId>>;

    /// What these users decided about mails; those that decided nothing are skipped.
    async fn list_preferences(&mut self, users: &[UserId]) -> StoreResult<Vec<(UserId, MailPreferences)>>;
}

#[async_trait]
pub trait Notifications: NotificationReads {
    /// Inserts notifications, except to users that were told of the same action. Returns the ids of those inserted.
    async fn insert(&mut self, notifications: &[Notification]) -> StoreResult<Vec<NotificationId>>;

    /// Counts another change in unread notifications about the same thing. Returns the users that have one.
    async fn fold(&mut self, folding: Folding<'_>) -> StoreResult<Vec<UserId>>;

    /// Counts another event in the notifications of these users about an action.
    async fn count_again(
        &mut self,
        users: &[UserId],
        workspace: WorkspaceId,
        action: &str,
        now: Timestamp,
    ) -> StoreResult<()>;

    /// Saves what may change.
    async fn save(&mut self, notification: &Notification) -> StoreResult<()>;

    /// Marks what is unread as read. Returns how many notifications changed.
    async fn mark_all(&mut self, user: UserId, which: Marked, now: Timestamp) -> StoreResult<u64>;

    /// Lets these users have a mail of the day at a time. Those that already wait for one get that, with what they were told
    /// of since this time.
    async fn begin_digests(&mut self, users: &[UserId], since: Timestamp, due_at: Timestamp) -> StoreResult<()>;

    /// Moves the mail of the day of a user that waits for one.
    async fn move_digest(&mut self, user: UserId, due_at: Timestamp) -> StoreResult<()>;

    /// Removes and returns the mail of the day of a user if it is due. Only one caller gets it.
    async fn take_digest(&mut self, user: UserId, now: Timestamp) -> StoreResult<Option<DueDigest>>;

    async fn save_preferences(&mut self, user: UserId, preferences: &MailPreferences) -> StoreResult<()>;
}
