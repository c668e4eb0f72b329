//! Events about access requests.

use crate::scope::Unit;
use octavo_core_model::{
    access_request::AccessRequest,
    event::{EventPayload, access::AccessRequestEvent},
    page::Page,
};

pub(super) fn created(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    unit.emit(page.workspace, EventPayload::AccessRequestCreated(AccessRequestEvent::new(page, request)));
}

pub(super) fn approved(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    unit.emit(page.workspace, EventPayload::AccessRequestApproved(AccessRequestEvent::new(page, request)));
}

pub(super) fn denied(unit: &mut Unit, page: &Page, request: &AccessRequest) {
    unit.emit(page.workspace, EventPayload::AccessRequestDenied(AccessRequestEvent::new(page, request)));
}
