//! Parsing and forging access tokens.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::hmac;
use serde_json::{Value, json};

/// The claims of a token, whoever signed it.
#[track_caller]
pub fn claims(token: &str) -> Value {
    part(token, 1)
}

#[track_caller]
pub fn header(token: &str) -> Value {
    part(token, 0)
}

#[track_caller]
fn part(token: &str, index: usize) -> Value {
    let encoded = token.split('.').nth(index).unwrap_or_else(|| panic!("{token} has no part {index}"));
    let bytes = URL_SAFE_NO_PAD.decode(encoded).unwrap_or_else(|fault| panic!("{token}: {fault}"));
    serde_json::from_slice(&bytes).unwrap_or_else(|fault| panic!("{token}: {fault}"))
}

/// A token with an HS256 signature.
pub fn signed(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = message(header, claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A token as the deployment with this secret would sign it.
pub fn hs256(claims: &Value, secret: &[u8]) -> String {
    signed(&json!({ "alg": "HS256", "typ": "JWT" }), claims, secret)
}

/// The part of a token that is signed.
pub fn message(header: &Value, claims: &Value) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", encode(header), encode(claims))
}
