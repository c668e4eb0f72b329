//! What an access token says. Claims are hints: authority is always read from the store.

use crate::{
    id::{SessionId, TokenId, UserId, WorkspaceId},
    role::Role,
    session::Proof,
    time::Timestamp,
};
use std::time::Duration;

/// How long an access token lives.
pub const ACCESS_TOKEN_LIFE: Duration = Duration::from_mins(15);

/// The claims of a login token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    pub user: UserId,
    /// The workspace the token was minted for.
    pub workspace: WorkspaceId,
    pub role: Role,
    pub session: SessionId,
    pub id: TokenId,
    /// How the session proved who it is.
    pub proofs: Vec<Proof>,
    /// The last interactive proof; refreshing keeps it.
    pub authenticated_at: Timestamp,
    pub issued_at: Timestamp,
}

impl Claims {
    /// Whether the token reaches its workspace only: an invitation link stands for an account without having proved more.
    pub fn is_bound(&self) -> bool {
        self.proofs.contains(&Proof::Invitation)
    }

    /// Whole seconds, as `exp` has it: exactly 900 s after `iat`.
    pub const fn expires_at_seconds(&self) -> i64 {
        self.issued_at.seconds() + ACCESS_TOKEN_LIFE.as_secs().cast_signed()
    }
}
