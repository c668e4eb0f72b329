//! The frames of a stream (server-sent events).

use super::close_reason::CloseReason;
use crate::{event_reply::EventReply, notification_reply::NotificationReply, wire::Written};
use actix_web::web::Bytes;
use octavo_app::{events::ReadEvent, notifications::ShownNotification};
use octavo_core_model::presence::Presence;
use serde_json::json;

/// How long a client waits before it connects again.
pub(super) const RETRY: Bytes = Bytes::from_static(b"retry: 3000\n\n");

pub(super) const HEARTBEAT: Bytes = Bytes::from_static(b"event: heartbeat\ndata: {}\n\n");

/// Tells the client that events are missing.
pub(super) const RESET: Bytes = Bytes::from_static(b"event: reset\ndata: {\"reason\":\"history_lost\"}\n\n");

pub(super) fn close(reason: CloseReason) -> Bytes {
    format!("event: close\ndata: {{\"reason\":\"{}\"}}\n\n", reason.name()).into()
}

/// An event of the log. Its data is one line, because JSON has no line breaks.
pub(super) fn of_event(event: &ReadEvent) -> Bytes {
    let (id, kind) = (event.logged.id, event.logged.kind.clone());
    // Plain data with text keys: writing it cannot fail.
    let data = serde_json::to_string(&Written(&EventReply::from(event.clone()))).unwrap_or_default();
    format!("id: {id}\nevent: {kind}\ndata: {data}\n\n").into()
}

/// A notification that is new or has changed.
pub(super) fn of_notification(shown: ShownNotification) -> Bytes {
    // Plain data with text keys: writing it cannot fail.
    let data = serde_json::to_string(&Written(&NotificationReply::from(shown))).unwrap_or_default();
    format!("event: notification.upserted\ndata: {data}\n\n").into()
}

/// Where on a page somebody is.
pub(super) fn of_presence(presence: &Presence) -> Bytes {
    let Presence { page, user, name, avatar_url, block, offset, state, .. } = presence;
    let user = json!({ "id": user, "name": name, "avatarUrl": avatar_url });
    let data = json!({ "pageId": page, "user": user, "blockId": block, "offset": offset, "state": state });
    format!("event: presence.updated\ndata: {data}\n\n").into()
}
