//! The events in the log, described as webhooks: as subscribers will receive them.

use super::payload_schema::schema_of;
use crate::wire::{Documented, Named, pascal_case, reference, reply};
use octavo_core_model::{
    Timestamp,
    event::EventPayload,
    id::{EventId, WorkspaceId},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

reply! {
    /// An event in a workspace.
    pub(super) Event {
        /// The id, which stays the same in every reading and delivery of the event.
        id "id": required EventId,
        /// The number of the event in the log of the workspace, in the order of the changes.
        sequence "sequence": required i64 = 42,
        /// The type of the event.
        kind "type": required String = "workspace.created",
        /// The workspace. Events of an account belong to the user's personal workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// When it happened.
        occurred_at "occurredAt": required Timestamp,
        /// The actor who caused it.
        actor "actor": required EventActor,
        /// The resource that it is about.
        resource "resource": required EventResource,
        /// The page of the resource, if there is one.
        page_id "pageId": nullable String = null,
        /// The database of the resource, if there is one.
        database_id "databaseId": nullable String = null,
        /// The team of the resource, if there is one.
        team_id "teamId": nullable String = null,
        /// The version of the resource after the change, if it has versions.
        version "version": nullable i64 = null,
    }
}

reply! {
    /// The actor of an event.
    pub(super) EventActor {
        /// The kind of actor.
        kind "type": required String
            | ["USER", "API_KEY", "OAUTH_APP", "AUTOMATION", "SCIM", "SYSTEM", "ANONYMOUS"]
            = "USER",
        /// The id; null for the system and for anonymous callers.
        id "id": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// The user that an app acts for.
        on_behalf_of "onBehalfOf": optional String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// The resource that an event is about.
    pub(super) EventResource {
        /// The kind of resource.
        kind "type": required String = "workspace",
        /// Its id.
        id "id": required String = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

/// One entry for each type of event in the log, and a schema for its data.
pub(super) fn webhooks(named: &mut Named) -> Map<String, Value> {
    Event::collect(named);
    let mut by_kind = BTreeMap::<_, Vec<_>>::new();
    for payload in EventPayload::examples() {
        by_kind.entry(payload.kind().name()).or_default().push(payload);
    }
    let mut webhooks = Map::new();
    for (kind, examples) in by_kind {
        // The first example is shown; the schema fits all of them.
        let Some(first) = examples.first() else { continue };
        let data: Vec<_> = examples.iter().map(EventPayload::data).collect();
        let mut schema = schema_of(&data);
        schema["description"] = format!("The data of `{kind}`: {}", first.kind().description()).into();
        // For example `PageCreatedData`.
        let name = format!("{}Data", pascal_case(kind));
        webhooks.insert(kind.to_owned(), json!({ "post": webhook(first, &name) }));
        named.insert(name, schema);
    }
    webhooks
}

fn webhook(example: &EventPayload, data: &str) -> Value {
    let kind = example.kind();
    json!({
        // For example `receivePageCreated`.
        "operationId": format!("receive{}", pascal_case(kind.name())),
        "tags": ["Events"],
        "security": [],
        "summary": kind.name(),
        "description": kind.description(),
        "requestBody": {
            "required": true,
            "content": {
                "application/json": {
                    "schema": {
                        "allOf": [{ "$ref": "#/components/schemas/Event" }],
                        "type": "object",
                        "properties": { "type": { "const": kind.name() }, "data": reference(data) },
                        "required": ["data"],
                    },
                    "example": shown(example),
                },
            },
        },
        "responses": { "2XX": { "description": "The event was taken." } },
    })
}

fn shown(payload: &EventPayload) -> Value {
    let (resource, location) = (payload.resource(), payload.location());
    let mut example = Event::example();
    example["type"] = payload.kind().name().into();
    example["resource"] = json!({ "type": resource.kind(), "id": resource.id() });
    example["pageId"] = json!(location.page);
    example["databaseId"] = json!(location.database);
    example["teamId"] = json!(location.team);
    example["version"] = json!(payload.version());
    example["data"] = payload.data();
    example
}
