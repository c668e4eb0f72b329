//! Why a caller is refused.

use octavo_core_model::{AppScope, KeyScope, Role};
use std::fmt;

/// Why a caller is refused: the first reason that applies.
///
/// Where a role in the team would do as well as one in the workspace, the one in the workspace is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The caller does not belong to the workspace.
    NotAMember,
    /// The caller's role in the workspace is too low.
    NeedsRole(Role),
    /// The scope of the API key is too low.
    NeedsKeyScope(KeyScope),
    /// The app was not granted the scope that opens this part of the product.
    NeedsAppScope(AppScope),
    /// No scope of an app reaches this.
    ClosedToApps,
    /// Only a user can do this, whatever the scope of the key.
    ClosedToKeys,
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMember => f.write_str("does not belong to the workspace"),
            Self::NeedsRole(role) => write!(f, "needs the role {role}"),
            Self::NeedsKeyScope(scope) => write!(f, "needs a key with the scope {scope}"),
            Self::NeedsAppScope(scope) => write!(f, "needs the scope {scope}"),
            Self::ClosedToApps => f.write_str("closed to apps"),
            Self::ClosedToKeys => f.write_str("closed to API keys"),
        }
    }
}

impl std::error::Error for Denied {}
