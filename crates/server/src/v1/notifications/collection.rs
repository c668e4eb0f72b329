//! `/notifications`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    notification_reply::NotificationReply,
    route::{Body, Path, Query, RouteReply, routes},
    wire::{Data, Listed, Written, body, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    notifications::{self, MarkChange, NotificationList},
};
use octavo_core_model::{
    Fault, Timestamp,
    id::{NotificationId, WorkspaceId},
    notification::{NotificationPlace, NotificationType},
};
use octavo_ports::notifications::{Marked, NotificationFilter};

query! {
    /// Which notifications to list.
    pub(crate) NotificationsQuery {
        page: NotificationPlace, 20 up to 100;
        /// Only those of this workspace.
        workspace_id "workspaceId": optional WorkspaceId,
        /// Only these types, separated by commas.
        kinds "type": optional Listed<NotificationType>,
        /// Only those that were not read.
        unread "unread": optional bool = true,
        /// Those that were archived, instead of the others.
        archived "archived": optional bool = true,
    }
}

body! {
    /// How to mark a notification. What is left out stays as it is.
    pub(crate) MarkBody {
        example: { "read": true };
        /// Whether it was read.
        read "read": optional bool = true,
        /// Whether it is archived.
        archived "archived": optional bool = true,
    }
}

body! {
    /// Which notifications to mark as read.
    pub(crate) ReadAllBody {
        example: { "before": "2026-11-21T09:30:00.000Z" };
        /// Only those of this workspace.
        workspace_id "workspaceId": optional WorkspaceId,
        /// Only those that last changed before this time.
        before "before": optional Timestamp = "2026-11-21T09:30:00.000Z",
        /// Also archive them; false by default.
        archive "archive": optional bool = true,
    }
}

reply! {
    /// A page of notifications.
    pub(crate) NotificationsReply {
        /// The notifications, those that changed last first.
        data "data": required Vec<NotificationReply>,
        /// Send it as `cursor` to read on; null on the last page.
        next_cursor "nextCursor": nullable String = null,
        /// How many of the workspace, or of all, are neither read nor archived.
        unread_count "unreadCount": required i64 = 3,
    }
}

impl RouteReply for NotificationsReply {}

reply! {
    /// How many notifications were marked.
    pub(crate) MarkedReply {
        /// Those that changed.
        updated "updated": required i64 = 3,
    }
}

routes! {
    /// Lists the caller's notifications.
    ///
    /// Those that changed last first, of every workspace, also of those that the caller does not belong to. Archived ones
    /// are left out unless they are asked for. Titles and previews are null if the caller may not view the thing now.
    GET "/notifications" as listNotifications => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<NotificationsQuery>),
        answers: { 200: NotificationsReply },
        refusals: [],
        events: [],
    }

    /// Marks a notification as read or archived.
    ///
    /// `false` takes a mark back.
    PATCH "/notifications/{notificationId}" as updateNotification => mark {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<NotificationId>, body: Body<MarkBody>),
        answers: { 200: Data<NotificationReply> },
        refusals: [Fault::NotFound],
        events: [],
    }

    /// Marks notifications as read.
    ///
    /// All that are not archived, or those of one workspace or before a time.
    POST "/notifications/read-all" as readAllNotifications => read_all {
        caller: SignedIn,
        limits: [],
        takes: (body: Body<ReadAllBody>),
        answers: { 200: Data<MarkedReply> },
        refusals: [],
        events: [],
    }
}

async fn list(mut dispatcher: Dispatcher, call: Call, query: Draft<NotificationsQuery>) -> Answer {
    let pager = dispatcher.take_pager();
    let wanted = query.map(|query| NotificationList {
        filter: NotificationFilter {
            workspace: query.workspace_id,
            kinds: query.kinds.map(|kinds| kinds.0),
            unread: query.unread.unwrap_or(false),
            archived: query.archived.unwrap_or(false),
        },
        limit: query.page.fetch(),
        before: query.page.after,
    });
    let shape = move |listed: notifications::Listed| {
        let place = |shown: &notifications::ShownNotification| NotificationPlace {
            updated_at: shown.notification.updated_at,
            id: shown.notification.id,
        };
        let (found, next_cursor) = match pager {
            Some(pager) => pager.cut(listed.notifications, place),
            None => (listed.notifications, None),
        };
        let data = found.into_iter().map(NotificationReply::from).collect();
        let unread_count = i64::try_from(listed.unread).unwrap_or(i64::MAX);
        Reply::json(200, &Written(&NotificationsReply { data, next_cursor, unread_count }))
    };
    dispatcher.read(call, move |view| Box::pin(notifications::list(view, wanted)), shape).await
}

async fn mark(dispatcher: Dispatcher, call: Call, id: Draft<NotificationId>, body: Draft<MarkBody>) -> Answer {
    let change = body.map(|body| MarkChange { read: body.read, archived: body.archived });
    let shape = |shown| ok(NotificationReply::from(shown));
    dispatcher.write(call, move |unit| Box::pin(notifications::mark(unit, id, change)), shape).await
}

async fn read_all(dispatcher: Dispatcher, call: Call, body: Draft<ReadAllBody>) -> Answer {
    let which = body.map(|body| Marked {
        workspace: body.workspace_id,
        before: body.before,
        archive: body.archive.unwrap_or(false),
    });
    let shape = |updated: u64| ok(MarkedReply { updated: i64::try_from(updated).unwrap_or(i64::MAX) });
    dispatcher.write(call, move |unit| Box::pin(notifications::mark_all(unit, which)), shape).await
}
