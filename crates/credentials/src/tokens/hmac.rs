//! HS256: one secret signs and verifies.

use super::{
    KeyFlaw, RetiredKey, TokenRules,
    compact::{self, Kind},
};
use octavo_core_model::{Claims, Timestamp, claims::AppClaims};
use octavo_ports::access_tokens::{AccessToken, AccessTokens, TokenFlaw};
use ring::hmac;
use std::fmt;

const ALGORITHM: &str = "HS256";
const MIN_SECRET_BYTES: usize = 32;

/// Access tokens that are signed with a shared secret.
pub struct HmacTokens {
    rules: TokenRules,
    signing: hmac::Key,
    retired: Vec<RetiredKey<hmac::Key>>,
}

impl HmacTokens {
    pub fn new(rules: TokenRules, secret: &[u8], retired: &[RetiredKey<Vec<u8>>]) -> Result<Self, KeyFlaw> {
        let retired = retired.iter().map(|old| {
            let key = key(&old.key)?;
            Ok(RetiredKey { key, verifies_until: old.verifies_until })
        });
        Ok(Self { rules, signing: key(secret)?, retired: retired.collect::<Result<_, _>>()? })
    }

    fn write(&self, kind: Kind, payload: &[u8]) -> String {
        let header = compact::encode(format!(r#"{{"alg":"{ALGORITHM}","typ":"{}"}}"#, kind.name()));
        compact::write(&header, payload, |message| hmac::sign(&self.signing, message).as_ref().to_vec())
    }

    fn is_signed(&self, message: &[u8], signature: &[u8], now: Timestamp) -> bool {
        let older = self.retired.iter().filter(|old| now < old.verifies_until).map(|old| &old.key);
        // `verify` compares in constant time.
        std::iter::once(&self.signing).chain(older).any(|key| hmac::verify(key, message, signature).is_ok())
    }
}

fn key(secret: &[u8]) -> Result<hmac::Key, KeyFlaw> {
    if secret.len() < MIN_SECRET_BYTES {
        return Err(KeyFlaw::ShortSecret);
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, secret))
}

impl AccessTokens for HmacTokens {
    fn sign(&self, claims: &Claims) -> String {
        self.write(Kind::Login, &self.rules.payload(claims))
    }

    fn sign_for_app(&self, claims: &AppClaims) -> String {
        self.write(Kind::App, &self.rules.app_payload(claims))
    }

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw> {
        let parts = compact::Parts::split(token)?;
        let (kind, _) = parts.header(ALGORITHM)?;
        if !self.is_signed(parts.signed.as_bytes(), &parts.signature, now) {
            return Err(TokenFlaw::Malformed);
        }
        self.rules.read(kind, &parts.payload()?, now)
    }

    fn public_keys(&self, _now: Timestamp) -> Vec<serde_json::Value> {
        Vec::new()
    }
}

impl fmt::Debug for HmacTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacTokens").field("rules", &self.rules).finish_non_exhaustive()
    }
}
