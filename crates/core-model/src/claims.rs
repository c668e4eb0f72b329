//! What an access token says. Claims are hints: authority is always read from the store.

use crate::{
    event::Actor,
    id::{ClientId, FamilyId, GrantId, SessionId, TokenId, UserId, WorkspaceId},
    role::Role,
    scope::AppScope,
    session::Proof,
    text::Name,
    time::Timestamp,
};
use std::time::Duration;

/// How long an access token lives.
pub const ACCESS_TOKEN_LIFE: Duration = Duration::from_mins(15);

/// The claims of a login token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The account that acts.
    pub user: UserId,
    /// The workspace the token was minted for.
    pub workspace: WorkspaceId,
    /// The role of the account in that workspace.
    pub role: Role,
    /// The session that the token belongs to.
    pub session: SessionId,
    /// The id of the token.
    pub id: TokenId,
    /// How the session proved who it is.
    pub proofs: Vec<Proof>,
    /// The last interactive proof; refreshing keeps it.
    pub authenticated_at: Timestamp,
    /// When the token was issued.
    pub issued_at: Timestamp,
}

/// The claims of a token that an app got, which acts for a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppClaims {
    /// The account that the app acts for.
    pub user: UserId,
    /// The app.
    pub client: ClientId,
    /// What the user granted the app; the token counts no longer than it.
    pub grant: GrantId,
    /// The tokens it is refreshed with; it counts no longer than they.
    pub family: FamilyId,
    /// The scopes that the token was issued for.
    pub scopes: Vec<AppScope>,
    /// The id of the token.
    pub id: TokenId,
    /// How the session proved who it is in which the user consented.
    pub proofs: Vec<Proof>,
    /// The last interactive proof of that session.
    pub authenticated_at: Timestamp,
    /// When the token was issued.
    pub issued_at: Timestamp,
}

/// An app that acts for a user, by a token that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedApp {
    /// What the token says.
    pub claims: AppClaims,
    /// The name of the app.
    pub name: Name,
    /// The scopes of the token that are still granted.
    pub scopes: Vec<AppScope>,
    /// The workspaces the user lets it into.
    pub workspaces: Vec<WorkspaceId>,
}

impl PresentedApp {
    /// The app, as events name it.
    pub const fn actor(&self) -> Actor {
        Actor::App { client: self.claims.client, user: self.claims.user }
    }
}

impl AppClaims {
    /// Whole seconds, as `exp` has it: exactly 900 s after `iat`.
    pub const fn expires_at_seconds(&self) -> i64 {
        self.issued_at.seconds() + ACCESS_TOKEN_LIFE.as_secs().cast_signed()
    }
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
