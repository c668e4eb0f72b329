//! Tokens of signed-in users.

use super::{OtherClaims, TokenRules, Validity, from_seconds, proofs};
use octavo_core_model::{
    Claims, Role, Timestamp,
    id::{SessionId, TokenId, UserId, WorkspaceId},
};
use octavo_ports::access_tokens::TokenFlaw;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The token of a user allows reading and writing; authority itself is read from the store.
const SCOPES: [&str; 2] = ["read", "write"];

#[derive(Serialize)]
struct Written<'a> {
    sub: UserId,
    #[serde(rename = "workspaceId")]
    workspace: WorkspaceId,
    roles: [&'static str; 1],
    scopes: [&'static str; 2],
    jti: TokenId,
    iat: i64,
    exp: i64,
    iss: &'a str,
    aud: &'a str,
    sid: SessionId,
    amr: Vec<&'static str>,
    auth_time: i64,
}

#[derive(Deserialize)]
struct Read<'a> {
    sub: UserId,
    #[serde(rename = "workspaceId")]
    workspace: WorkspaceId,
    #[serde(borrow)]
    roles: [Cow<'a, str>; 1],
    #[serde(borrow)]
    scopes: [Cow<'a, str>; 2],
    jti: TokenId,
    iat: i64,
    exp: i64,
    #[serde(borrow)]
    iss: Cow<'a, str>,
    #[serde(borrow)]
    aud: Cow<'a, str>,
    sid: SessionId,
    #[serde(borrow)]
    amr: Vec<Cow<'a, str>>,
    auth_time: i64,
    #[serde(flatten)]
    _others: OtherClaims,
}

impl TokenRules {
    pub(in crate::tokens) fn login_claims(&self, claims: &Claims) -> impl Serialize {
        Written {
            sub: claims.user,
            workspace: claims.workspace,
            roles: [claims.role.name()],
            scopes: SCOPES,
            jti: claims.id,
            iat: claims.issued_at.seconds(),
            exp: claims.expires_at_seconds(),
            iss: &self.origin,
            aud: &self.origin,
            sid: claims.session,
            amr: claims.proofs.iter().map(|proof| proof.name()).collect(),
            auth_time: claims.authenticated_at.seconds(),
        }
    }

    pub(super) fn check_login_claims(&self, payload: &[u8], now: Timestamp) -> Result<Claims, TokenFlaw> {
        let read: Read<'_> = serde_json::from_slice(payload).map_err(|_| TokenFlaw::Malformed)?;
        let validity = Validity { iss: &read.iss, aud: &read.aud, iat: read.iat, exp: read.exp };
        let issued_at = self.admit(&validity, now)?;
        if read.scopes != SCOPES {
            return Err(TokenFlaw::Malformed);
        }
        let [role] = &read.roles;
        Ok(Claims {
            user: read.sub,
            workspace: read.workspace,
            role: role.parse::<Role>().map_err(|_| TokenFlaw::Malformed)?,
            session: read.sid,
            id: read.jti,
            proofs: proofs(&read.amr)?,
            authenticated_at: from_seconds(read.auth_time)?,
            issued_at,
        })
    }
}
