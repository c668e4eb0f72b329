//! Who a call says it is from.

use crate::{backend::Backend, refusal::Refusal};
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use octavo_app::{Caller, Stop, api_keys::present};
use octavo_core_model::{Fault, Timestamp, api_key::KeyText, fault::Unknown};
use octavo_ports::access_tokens::{AccessTokens, TokenFlaw};
use std::sync::Arc;

/// Reads the credential of a call. `Authorization: Bearer` is the only place where one counts.
///
/// An access token speaks for itself. An API key is looked up, so that the buckets know whose call it is before they judge.
pub(super) async fn read(
    headers: &HeaderMap,
    backend: &Backend,
    now: Timestamp,
) -> Result<Result<Caller, Unknown>, Refusal> {
    let credential = match bearer(headers) {
        Ok(credential) => credential,
        Err(unknown) => return Ok(Err(unknown)),
    };
    if !KeyText::is_meant_by(credential) {
        return Ok(read_token(credential, &*backend.access_tokens(), now));
    }
    match KeyText::parse(credential) {
        Ok(key) => look_up(key, backend, now).await,
        Err(_) => Ok(Err(Unknown::TokenMalformed)),
    }
}

fn read_token(credential: &str, tokens: &dyn AccessTokens, now: Timestamp) -> Result<Caller, Unknown> {
    match tokens.read(credential, now) {
        Ok(claims) => Ok(Caller::User(claims)),
        Err(TokenFlaw::Expired) => Err(Unknown::TokenExpired),
        Err(TokenFlaw::Malformed) => Err(Unknown::TokenMalformed),
    }
}

async fn look_up(key: KeyText, backend: &Backend, now: Timestamp) -> Result<Result<Caller, Unknown>, Refusal> {
    let (engine, known) = (Arc::clone(backend.engine()), Arc::clone(&backend.known_keys));
    match backend.errands.run(async move { present::present(&engine, &known, key, now).await }).await? {
        Ok(found) => Ok(found.map(|presented| Caller::Key(Box::new(presented)))),
        Err(Stop::Fault(fault)) => Err(fault.into()),
        Err(Stop::Replay(_)) => Err(Fault::Internal("a look-up has nothing to replay").into()),
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, Unknown> {
    let value = headers.get(AUTHORIZATION).ok_or(Unknown::TokenMissing)?;
    let text = value.to_str().map_err(|_| Unknown::TokenMalformed)?;
    let (scheme, token) = text.split_once(' ').ok_or(Unknown::TokenMalformed)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(Unknown::TokenMalformed) }
}
