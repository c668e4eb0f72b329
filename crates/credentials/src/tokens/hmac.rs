//! HS256: one secret signs and verifies.

use super::{
    KeyFlaw, RetiredKey, TokenRules,
    compact::{self, Kind, Parts},
};
use crate::ring_provider;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use octavo_core_model::{Claims, Timestamp, claims::AppClaims};
use octavo_ports::access_tokens::{AccessToken, AccessTokens, TokenFlaw};
use serde::Serialize;
use std::fmt;

const ALGORITHM: Algorithm = Algorithm::HS256;
const MIN_SECRET_BYTES: usize = 32;

/// Access tokens that are signed with a shared secret.
pub struct HmacTokens {
    rules: TokenRules,
    signing: EncodingKey,
    /// The same secret for verifying; it does not expire.
    current: DecodingKey,
    retired: Vec<RetiredKey<DecodingKey>>,
}

impl HmacTokens {
    pub fn new(rules: TokenRules, secret: &[u8], retired: &[RetiredKey<Vec<u8>>]) -> Result<Self, KeyFlaw> {
        ring_provider::install();
        let current = verifying_key(secret)?;
        let retired = retired
            .iter()
            .map(|old| Ok(RetiredKey { key: verifying_key(&old.key)?, verifies_until: old.verifies_until }));
        Ok(Self {
            rules,
            signing: EncodingKey::from_secret(secret),
            current,
            retired: retired.collect::<Result<_, _>>()?,
        })
    }

    fn write(&self, kind: Kind, claims: &impl Serialize) -> String {
        compact::write(kind, None, claims, ALGORITHM, &self.signing)
    }

    /// The keys that verify at `now`.
    fn keys(&self, now: Timestamp) -> impl Iterator<Item = &DecodingKey> {
        let older = self.retired.iter().filter(move |old| now < old.verifies_until).map(|old| &old.key);
        std::iter::once(&self.current).chain(older)
    }
}

fn verifying_key(secret: &[u8]) -> Result<DecodingKey, KeyFlaw> {
    if secret.len() < MIN_SECRET_BYTES {
        return Err(KeyFlaw::ShortSecret);
    }
    Ok(DecodingKey::from_secret(secret))
}

impl AccessTokens for HmacTokens {
    fn sign(&self, claims: &Claims) -> String {
        self.write(Kind::Login, &self.rules.login_claims(claims))
    }

    fn sign_for_app(&self, claims: &AppClaims) -> String {
        self.write(Kind::App, &self.rules.app_claims(claims))
    }

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw> {
        let parts = Parts::split(token)?;
        let (kind, _) = parts.header(ALGORITHM)?;
        if !self.keys(now).any(|key| parts.is_signed_with(key, ALGORITHM)) {
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
