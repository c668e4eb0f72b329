//! Who a call says it is from.

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use octavo_app::Caller;
use octavo_core_model::{Timestamp, fault::Unknown};
use octavo_ports::access_tokens::{AccessTokens, TokenFlaw};

/// Reads the credential of a call. `Authorization: Bearer` is the only place where one counts.
pub(super) fn read(headers: &HeaderMap, tokens: &dyn AccessTokens, now: Timestamp) -> Result<Caller, Unknown> {
    match tokens.read(bearer(headers)?, now) {
        Ok(claims) => Ok(Caller::User(claims)),
        Err(TokenFlaw::Expired) => Err(Unknown::TokenExpired),
        Err(TokenFlaw::Malformed) => Err(Unknown::TokenMalformed),
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Unknown> {
    let value = headers.get(AUTHORIZATION).ok_or(Unknown::TokenMissing)?;
    let text = value.to_str().map_err(|_| Unknown::TokenMalformed)?;
    let (scheme, token) = text.split_once(' ').ok_or(Unknown::TokenMalformed)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(Unknown::TokenMalformed) }
}
