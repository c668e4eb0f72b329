//! Settings of the operator that use cases need.

use octavo_core_model::workspace::{Limit, Limits};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Rules {
    /// The origin under which clients reach the service, without a path.
    pub origin: String,
    pub signup: Signup,
    /// Registering with a known address gets the same answer as with a new one. Users sign in with a password only once
    /// their address is verified: signing in right after registering would show that it was new.
    pub conceal_registration: bool,
    /// The longest life of a session, and of what a user granted to an app.
    pub session_life: Duration,
    /// How long an app has to exchange a code.
    pub code_life: Duration,
    /// The number of failed sign-ins for one address in 15 minutes after which sign-ins from unknown networks have to
    /// wait; `None` switches the rule off.
    pub login_failures: Option<u32>,
    pub event_retention: Duration,
    /// The limits of workspaces that have none of their own.
    pub limits: Limits,
    /// How long one job of the compute pool may take, including waiting.
    pub compute_timeout: Duration,
    /// How many workspaces a user may own, not counting the personal one.
    pub owned_workspaces: Limit,
    /// How many bytes the tables of records may take that queries keep in memory.
    pub table_memory: u64,
    /// How many pages a workspace may have, including those in the trash.
    pub pages: Limit,
    /// How many bytes of content a person may write within an hour.
    pub written_bytes: Limit,
}

/// Who may create an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    Open,
    /// Only people who were invited.
    Invite,
    /// Only the operator creates accounts.
    Closed,
}
