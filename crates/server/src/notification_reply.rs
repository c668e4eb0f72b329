//! A notification as its recipient gets it.

use crate::wire::reply;
use octavo_app::notifications::{NotificationActor, ShownNotification};
use octavo_core_model::{
    Timestamp,
    id::{NotificationId, UserId, WorkspaceId},
    notification::{NotificationType, SubjectType},
    text::WebAddress,
};

reply! {
    /// Who did what a notification is about.
    pub(crate) NotificationActorReply {
        /// The account.
        id "id": required UserId,
        /// The name that others see.
        name "name": required String = "Ada",
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

reply! {
    /// What a notification is about.
    pub(crate) NotificationResourceReply {
        /// The type of the thing.
        kind "type": required SubjectType = "comment",
        /// Its id.
        id "id": required String = "cmt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Its title or that of its page; null if the recipient may not view it.
        title "title": nullable String = "Roadmap",
    }
}

reply! {
    /// Where a notification leads.
    pub(crate) DeepLinkReply {
        /// The type of the thing.
        kind "type": required SubjectType = "comment",
        /// Its id.
        id "id": required String = "cmt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// What a user is told.
    pub(crate) NotificationReply {
        /// The id.
        id "id": required NotificationId,
        /// Where it happened; the user need not be a member there.
        workspace_id "workspaceId": required WorkspaceId,
        /// Why the user is told. More types may be added.
        kind "type": required NotificationType = "MENTION",
        /// Who did it; null for the service itself.
        actor "actor": nullable NotificationActorReply,
        /// What it is about.
        resource "resource": nullable NotificationResourceReply,
        /// A title; only with the types `AUTOMATION` and `SYSTEM`.
        title "title": nullable String = null,
        /// The beginning of the text; null if there is none, or if the recipient may not view it now.
        preview "preview": nullable String = "Can you check this, @Ada?",
        /// How many events were folded into it.
        count "count": required i64 = 1,
        /// Where it leads.
        deep_link "deepLink": required DeepLinkReply,
        /// When it was read.
        read_at "readAt": nullable Timestamp = null,
        /// When it was archived.
        archived_at "archivedAt": nullable Timestamp = null,
        /// When the user was first told.
        created_at "createdAt": required Timestamp,
        /// When the last event was folded in.
        updated_at "updatedAt": required Timestamp,
    }
}

impl From<NotificationActor> for NotificationActorReply {
    fn from(actor: NotificationActor) -> Self {
        Self { id: actor.id, name: actor.name, avatar_url: actor.avatar_url }
    }
}

impl From<ShownNotification> for NotificationReply {
    fn from(shown: ShownNotification) -> Self {
        let ShownNotification { notification: told, actor, resource_title, title, preview } = shown;
        let (kind, id) = (told.subject.kind(), told.subject.id());
        Self {
            id: told.id,
            workspace_id: told.workspace,
            kind: told.kind,
            actor: actor.map(NotificationActorReply::from),
            resource: Some(NotificationResourceReply { kind, id: id.clone(), title: resource_title }),
            title,
            preview,
            count: told.count.into(),
            deep_link: DeepLinkReply { kind, id },
            read_at: told.read_at,
            archived_at: told.archived_at,
            created_at: told.created_at,
            updated_at: told.updated_at,
        }
    }
}
