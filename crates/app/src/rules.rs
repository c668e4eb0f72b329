//! What the operator decided.

use octavo_core_model::workspace::{Limit, Limits};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Rules {
    /// Under which the service is known to the outside, without a path.
    pub origin: String,
    pub signup: Signup,
    /// Registering with a known address is answered like with a new one.
    pub conceal_registration: bool,
    /// The longest life of a session, and of what a person granted an app.
    pub session_life: Duration,
    /// How long an app has to exchange a code.
    pub code_life: Duration,
    /// Failed sign-ins for one address in 15 minutes after which unknown networks wait; `None` switches the rule off.
    pub login_failures: Option<u32>,
    pub event_retention: Duration,
    /// The limits of a workspace for which no others were set.
    pub limits: Limits,
    /// How long one job of the compute pool may take, waiting included.
    pub compute_timeout: Duration,
    /// How many workspaces that are not personal a user may own.
    pub owned_workspaces: Limit,
}

/// Who may make an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    Open,
    /// Only who was invited.
    Invite,
    /// Only the operator makes accounts.
    Closed,
}
