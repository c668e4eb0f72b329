//! An event as it is shown, and the types by which it is found.

use crate::wire::{Documented, Json, Readable, reply};
use octavo_app::events::ReadEvent;
use octavo_core_model::{
    Timestamp,
    event::EventPattern,
    fault::Issue,
    id::{EventId, UserId, WorkspaceId},
};
use serde_json::{Value, json};

/// Types of events, separated by commas.
#[derive(Clone, Debug)]
pub(crate) struct Types(pub(crate) Vec<EventPattern>);

impl Documented for Types {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[a-z0-9_]+\\.([a-z0-9_]+|\\*)(,[a-z0-9_]+\\.([a-z0-9_]+|\\*))*$" })
    }

    fn example() -> Value {
        "workspace.updated,user.*".into()
    }
}

impl Readable for Types {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        text.split(',')
            .map(|part| part.trim().parse().map_err(|_| Issue::InvalidFormat))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

reply! {
    /// An event in a workspace.
    pub(crate) EventReply {
        /// The id, which stays the same in every reading and delivery of the event.
        id "id": required EventId,
        /// The number of the event in the workspace, in the order of commits; there may be gaps.
        sequence "sequence": required i64 = 17,
        /// The type of the event.
        kind "type": required String = "workspace.updated",
        /// The workspace of the event.
        workspace_id "workspaceId": required WorkspaceId,
        /// When it happened.
        occurred_at "occurredAt": required Timestamp,
        /// The actor who caused it.
        actor "actor": required EventActorReply,
        /// The resource that changed.
        resource "resource": required EventResourceReply,
        /// The page of the resource, if there is one.
        page_id "pageId": nullable String = null,
        /// The database of the resource, if there is one.
        database_id "databaseId": nullable String = null,
        /// The team of the resource, if there is one.
        team_id "teamId": nullable String = null,
        /// The version of the resource after the change, if it has versions.
        version "version": nullable i64 = null,
        /// The payload. The schema for each type of event is named after it: `PageCreatedData` for `page.created`.
        data "data": required Json = { "changedFields": ["name"], "before": { "name": "Acme" }, "after": { "name": "Acme Inc." } },
    }
}

reply! {
    /// The actor of an event.
    pub(crate) EventActorReply {
        /// The kind of actor.
        kind "type": required String
            | ["USER", "API_KEY", "OAUTH_APP", "AUTOMATION", "SCIM", "SYSTEM", "ANONYMOUS"]
            = "USER",
        /// The id; null for the system and for anonymous callers.
        id "id": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The user that an app acts for.
        on_behalf_of "onBehalfOf": optional UserId,
    }
}

reply! {
    /// The resource that changed.
    pub(crate) EventResourceReply {
        /// The kind of resource.
        kind "type": required String = "workspace",
        /// Its id.
        id "id": required String = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

impl From<ReadEvent> for EventReply {
    fn from(ReadEvent { logged: event, data }: ReadEvent) -> Self {
        let (kind, id) = (event.actor_type, event.actor_id);
        Self {
            id: event.id,
            sequence: event.sequence,
            kind: event.kind,
            workspace_id: event.workspace,
            occurred_at: event.occurred_at,
            actor: EventActorReply { kind, id, on_behalf_of: event.on_behalf_of },
            resource: EventResourceReply { kind: event.resource_type, id: event.resource_id },
            page_id: event.location.page.map(|id| id.to_string()),
            database_id: event.location.database.map(|id| id.to_string()),
            team_id: event.location.team.map(|id| id.to_string()),
            version: event.version,
            data: Json(data),
        }
    }
}
