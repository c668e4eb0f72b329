//! What the log tells of access requests. What somebody wrote is for those who decide and not told.

use crate::scope::Unit;
use octavo_core_model::{
    access_request::AccessRequest,
    event::{EventType, Resource},
    page::Page,
};
use serde_json::json;

pub(super) fn created(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    report(unit, EventType::AccessRequestCreated, page, request);
}

pub(super) fn approved(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    report(unit, EventType::AccessRequestApproved, page, request);
}

pub(super) fn denied(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    report(unit, EventType::AccessRequestDenied, page, request);
}

fn report(unit: &mut Unit, kind: EventType, page: &Page, request: &AccessRequest) {
    let details = json!({
        "resourceId": page.id,
        "pageId": page.id,
        "teamId": page.team,
        "userId": request.user,
        "level": request.level,
    });
    unit.emit(kind, page.workspace, Resource::new("access_request", request.id), details);
}
