//! The events that go to the log, as subscribers will receive them.

use crate::wire::{Documented, Named, reply};
use octavo_core_model::{
    Timestamp,
    event::{EventType, Reach},
    id::{EventId, WorkspaceId},
};
use serde_json::{Map, Value, json};

reply! {
    /// Something that happened in a workspace.
    pub(super) Event {
        /// The same in every reading and delivery of the event.
        id "id": required EventId,
        /// Its number in the log of the workspace, in the order of the changes.
        sequence "sequence": required i64 = 42,
        /// What kind of event it is.
        kind "type": required String = "workspace.created",
        /// The workspace. Events of an account belong to the user's personal one.
        workspace_id "workspaceId": required WorkspaceId,
        /// When it happened.
        occurred_at "occurredAt": required Timestamp,
        /// Who did it.
        actor "actor": required EventActor,
        /// What it happened to.
        resource "resource": required EventResource,
        /// The page it lies on, where there is one.
        page_id "pageId": nullable String = null,
        /// The database it lies in, where there is one.
        database_id "databaseId": nullable String = null,
        /// The team it belongs to, where there is one.
        team_id "teamId": nullable String = null,
        /// The version of the resource after the change, where it has one.
        version "version": nullable i64 = null,
    }
}

reply! {
    /// Who did something.
    pub(super) EventActor {
        /// `USER`, `API_KEY`, `SYSTEM` or `ANONYMOUS`.
        kind "type": required String = "USER",
        /// The id; null for nobody in particular.
        id "id": nullable String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// What something happened to.
    pub(super) EventResource {
        /// The kind of thing.
        kind "type": required String = "workspace",
        /// Its id.
        id "id": required String = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

const TEAM: &str = "tm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

/// What an event of a type says besides, by example; `None` for those that only stand in the audit trail.
fn details(kind: EventType) -> Option<Value> {
    match kind {
        EventType::JobFailed | EventType::JobSucceeded => Some(json!({ "type": "audit_export" })),
        EventType::UserProfileUpdated => Some(json!({
            "changedFields": ["name"],
            "before": { "name": "Ada Byron" },
            "after": { "name": "Ada Lovelace" },
        })),
        EventType::UserRegistered => {
            Some(json!({ "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "name": "Ada Lovelace" }))
        }
        EventType::WorkspaceDeleted => Some(json!({ "purgeAt": "2026-12-21T09:30:00.000Z" })),
        EventType::WorkspaceCreated => Some(json!({
            "name": "Ada Lovelace's workspace",
            "slug": "ada-lovelace-s-workspace",
            "isPersonal": true,
            "ownerId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        })),
        EventType::PermissionChanged => Some(json!({
            "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "before": { "role": "MEMBER" },
            "after": { "role": "ADMIN" },
        })),
        EventType::WorkspaceInvitationAccepted => {
            Some(json!({ "email": "ada@example.com", "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "role": "MEMBER" }))
        }
        EventType::WorkspaceInvitationRevoked => Some(json!({ "email": "ada@example.com" })),
        EventType::WorkspaceInvitationSent => {
            Some(json!({ "email": "ada@example.com", "role": "MEMBER", "expiresAt": "2026-11-28T09:30:00.000Z" }))
        }
        EventType::WorkspaceMemberUpdated => Some(json!({
            "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "changedFields": ["role"],
            "before": { "role": "OWNER" },
            "after": { "role": "ADMIN" },
            "ownerId": "usr_01KAHQ7M2C4X6V8B0N1Z3Q5W7E",
        })),
        EventType::WorkspaceMemberAdded | EventType::WorkspaceMemberRemoved => {
            Some(json!({ "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "role": "MEMBER" }))
        }
        EventType::WorkspaceSettingsUpdated => Some(json!({
            "changedFields": ["theme"],
            "before": { "theme": "system" },
            "after": { "theme": "dark" },
        })),
        EventType::WorkspaceUpdated => {
            Some(json!({ "changedFields": ["name"], "before": { "name": "Acme" }, "after": { "name": "Acme Inc." } }))
        }
        _ => details_of_team(kind),
    }
}

fn details_of_team(kind: EventType) -> Option<Value> {
    match kind {
        EventType::TeamCreated => Some(json!({
            "teamId": TEAM,
            "name": "Design",
            "slug": "design",
            "isPrivate": false,
        })),
        EventType::TeamDeleted => Some(json!({ "teamId": TEAM, "name": "Design", "unassignedPageCount": 0 })),
        EventType::TeamMemberAdded | EventType::TeamMemberRemoved => {
            Some(json!({ "teamId": TEAM, "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "role": "MEMBER" }))
        }
        EventType::TeamMemberUpdated => Some(json!({
            "teamId": TEAM,
            "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "changedFields": ["role"],
            "before": { "role": "MEMBER" },
            "after": { "role": "ADMIN" },
        })),
        EventType::TeamUpdated => Some(json!({
            "teamId": TEAM,
            "changedFields": ["name"],
            "before": { "name": "Design" },
            "after": { "name": "Product design" },
        })),
        _ => details_of_page(kind),
    }
}

const PAGE: &str = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const VERSION: &str = "pgv_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

fn details_of_page(kind: EventType) -> Option<Value> {
    let page = |more: Value| {
        let mut details = json!({ "pageId": PAGE, "teamId": TEAM, "version": 7 });
        if let (Value::Object(details), Value::Object(more)) = (&mut details, more) {
            details.extend(more);
        }
        Some(details)
    };
    let place = |position: &str| json!({ "parentId": PAGE, "teamId": TEAM, "position": position });
    match kind {
        EventType::BlocksChanged => page(json!({
            "actor": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "workspaceId": "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "changes": [{
                "op": "insert",
                "blockId": "blk_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
                "pageId": PAGE,
                "type": "paragraph",
            }],
        })),
        EventType::PageVersionCreated => page(json!({ "versionId": VERSION, "label": "Before the launch" })),
        EventType::PageVersionRestored => page(json!({
            "versionId": VERSION,
            "pageVersion": 4,
            "restoredBlockIds": ["blk_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"],
            "removedBlockIds": [],
        })),
        EventType::PageCreated => page(json!({ "title": "Roadmap", "parentType": "page", "parentId": PAGE })),
        EventType::PageDeleted => page(json!({ "via": "user", "pageCount": 4 })),
        EventType::PageImported => page(json!({ "title": "Roadmap", "format": "markdown" })),
        EventType::PageMoved => {
            page(json!({ "changedFields": ["position"], "before": place("a1"), "after": place("a2") }))
        }
        EventType::PageRestored => page(json!({ "pageIds": [PAGE], "relocated": false, "parentId": PAGE })),
        EventType::PageTrashed => page(json!({ "pageIds": [PAGE], "trashedCount": 1 })),
        EventType::PageUpdated => page(json!({
            "changedFields": ["title"],
            "before": { "title": "Plan" },
            "after": { "title": "Roadmap" },
        })),
        EventType::AccessRequestApproved | EventType::AccessRequestCreated | EventType::AccessRequestDenied => {
            Some(json!({
                "resourceId": PAGE,
                "pageId": PAGE,
                "teamId": TEAM,
                "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
                "level": "EDIT",
            }))
        }
        _ => details_of_share_link(kind),
    }
}

fn details_of_share_link(kind: EventType) -> Option<Value> {
    let link = |more: Value| {
        let mut details = json!({ "resourceId": PAGE, "pageId": PAGE, "teamId": TEAM });
        if let (Value::Object(details), Value::Object(more)) = (&mut details, more) {
            details.extend(more);
        }
        Some(details)
    };
    let terms = |level: &str| {
        json!({
            "level": level,
            "includeChildren": true,
            "hasPassword": false,
            "expiresAt": null,
            "allowDuplicate": false,
            "allowIndexing": false,
        })
    };
    match kind {
        EventType::ShareLinkCreated | EventType::ShareLinkRevoked => link(terms("VIEW")),
        EventType::ShareLinkJoined => link(json!({ "userId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "level": "COMMENT" })),
        EventType::ShareLinkUpdated => {
            let mut more = terms("COMMENT");
            more["changedFields"] = json!(["level"]);
            more["before"] = json!({ "level": "VIEW" });
            more["after"] = json!({ "level": "COMMENT" });
            link(more)
        }
        // Only those that are delivered are shown; a test names one that has nothing here.
        _ => None,
    }
}

/// One entry for each type of event that goes to the log.
pub(super) fn webhooks(named: &mut Named) -> Map<String, Value> {
    Event::collect(named);
    let logged = EventType::ALL.iter().filter(|kind| kind.reach() != Reach::Audit);
    logged.map(|kind| (kind.name().to_owned(), json!({ "post": webhook(*kind) }))).collect()
}

fn webhook(kind: EventType) -> Value {
    let details = details(kind).unwrap_or_else(|| json!({}));
    let mut example = Event::example();
    example["type"] = kind.name().into();
    example["data"] = details.clone();
    json!({
        "summary": kind.name(),
        "description": kind.description(),
        "requestBody": {
            "required": true,
            "content": {
                "application/json": {
                    "schema": {
                        "allOf": [{ "$ref": "#/components/schemas/Event" }],
                        "type": "object",
                        "properties": { "type": { "const": kind.name() }, "data": schema_of(&details) },
                        "required": ["data"],
                    },
                    "example": example,
                },
            },
        },
        "responses": { "2XX": { "description": "The event was taken." } },
    })
}

/// The schema that an example suggests.
fn schema_of(example: &Value) -> Value {
    match example {
        Value::Object(fields) => {
            let properties: Map<_, _> = fields.iter().map(|(name, value)| (name.clone(), schema_of(value))).collect();
            json!({ "type": "object", "properties": properties })
        }
        Value::Array(items) => json!({ "type": "array", "items": items.first().map_or_else(|| json!({}), schema_of) }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::Null => json!({}),
    }
}
