//! The claims of access tokens. Claims are hints: authority is always read from the store.

use crate::{
    event::Actor,
    id::{ClientId, FamilyId, GrantId, SessionId, TokenId, UserId, WorkspaceId},
    role::Role,
    scope::AppScope,
    session::Proof,
    text::Name,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long an access token is valid.
pub const ACCESS_TOKEN_LIFE: Duration = Duration::from_mins(15);

/// The claims of a login token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The account that acts.
    pub user: UserId,
    /// The workspace that the token was issued for.
    pub workspace: WorkspaceId,
    /// The role of the account in that workspace.
    pub role: Role,
    /// The session that the token belongs to.
    pub session: SessionId,
    /// The id of the token.
    pub id: TokenId,
    /// How the user of the session authenticated.
    pub proofs: Vec<Proof>,
    /// The last interactive proof of identity; a refresh does not change it.
    pub authenticated_at: Timestamp,
    /// When the token was issued.
    pub issued_at: Timestamp,
}

/// The claims of the token of an app that acts for a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppClaims {
    /// The account that the app acts for.
    pub user: UserId,
    /// The app.
    pub client: ClientId,
    /// The user's grant to the app; the token is valid only as long as the grant.
    pub grant: GrantId,
    /// The family of the refresh token; the token is valid only as long as the family.
    pub family: FamilyId,
    /// The scopes that the token was issued for.
    pub scopes: Vec<AppScope>,
    /// The id of the token.
    pub id: TokenId,
    /// How the user authenticated in the session in which they consented.
    pub proofs: Vec<Proof>,
    /// The last interactive proof of identity in that session.
    pub authenticated_at: Timestamp,
    /// When the token was issued.
    pub issued_at: Timestamp,
}

/// An app that acts for a user, with a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedApp {
    /// What the token says.
    pub claims: AppClaims,
    /// The name of the app.
    pub name: Name,
    /// The scopes of the token that are still granted.
    pub scopes: Vec<AppScope>,
    /// The user's workspaces that it may access.
    pub workspaces: Vec<WorkspaceId>,
}

impl PresentedApp {
    /// The app, as events name it.
    pub const fn actor(&self) -> Actor {
        Actor::App { client: self.claims.client, user: self.claims.user }
    }
}

impl AppClaims {
    /// In whole seconds, as in `exp`: exactly 900 s after `iat`.
    pub const fn expires_at_seconds(&self) -> i64 {
        self.issued_at.seconds() + ACCESS_TOKEN_LIFE.as_secs().cast_signed()
    }
}

impl Claims {
    /// Whether the token reaches its workspace only, because the session was opened with an invitation link and
    /// without further proof.
    pub fn is_bound(&self) -> bool {
        self.proofs.contains(&Proof::Invitation)
    }

    /// In whole seconds, as in `exp`: exactly 900 s after `iat`.
    pub const fn expires_at_seconds(&self) -> i64 {
        self.issued_at.seconds() + ACCESS_TOKEN_LIFE.as_secs().cast_signed()
    }
}
