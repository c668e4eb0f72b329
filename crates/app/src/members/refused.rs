//! Changes of permissions that were refused.

use crate::{
    audit_entry::NewAuditEntry,
    call::NamedWorkspace,
    outcome::{AppResult, Interrupt},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    event::{Chain, EventType, Resource},
    fault::Denial,
    id::UserId,
};

/// Records in the workspace's trail that somebody tried a change that their role does not allow.
pub(super) fn on_record<T>(unit: &mut Unit, about: Option<UserId>, done: AppResult<T>) -> AppResult<T> {
    match (done, unit.call.path_workspace.and_then(NamedWorkspace::id)) {
        (Err(Interrupt::Fault(fault @ Fault::Forbidden(Denial::RequiresRole(_)))), Some(workspace)) => {
            let target = match about {
                Some(user) => Resource::User(user),
                None => Resource::Workspace(workspace),
            };
            unit.audit(
                NewAuditEntry::new(Chain::Workspace(workspace), EventType::PermissionChanged, target).failed("role"),
            );
            Err(unit.refuse(fault))
        }
        (done, _) => done,
    }
}
