//! RS256: a private key signs, published public keys verify.

use super::{
    KeyFlaw, RetiredKey, TokenRules,
    compact::{self, Kind},
};
use octavo_core_model::{Claims, Timestamp, claims::AppClaims};
use octavo_ports::access_tokens::{AccessToken, AccessTokens, TokenFlaw};
use ring::{
    digest,
    rand::SystemRandom,
    rsa::{KeyPair, PublicKeyComponents},
    signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaPublicKeyComponents},
};
use rustls_pki_types::{PrivateKeyDer, pem::PemObject};
use serde_json::{Value, json};
use std::fmt;

const ALGORITHM: &str = "RS256";

/// Access tokens that are signed with an RSA key.
pub struct RsaTokens {
    rules: TokenRules,
    signing: KeyPair,
    /// The public half of the signing key, which is accepted without a time limit.
    current: PublicKey,
    retired: Vec<RetiredKey<PublicKey>>,
}

struct PublicKey {
    /// The RFC 7638 thumbprint, so that the same key has the same id on every node.
    id: String,
    modulus: Vec<u8>,
    exponent: Vec<u8>,
}

impl RsaTokens {
    /// Accepts private keys in PEM form, PKCS#8 or PKCS#1.
    pub fn new(rules: TokenRules, pem: &[u8], retired: &[RetiredKey<Vec<u8>>]) -> Result<Self, KeyFlaw> {
        let signing = key_pair(pem)?;
        let current = PublicKey::of(&signing);
        let retired = retired.iter().map(|old| {
            let key = PublicKey::of(&key_pair(&old.key)?);
            Ok(RetiredKey { key, verifies_until: old.verifies_until })
        });
        Ok(Self { rules, retired: retired.collect::<Result<_, _>>()?, signing, current })
    }

    #[expect(clippy::expect_used, reason = "signing fails only into a buffer of the wrong length")]
    fn write(&self, kind: Kind, payload: &[u8]) -> String {
        let header = format!(r#"{{"alg":"{ALGORITHM}","typ":"{}","kid":"{}"}}"#, kind.name(), self.current.id);
        compact::write(&compact::encode(header), payload, |message| {
            let mut signature = vec![0; self.signing.public().modulus_len()];
            self.signing
                .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature)
                .expect("a signature as long as the modulus");
            signature
        })
    }

    /// The keys that are accepted at `now`.
    fn public_keys(&self, now: Timestamp) -> impl Iterator<Item = &PublicKey> {
        let older = self.retired.iter().filter(move |old| now < old.verifies_until).map(|old| &old.key);
        std::iter::once(&self.current).chain(older)
    }
}

fn key_pair(pem: &[u8]) -> Result<KeyPair, KeyFlaw> {
    let key = match PrivateKeyDer::from_pem_slice(pem).map_err(|_| KeyFlaw::NoPrivateKey)? {
        PrivateKeyDer::Pkcs8(key) => KeyPair::from_pkcs8(key.secret_pkcs8_der()),
        PrivateKeyDer::Pkcs1(key) => KeyPair::from_der(key.secret_pkcs1_der()),
        _ => return Err(KeyFlaw::NotRsa),
    };
    // The reason is only available as text; a test checks the two texts that matter.
    key.map_err(|rejected| match rejected.to_string().as_str() {
        "TooSmall" => KeyFlaw::SmallRsa,
        "TooLarge" => KeyFlaw::LargeRsa,
        _ => KeyFlaw::NotRsa,
    })
}

impl PublicKey {
    fn of(pair: &KeyPair) -> Self {
        let PublicKeyComponents { n: modulus, e: exponent } = PublicKeyComponents::<Vec<u8>>::from(pair.public());
        // The members that define the key, ordered by name, without spaces, as RFC 7638 requires.
        let named =
            format!(r#"{{"e":"{}","kty":"RSA","n":"{}"}}"#, compact::encode(&exponent), compact::encode(&modulus));
        let id = compact::encode(digest::digest(&digest::SHA256, named.as_bytes()));
        Self { id, modulus, exponent }
    }

    fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        RsaPublicKeyComponents { n: &self.modulus, e: &self.exponent }
            .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            .is_ok()
    }

    fn jwk(&self) -> Value {
        json!({
            "kty": "RSA",
            "use": "sig",
            "alg": ALGORITHM,
            "kid": self.id,
            "n": compact::encode(&self.modulus),
            "e": compact::encode(&self.exponent),
        })
    }
}

impl AccessTokens for RsaTokens {
    fn sign(&self, claims: &Claims) -> String {
        self.write(Kind::Login, &self.rules.payload(claims))
    }

    fn sign_for_app(&self, claims: &AppClaims) -> String {
        self.write(Kind::App, &self.rules.app_payload(claims))
    }

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw> {
        let parts = compact::Parts::split(token)?;
        let (kind, id) = parts.header(ALGORITHM)?;
        let id = id.ok_or(TokenFlaw::Malformed)?;
        let key = self.public_keys(now).find(|key| key.id == id).ok_or(TokenFlaw::Malformed)?;
        if !key.verifies(parts.signed.as_bytes(), &parts.signature) {
            return Err(TokenFlaw::Malformed);
        }
        self.rules.read(kind, &parts.payload()?, now)
    }

    fn public_keys(&self, now: Timestamp) -> Vec<Value> {
        self.public_keys(now).map(PublicKey::jwk).collect()
    }
}

impl fmt::Debug for RsaTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RsaTokens").field("rules", &self.rules).field("kid", &self.current.id).finish_non_exhaustive()
    }
}
