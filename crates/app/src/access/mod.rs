//! Who is calling, and whether they may.
//!
//! Routes about an account ask for its user. Routes inside a workspace have a [`Door`]: what is asked of everybody who comes in, in the
//! order in which refusals are told (kind of credential, scope, workspace, role).

mod account;
mod denied;
mod door;
mod entry;
mod running;

pub(crate) use account::{
    admit, any_locked_user, any_user, app_with_user, claims, fresh, live_session, locked_user, user_with_workspaces,
};
pub use account::{anybody, user};
pub use door::{AppDoor, Door};
pub use entry::{Entry, Visitor};
pub(crate) use entry::{authority_in_teams, enter, read_again};
pub use running::runs;
