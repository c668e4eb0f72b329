//! What the log and the audit trail tell of share links. Never a token, never a password.

use crate::scope::{Deed, Unit};
use octavo_core_model::{
    Level,
    event::{Chain, EventType, Resource},
    id::UserId,
    page::Page,
    share_link::ShareLink,
};
use serde_json::{Map, Value, json};

/// What a link lets its holders do, by the names of the fields.
const FIELDS: [&str; 6] = ["level", "includeChildren", "password", "expiresAt", "allowDuplicate", "allowIndexing"];

pub(super) fn created(unit: &mut Unit, page: &Page, link: &ShareLink) {
    let changes = FIELDS.map(|field| json!({ "field": field, "from": null, "to": told(link, field) }));
    report(unit, EventType::ShareLinkCreated, page, link, terms(link), changes.into());
}

pub(super) fn updated(unit: &mut Unit, page: &Page, before: &ShareLink, link: &ShareLink, changed: &[&'static str]) {
    let values = |link| changed.iter().map(|field| ((*field).to_owned(), told(link, field))).collect::<Map<_, _>>();
    let mut more = terms(link);
    more["changedFields"] = json!(changed);
    more["before"] = Value::Object(values(before));
    more["after"] = Value::Object(values(link));
    let change = |field: &&str| json!({ "field": field, "from": told(before, field), "to": told(link, field) });
    let entries = changed.iter().map(change).collect();
    report(unit, EventType::ShareLinkUpdated, page, link, more, entries);
}

pub(super) fn revoked(unit: &mut Unit, page: &Page, link: &ShareLink) {
    report(unit, EventType::ShareLinkRevoked, page, link, terms(link), Vec::new());
}

pub(super) fn joined(unit: &mut Unit, page: &Page, link: &ShareLink, user: UserId, level: Level) {
    let more = json!({ "userId": user, "level": level });
    let change = json!({ "field": "level", "from": null, "to": level });
    report(unit, EventType::ShareLinkJoined, page, link, more, vec![change]);
}

fn report(unit: &mut Unit, kind: EventType, page: &Page, link: &ShareLink, more: Value, changes: Vec<Value>) {
    let resource = Resource::new("share_link", link.id);
    let mut details = json!({ "resourceId": page.id, "pageId": page.id, "teamId": page.team });
    if let (Value::Object(details), Value::Object(more)) = (&mut details, more) {
        details.extend(more);
    }
    unit.emit(kind, page.workspace, resource.clone(), details);
    let deed = Deed::new(Chain::Workspace(page.workspace), kind, resource);
    unit.audit(deed.labelled(page.title.as_str()).with_changes(changes));
}

fn terms(link: &ShareLink) -> Value {
    json!({
        "level": link.level,
        "includeChildren": link.include_children,
        "hasPassword": link.password.is_some(),
        "expiresAt": link.expires_at.map(|end| end.to_string()),
        "allowDuplicate": link.allow_duplicate,
        "allowIndexing": link.allow_indexing,
    })
}

/// The value of a field, as far as it is told: of secrets only whether there is one.
fn told(link: &ShareLink, field: &str) -> Value {
    match field {
        "level" => json!(link.level),
        "includeChildren" => json!(link.include_children),
        "password" => json!(link.password.is_some()),
        "expiresAt" => json!(link.expires_at.map(|end| end.to_string())),
        "allowDuplicate" => json!(link.allow_duplicate),
        "allowIndexing" => json!(link.allow_indexing),
        _ => Value::Null,
    }
}
