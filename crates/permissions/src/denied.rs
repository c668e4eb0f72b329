//! Why a caller is refused.

use octavo_core_model::{AppScope, KeyScope, Role};

/// Why a caller is refused: the first reason that applies.
///
/// Where a role in the team would do as well as one in the workspace, the one in the workspace is named.
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
    /// The app was not granted the scope that opens this part of the product.
    #[error("needs the scope {0}")]
    NeedsAppScope(AppScope),
    /// No scope of an app reaches this.
    #[error("closed to apps")]
    ClosedToApps,
    /// Only a user can do this, whatever the scope of the key.
    #[error("closed to API keys")]
    ClosedToKeys,
}
