//! RS256: a private key signs, published public keys verify.

use super::{
    KeyFlaw, RetiredKey, TokenRules,
    compact::{self, Kind, Parts},
};
use crate::ring_provider;
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey,
    jwk::{Jwk, PublicKeyUse, ThumbprintHash},
};
use octavo_core_model::{Claims, Timestamp, claims::AppClaims};
use octavo_ports::access_tokens::{AccessToken, AccessTokens, TokenFlaw};
use ring::rsa::KeyPair;
use rustls_pki_types::{PrivateKeyDer, pem::PemObject};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

const ALGORITHM: Algorithm = Algorithm::RS256;

/// Access tokens that are signed with an RSA key.
pub struct RsaTokens {
    rules: TokenRules,
    signing: EncodingKey,
    /// The public half of the signing key, which is accepted without a time limit.
    current: PublicKey,
    retired: Vec<RetiredKey<PublicKey>>,
}

struct PublicKey {
    /// The RFC 7638 thumbprint, so that the same key has the same id on every node.
    id: String,
    verifying: DecodingKey,
    published: Value,
}

impl RsaTokens {
    /// Accepts private keys in PEM form, PKCS#8 or PKCS#1.
    pub fn new(rules: TokenRules, pem: &[u8], retired: &[RetiredKey<Vec<u8>>]) -> Result<Self, KeyFlaw> {
        ring_provider::install();
        let signing = private_key(pem)?;
        let current = PublicKey::of(&signing)?;
        let retired = retired.iter().map(|old| {
            let key = PublicKey::of(&private_key(&old.key)?)?;
            Ok(RetiredKey { key, verifies_until: old.verifies_until })
        });
        Ok(Self { rules, retired: retired.collect::<Result<_, _>>()?, signing, current })
    }

    fn write(&self, kind: Kind, claims: &impl Serialize) -> String {
        compact::write(kind, Some(&self.current.id), claims, ALGORITHM, &self.signing)
    }

    /// The keys that are accepted at `now`.
    fn public_keys(&self, now: Timestamp) -> impl Iterator<Item = &PublicKey> {
        let older = self.retired.iter().filter(move |old| now < old.verifies_until).map(|old| &old.key);
        std::iter::once(&self.current).chain(older)
    }
}

/// Parses and checks a private key. `EncodingKey` would accept any bytes and fail at the first signature, and reading
/// PEM with the crate would bring four more crates.
fn private_key(pem: &[u8]) -> Result<EncodingKey, KeyFlaw> {
    let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| KeyFlaw::NoPrivateKey)?;
    let pair = match &key {
        PrivateKeyDer::Pkcs8(key) => KeyPair::from_pkcs8(key.secret_pkcs8_der()),
        PrivateKeyDer::Pkcs1(key) => KeyPair::from_der(key.secret_pkcs1_der()),
        _ => return Err(KeyFlaw::NotRsa),
    };
    // The reason is only available as text; a test checks the two texts that matter.
    pair.map_err(|rejected| match rejected.to_string().as_str() {
        "TooSmall" => KeyFlaw::SmallRsa,
        "TooLarge" => KeyFlaw::LargeRsa,
        _ => KeyFlaw::NotRsa,
    })?;
    Ok(EncodingKey::from_rsa_der(key.secret_der()))
}

impl PublicKey {
    fn of(private: &EncodingKey) -> Result<Self, KeyFlaw> {
        Self::try_of(private).map_err(|_| KeyFlaw::NotRsa)
    }

    fn try_of(private: &EncodingKey) -> jsonwebtoken::errors::Result<Self> {
        let mut jwk = Jwk::from_encoding_key(private, ALGORITHM)?;
        let id = jwk.thumbprint(ThumbprintHash::SHA256)?;
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        jwk.common.key_id = Some(id.clone());
        Ok(Self { id, verifying: DecodingKey::from_jwk(&jwk)?, published: serde_json::to_value(&jwk)? })
    }
}

impl AccessTokens for RsaTokens {
    fn sign(&self, claims: &Claims) -> String {
        self.write(Kind::Login, &self.rules.login_claims(claims))
    }

    fn sign_for_app(&self, claims: &AppClaims) -> String {
        self.write(Kind::App, &self.rules.app_claims(claims))
    }

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw> {
        let parts = Parts::split(token)?;
        let (kind, id) = parts.header(ALGORITHM)?;
        let id = id.ok_or(TokenFlaw::Malformed)?;
        let key = self.public_keys(now).find(|key| key.id == id).ok_or(TokenFlaw::Malformed)?;
        if !parts.is_signed_with(&key.verifying, ALGORITHM) {
            return Err(TokenFlaw::Malformed);
        }
        self.rules.read(kind, &parts.payload()?, now)
    }

    fn public_keys(&self, now: Timestamp) -> Vec<Value> {
        self.public_keys(now).map(|key| key.published.clone()).collect()
    }
}

impl fmt::Debug for RsaTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RsaTokens").field("rules", &self.rules).field("kid", &self.current.id).finish_non_exhaustive()
    }
}
