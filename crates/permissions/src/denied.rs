//! Why a caller is refused.

use octavo_core_model::{AppScope, KeyScope, Role};

/// Why a caller is refused: the first reason that applies.
///
/// If either a role in the team or one in the workspace would be enough, the reason names the one in the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The caller does not belong to the workspace.
    #[error("does not belong to the workspace")]
    NotAMember,
    /// The caller's role in the workspace is too low.
    #[error("needs the role {0}")]
    NeedsRole(Role),
    /// The scope of the API key is too low.
    #[error("needs a key with the scope {0}")]
    NeedsKeyScope(KeyScope),
    /// The app was not granted the scope that opens this area.
    #[error("needs the scope {0}")]
    NeedsAppScope(AppScope),
    /// No app scope allows this.
    #[error("closed to apps")]
    ClosedToApps,
    /// Only users can do this; no scope of a key allows it.
    #[error("closed to API keys")]
    ClosedToKeys,
}
