//! Tokens of apps, which act for the user who granted them access.

use super::{OtherClaims, TokenRules, Validity, from_seconds, proofs};
use octavo_core_model::{
    AppScope, Timestamp,
    claims::AppClaims,
    id::{ClientId, FamilyId, GrantId, TokenId, UserId},
};
use octavo_ports::access_tokens::TokenFlaw;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Repeats the type from the header, for readers that look at claims only.
const TYPE: &str = "oauth";

#[derive(Serialize)]
struct Written<'a> {
    sub: UserId,
    client_id: ClientId,
    scope: String,
    #[serde(rename = "type")]
    kind: &'static str,
    grant: GrantId,
    family: FamilyId,
    jti: TokenId,
    iat: i64,
    exp: i64,
    iss: &'a str,
    aud: &'a str,
    amr: Vec<&'static str>,
    auth_time: i64,
}

#[derive(Deserialize)]
struct Read<'a> {
    sub: UserId,
    client_id: ClientId,
    #[serde(borrow)]
    scope: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    grant: GrantId,
    family: FamilyId,
    jti: TokenId,
    iat: i64,
    exp: i64,
    #[serde(borrow)]
    iss: Cow<'a, str>,
    #[serde(borrow)]
    aud: Cow<'a, str>,
    #[serde(borrow)]
    amr: Vec<Cow<'a, str>>,
    auth_time: i64,
    #[serde(flatten)]
    _others: OtherClaims,
}

impl TokenRules {
    pub(in crate::tokens) fn app_claims(&self, claims: &AppClaims) -> impl Serialize {
        Written {
            sub: claims.user,
            client_id: claims.client,
            scope: claims.scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(" "),
            kind: TYPE,
            grant: claims.grant,
            family: claims.family,
            jti: claims.id,
            iat: claims.issued_at.seconds(),
            exp: claims.expires_at_seconds(),
            iss: &self.origin,
            aud: &self.origin,
            amr: claims.proofs.iter().map(|proof| proof.name()).collect(),
            auth_time: claims.authenticated_at.seconds(),
        }
    }

    pub(super) fn check_app_claims(&self, payload: &[u8], now: Timestamp) -> Result<AppClaims, TokenFlaw> {
        let read: Read<'_> = serde_json::from_slice(payload).map_err(|_| TokenFlaw::Malformed)?;
        let validity = Validity { iss: &read.iss, aud: &read.aud, iat: read.iat, exp: read.exp };
        let issued_at = self.admit(&validity, now)?;
        if read.kind != TYPE {
            return Err(TokenFlaw::Malformed);
        }
        let scopes = read.scope.split(' ').map(|name| name.parse::<AppScope>().map_err(|_| TokenFlaw::Malformed));
        Ok(AppClaims {
            user: read.sub,
            client: read.client_id,
            grant: read.grant,
            family: read.family,
            scopes: scopes.collect::<Result<_, _>>()?,
            id: read.jti,
            proofs: proofs(&read.amr)?,
            authenticated_at: from_seconds(read.auth_time)?,
            issued_at,
        })
    }
}
