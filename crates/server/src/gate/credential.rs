//! The credential of a call.

use crate::{backend::Backend, refusal::Refusal};
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use octavo_app::{AppResult, Caller, Interrupt, access, api_keys, oauth};
use octavo_core_model::{Fault, Timestamp, api_key::KeyText, claims::AppClaims, fault::Unknown, id::WorkspaceId};
use octavo_ports::access_tokens::{AccessToken, TokenFlaw};
use std::sync::Arc;

/// Reads the credential of a call. It must be in `Authorization: Bearer`.
///
/// The access token of a user is checked without the store. An API key is looked up, because the rate limits depend
/// on it; and so is the token of an app, because the grant behind it may be gone.
pub(super) async fn read(
    headers: &HeaderMap,
    backend: &Backend,
    now: Timestamp,
) -> Result<Result<Caller, Unknown>, Refusal> {
    let credential = match bearer(headers) {
        Ok(credential) => credential,
        Err(unknown) => return Ok(Err(unknown)),
    };
    if KeyText::is_meant_by(credential) {
        return match KeyText::parse(credential) {
            Ok(key) => look_up_key(key, backend, now).await,
            Err(_) => Ok(Err(Unknown::TokenMalformed)),
        };
    }
    match backend.access_tokens().read(credential, now) {
        Ok(AccessToken::Login(claims)) => Ok(Ok(Caller::User(claims))),
        Ok(AccessToken::App(claims)) => look_up_app(claims, backend, now).await,
        Err(TokenFlaw::Expired) => Ok(Err(Unknown::TokenExpired)),
        Err(TokenFlaw::Malformed) => Ok(Err(Unknown::TokenMalformed)),
    }
}

async fn look_up_key(key: KeyText, backend: &Backend, now: Timestamp) -> Result<Result<Caller, Unknown>, Refusal> {
    let (engine, known) = (Arc::clone(backend.engine()), Arc::clone(&backend.known_keys));
    let found =
        backend.executor.run(async move { api_keys::present::present(&engine, &known, key, now).await }).await?;
    Ok(answered(found)?.map(|presented| Caller::Key(Box::new(presented))))
}

async fn look_up_app(claims: AppClaims, backend: &Backend, now: Timestamp) -> Result<Result<Caller, Unknown>, Refusal> {
    let engine = Arc::clone(backend.engine());
    let found = backend.executor.run(async move { oauth::presented::present(&engine, claims, now).await }).await?;
    Ok(answered(found)?.map(|presented| Caller::App(Box::new(presented))))
}

/// Whether a caller runs a workspace: as one of its owners or admins, or with a key of theirs.
pub(super) async fn runs(
    caller: &Caller,
    workspace: WorkspaceId,
    backend: &Backend,
    now: Timestamp,
) -> Result<bool, Refusal> {
    let (engine, caller) = (Arc::clone(backend.engine()), caller.clone());
    let found = backend.executor.run(async move { access::runs(&engine, &caller, workspace, now).await }).await?;
    answered(found)
}

pub(super) fn answered<T>(found: AppResult<T>) -> Result<T, Refusal> {
    match found {
        Ok(found) => Ok(found),
        Err(Interrupt::Fault(fault)) => Err(fault.into()),
        Err(Interrupt::Replay(_)) => Err(Fault::Internal("a look-up has nothing to replay").into()),
    }
}

/// The token in the header. An empty header, or `Bearer` without a token, is no credential (RFC 6750, 3.1).
fn bearer(headers: &HeaderMap) -> Result<&str, Unknown> {
    let value = headers.get(AUTHORIZATION).ok_or(Unknown::TokenMissing)?;
    let text = value.to_str().map_err(|_| Unknown::TokenMalformed)?.trim();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    match token.trim() {
        "" if is_bearer || scheme.is_empty() => Err(Unknown::TokenMissing),
        token if is_bearer => Ok(token),
        _ => Err(Unknown::TokenMalformed),
    }
}
