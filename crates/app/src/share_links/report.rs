//! Events and audit entries about share links. They never contain a token or a password.

use crate::{audit_entry::NewAuditEntry, scope::Unit};
use octavo_core_model::{
    Level,
    event::{
        Chain, EventPayload, FieldChanges, Resource,
        share_links::{OfShareLink, ShareLinkJoined, ShareLinkUpdated},
    },
    id::UserId,
    page::Page,
    share_link::ShareLink,
};
use serde_json::{Map, Value, json};

/// The fields that say what a link allows.
const FIELDS: [&str; 6] = ["level", "includeChildren", "password", "expiresAt", "allowDuplicate", "allowIndexing"];

pub(super) fn created(unit: &mut Unit, page: &Page, link: &ShareLink) {
    let changes = FIELDS.map(|field| json!({ "field": field, "from": null, "to": reported(link, field) }));
    let payload = EventPayload::ShareLinkCreated(OfShareLink::new(page, link, link.into()));
    report(unit, page, link, payload, changes.into());
}

pub(super) fn updated(unit: &mut Unit, page: &Page, before: &ShareLink, link: &ShareLink, changed: &[&'static str]) {
    let values = |link| changed.iter().map(|field| ((*field).to_owned(), reported(link, field))).collect::<Map<_, _>>();
    let fields = FieldChanges { changed_fields: changed.to_vec(), before: values(before), after: values(link) };
    let updated = ShareLinkUpdated { terms: link.into(), changes: fields };
    let change = |field: &&str| json!({ "field": field, "from": reported(before, field), "to": reported(link, field) });
    let entries = changed.iter().map(change).collect();
    report(unit, page, link, EventPayload::ShareLinkUpdated(OfShareLink::new(page, link, updated)), entries);
}

pub(super) fn revoked(unit: &mut Unit, page: &Page, link: &ShareLink) {
    let payload = EventPayload::ShareLinkRevoked(OfShareLink::new(page, link, link.into()));
    report(unit, page, link, payload, Vec::new());
}

pub(super) fn joined(unit: &mut Unit, page: &Page, link: &ShareLink, user: UserId, level: Level) {
    let joined = ShareLinkJoined { user_id: user, level };
    let change = json!({ "field": "level", "from": null, "to": level });
    report(unit, page, link, EventPayload::ShareLinkJoined(OfShareLink::new(page, link, joined)), vec![change]);
}

fn report(unit: &mut Unit, page: &Page, link: &ShareLink, payload: EventPayload, changes: Vec<Value>) {
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(page.workspace), payload.kind(), Resource::ShareLink(link.id));
    unit.emit(page.workspace, payload);
    unit.audit(audit_entry.labelled(page.title.as_str()).with_changes(changes));
}

/// The value of a field as it is reported; for a secret only whether there is one.
fn reported(link: &ShareLink, field: &str) -> Value {
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
