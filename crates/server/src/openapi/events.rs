//! The events in the log, described as webhooks: as subscribers will receive them.

use crate::wire::{Documented, Named, pascal_case, reply};
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

/// One entry for each type of event in the log.
pub(super) fn webhooks(named: &mut Named) -> Map<String, Value> {
    Event::collect(named);
    let mut by_kind = BTreeMap::<_, Vec<_>>::new();
    for payload in EventPayload::examples() {
        by_kind.entry(payload.kind().name()).or_default().push(payload);
    }
    by_kind.into_iter().map(|(name, examples)| (name.to_owned(), json!({ "post": webhook(&examples) }))).collect()
}

/// Shows the first example; the schema has the fields of all of them.
fn webhook(examples: &[EventPayload]) -> Value {
    let Some(first) = examples.first() else { return Value::Null };
    let kind = first.kind();
    let schema = examples.iter().map(|payload| schema_of(&payload.data())).reduce(merged).unwrap_or_default();
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
                        "properties": { "type": { "const": kind.name() }, "data": schema },
                        "required": ["data"],
                    },
                    "example": example(first),
                },
            },
        },
        "responses": { "2XX": { "description": "The event was taken." } },
    })
}

fn example(payload: &EventPayload) -> Value {
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

/// Derives a schema from an example.
fn schema_of(example: &Value) -> Value {
    match example {
        Value::Object(fields) => {
            let properties: Map<_, _> = fields.iter().map(|(name, value)| (name.clone(), schema_of(value))).collect();
            json!({ "type": "object", "properties": properties })
        }
        Value::Array(items) => {
            json!({ "type": "array", "items": items.iter().map(schema_of).reduce(merged).unwrap_or_else(|| json!({})) })
        }
        Value::String(_) => json!({ "type": "string" }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::Null => json!({}),
    }
}

/// A schema that accepts what both accept: objects have the fields of both, and any other difference allows any
/// value.
fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (one, other) if one == other => one,
        (Value::Object(mut one), Value::Object(mut other)) if one.get("type") == Some(&json!("object")) => {
            let Some(Value::Object(fields)) = other.remove("properties") else { return json!({}) };
            if let Some(Value::Object(properties)) = one.get_mut("properties") {
                for (name, schema) in fields {
                    let schema = match properties.remove(&name) {
                        Some(known) => merged(known, schema),
                        None => schema,
                    };
                    properties.insert(name, schema);
                }
            }
            Value::Object(one)
        }
        _ => json!({}),
    }
}
