//! The claims as JSON, and what a signed payload must say to count.

use super::TokenRules;
use octavo_core_model::{
    Claims, Role, Timestamp,
    claims::ACCESS_TOKEN_LIFE,
    id::{SessionId, TokenId, UserId, WorkspaceId},
    session::Proof,
};
use octavo_ports::access_tokens::TokenFlaw;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};
use std::{borrow::Cow, fmt};

/// A login token lets its user read and write; authority itself is read from the store.
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

/// Claims that this release does not know. A later one may add some, so they are ignored, but no name may stand twice.
struct OtherClaims;

impl<'de> Deserialize<'de> for OtherClaims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = OtherClaims;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("claims")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OtherClaims, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                    names.push(name);
                }
                names.sort_unstable();
                if names.array_windows().any(|[one, next]| one == next) {
                    return Err(A::Error::custom("a claim stands twice"));
                }
                Ok(OtherClaims)
            }
        }
        deserializer.deserialize_map(Names)
    }
}

impl TokenRules {
    #[expect(clippy::expect_used, reason = "texts, numbers and lists of them always become JSON")]
    pub(super) fn payload(&self, claims: &Claims) -> Vec<u8> {
        let written = Written {
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
        };
        serde_json::to_vec(&written).expect("claims as JSON")
    }

    /// Judges a payload whose signature was checked.
    pub(super) fn judge(&self, payload: &[u8], now: Timestamp) -> Result<Claims, TokenFlaw> {
        let read: Read<'_> = serde_json::from_slice(payload).map_err(|_| TokenFlaw::Malformed)?;
        let issued_at = from_seconds(read.iat)?;
        let expires_at = from_seconds(read.exp)?;
        let meant_for_us = read.iss == self.origin && read.aud == self.origin && read.scopes == SCOPES;
        let from_the_future = issued_at > now.plus(self.clock_skew);
        if !meant_for_us || from_the_future || expires_at != issued_at.plus(ACCESS_TOKEN_LIFE) {
            return Err(TokenFlaw::Malformed);
        }
        if now >= expires_at.plus(self.clock_skew) {
            return Err(TokenFlaw::Expired);
        }
        let [role] = &read.roles;
        let proofs = read.amr.iter().map(|name| name.parse::<Proof>()).collect::<Result<_, _>>();
        Ok(Claims {
            user: read.sub,
            workspace: read.workspace,
            role: role.parse::<Role>().map_err(|_| TokenFlaw::Malformed)?,
            session: read.sid,
            id: read.jti,
            proofs: proofs.map_err(|_| TokenFlaw::Malformed)?,
            authenticated_at: from_seconds(read.auth_time)?,
            issued_at,
        })
    }
}

fn from_seconds(seconds: i64) -> Result<Timestamp, TokenFlaw> {
    seconds.checked_mul(1000).map(Timestamp::from_millis).ok_or(TokenFlaw::Malformed)
}
