//! Who a call says it is from.

use crate::route;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use octavo_app::Caller;
use octavo_core_model::{Claims, Timestamp, fault::Unknown};
use octavo_ports::access_tokens::{AccessTokens, TokenFlaw};

/// What the credential of a call amounts to.
#[derive(Debug)]
pub(super) enum Credential {
    /// The route has no use for one, so none was looked at.
    Ignored,
    User(Claims),
    Flawed(Unknown),
}

impl Credential {
    /// Reads the credential a route asks for. `Authorization: Bearer` is the only place where one counts.
    pub(super) fn read(caller: route::Caller, headers: &HeaderMap, tokens: &dyn AccessTokens, now: Timestamp) -> Self {
        match caller {
            route::Caller::Anyone => Self::Ignored,
            route::Caller::SignedIn => match bearer(headers) {
                Err(unknown) => Self::Flawed(unknown),
                Ok(token) => match tokens.read(token, now) {
                    Ok(claims) => Self::User(claims),
                    Err(TokenFlaw::Expired) => Self::Flawed(Unknown::TokenExpired),
                    Err(TokenFlaw::Malformed) => Self::Flawed(Unknown::TokenMalformed),
                },
            },
        }
    }
}

impl Credential {
    /// Whose authority the call has, and what the token said.
    pub(super) fn into_caller(self) -> (Result<Caller, Unknown>, Option<Claims>) {
        match self {
            Self::Ignored => (Ok(Caller::Nobody), None),
            Self::User(claims) => (Ok(Caller::User(claims.clone())), Some(claims)),
            Self::Flawed(unknown) => (Err(unknown), None),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Unknown> {
    let value = headers.get(AUTHORIZATION).ok_or(Unknown::TokenMissing)?;
    let text = value.to_str().map_err(|_| Unknown::TokenMalformed)?;
    let (scheme, token) = text.split_once(' ').ok_or(Unknown::TokenMalformed)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(Unknown::TokenMalformed) }
}
