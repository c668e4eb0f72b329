//! Rows of notifications and follows.

use crate::{
    schema::{follows, notifications},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    follow::{Follow, FollowMode, FollowTarget},
    id::{NotificationId, PageId, ReplyId, UserId, WorkspaceId},
    notification::{Notification, StoredSubject, Subject},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = notifications, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(
    user_id,
    id,
    workspace_id,
    kind,
    action,
    last_action,
    actor_id,
    subject_type,
    subject_id,
    node_id,
    reply_id,
    created_at,
    count,
    updated_at
))] // what saving leaves alone: what is folded in meanwhile counts
pub struct NotificationRow {
    user_id: Stored<UserId>,
    id: Stored<NotificationId>,
    workspace_id: Stored<WorkspaceId>,
    kind: String,
    action: String,
    last_action: String,
    actor_id: Option<Stored<UserId>>,
    subject_type: String,
    subject_id: String,
    node_id: Option<Stored<PageId>>,
    reply_id: Option<Stored<ReplyId>>,
    created_at: i64,
    count: i64,
    read_at: Option<i64>,
    archived_at: Option<i64>,
    updated_at: i64,
}

impl From<&Notification> for NotificationRow {
    fn from(told: &Notification) -> Self {
        let subject = told.subject.stored();
        Self {
            user_id: Stored(told.user),
            id: Stored(told.id),
            workspace_id: Stored(told.workspace),
            kind: told.kind.name().to_owned(),
            action: told.action.clone(),
            last_action: told.action.clone(),
            actor_id: told.actor.map(Stored),
            subject_type: subject.kind.name().to_owned(),
            subject_id: subject.id,
            node_id: subject.node.map(Stored),
            reply_id: subject.reply.map(Stored),
            created_at: told.created_at.millis(),
            count: told.count.into(),
            read_at: told.read_at.map(Timestamp::millis),
            archived_at: told.archived_at.map(Timestamp::millis),
            updated_at: told.updated_at.millis(),
        }
    }
}

impl NotificationRow {
    /// The id of the notification.
    pub const fn id(&self) -> Stored<NotificationId> {
        Stored(self.id.0)
    }

    /// `None` if only a newer release knows its type, or what it is about.
    pub fn read(self) -> Option<Notification> {
        let subject = StoredSubject {
            kind: self.subject_type.parse().ok()?,
            id: self.subject_id,
            node: self.node_id.map(|id| id.0),
            reply: self.reply_id.map(|id| id.0),
        };
        Some(Notification {
            id: self.id.0,
            user: self.user_id.0,
            workspace: self.workspace_id.0,
            kind: self.kind.parse().ok()?,
            action: self.action,
            actor: self.actor_id.map(|id| id.0),
            subject: Subject::read(&subject)?,
            count: u32::try_from(self.count).unwrap_or(u32::MAX),
            read_at: self.read_at.map(Timestamp::from_millis),
            archived_at: self.archived_at.map(Timestamp::from_millis),
            created_at: Timestamp::from_millis(self.created_at),
            updated_at: Timestamp::from_millis(self.updated_at),
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = follows, treat_none_as_default_value = false)]
pub struct FollowRow {
    workspace_id: Stored<WorkspaceId>,
    user_id: Stored<UserId>,
    target_id: Stored<FollowTarget>,
    mode: Stored<FollowMode>,
    created_at: i64,
}

impl From<&Follow> for FollowRow {
    fn from(follow: &Follow) -> Self {
        Self {
            workspace_id: Stored(follow.workspace),
            user_id: Stored(follow.user),
            target_id: Stored(follow.target),
            mode: Stored(follow.mode),
            created_at: follow.created_at.millis(),
        }
    }
}

impl From<FollowRow> for Follow {
    fn from(row: FollowRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            user: row.user_id.0,
            target: row.target_id.0,
            mode: row.mode.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
