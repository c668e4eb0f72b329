//! Who is calling, and what they may do.
//!
//! Routes about an account require its user. Routes inside a workspace have a [`RouteAccess`]: what they require of
//! every caller. Refusals are reported in the order kind of credential, scope, workspace, role.

mod account;
mod denied;
mod locked;
mod route_access;
mod running;
mod workspace_caller;

pub use account::user;
pub(crate) use account::{
    admit, any_locked_user, any_user, app_with_user, claims, fresh, live_session, locked_user, require_live_session,
    user_with_workspaces,
};
pub(crate) use locked::{enter_locked, lock_own};
pub use route_access::{AppRequirement, RouteAccess};
pub use running::runs;
pub use workspace_caller::{CallerKind, WorkspaceCaller, anybody};
pub(crate) use workspace_caller::{authority_in_teams, enter, read_again};
