//! Turns refusals of the permission rules into faults.

use crate::outcome::Interrupt;
use octavo_core_model::{Fault, fault::Denial};
use octavo_permissions::Denied;

/// Lets a use case apply a rule with `?`.
impl From<Denied> for Interrupt {
    fn from(denied: Denied) -> Self {
        Fault::Forbidden(match denied {
            Denied::NotAMember => Denial::WorkspaceMismatch,
            Denied::NeedsRole(role) => Denial::RequiresRole(role),
            Denied::NeedsKeyScope(scope) => Denial::KeyScope(scope),
            Denied::NeedsAppScope(scope) => Denial::AppScope(Some(scope)),
            Denied::ClosedToApps => Denial::AppScope(None),
            Denied::ClosedToKeys => Denial::RequiresUser,
        })
        .into()
    }
}
