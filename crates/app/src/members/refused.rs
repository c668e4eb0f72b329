//! Changes of rights that were refused.

use crate::{
    call::NamedWorkspace,
    engine::{AppResult, Interrupt},
    scope::{NewAuditEntry, Unit},
};
use octavo_core_model::{
    Fault,
    event::{Chain, EventType, Resource},
    fault::Denial,
    id::UserId,
};

/// Keeps a change that the caller's role was too low for in the trail of the workspace: somebody there tried.
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
