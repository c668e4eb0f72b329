//! Each rule of parsing access tokens, with both algorithms.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod apps;
mod claims;
mod form;
mod keys;

use super::*;
use crate::jws;
use octavo_core_model::{
    Claims, Role,
    id::{SessionId, TokenId, UserId, WorkspaceId},
    session::Proof,
};
use octavo_ports::access_tokens::{AccessToken, AccessTokens, TokenFlaw};
use ring::{hmac as ring_hmac, rand::SystemRandom, rsa::KeyPair, signature::RSA_PKCS1_SHA256};
use rustls_pki_types::{PrivatePkcs8KeyDer, pem::PemObject};
use serde_json::{Value, json};

const FIRST: &[u8] = include_bytes!("keys/first.pem");
const FIRST_PKCS1: &[u8] = include_bytes!("keys/first.pkcs1.pem");
const FIRST_PUBLIC: &[u8] = include_bytes!("keys/first.public.pem");
const SECOND: &[u8] = include_bytes!("keys/second.pem");
const SHORT: &[u8] = include_bytes!("keys/short.pem");
const ELLIPTIC: &[u8] = include_bytes!("keys/elliptic.pem");

const SECRET: &[u8] = b"a shared secret of thirty-two bytes";
const OTHER_SECRET: &[u8] = b"another secret of thirty-two bytes";
const ORIGIN: &str = "https://octavo.example";
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const SKEW: Duration = Duration::from_secs(30);

fn rules() -> TokenRules {
    TokenRules { origin: ORIGIN.to_owned(), clock_skew: SKEW }
}

fn hmac_tokens() -> HmacTokens {
    HmacTokens::new(rules(), SECRET, &[]).unwrap()
}

fn rsa_tokens() -> RsaTokens {
    RsaTokens::new(rules(), FIRST, &[]).unwrap()
}

fn claims() -> Claims {
    Claims {
        user: UserId::new(1, [1; 10]),
        workspace: WorkspaceId::new(2, [2; 10]),
        role: Role::Owner,
        session: SessionId::new(3, [3; 10]),
        id: TokenId::new(4, [4; 10]),
        proofs: vec![Proof::Password, Proof::OneTimeCode, Proof::MultiFactor],
        authenticated_at: Timestamp::from_millis(1_799_999_000_000),
        issued_at: NOW,
    }
}

fn login() -> AccessToken {
    AccessToken::Login(claims())
}

fn payload() -> Value {
    serde_json::to_value(rules().login_claims(&claims())).unwrap()
}

fn hmac_sign(secret: &[u8], message: &[u8]) -> Vec<u8> {
    ring_hmac::sign(&ring_hmac::Key::new(ring_hmac::HMAC_SHA256, secret), message).as_ref().to_vec()
}

fn rsa_sign(pem: &[u8], message: &[u8]) -> Vec<u8> {
    let key = KeyPair::from_pkcs8(PrivatePkcs8KeyDer::from_pem_slice(pem).unwrap().secret_pkcs8_der()).unwrap();
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
    signature
}

/// A deployment, and a forger who has its key.
struct Fixture {
    tokens: Box<dyn AccessTokens>,
    header: Value,
    sign: fn(&[u8]) -> Vec<u8>,
}

impl Fixture {
    fn both() -> [Self; 2] {
        let kid = &AccessTokens::public_keys(&rsa_tokens(), NOW)[0]["kid"];
        [
            Self {
                tokens: Box::new(hmac_tokens()),
                header: json!({ "alg": "HS256", "typ": "JWT" }),
                sign: |message| hmac_sign(SECRET, message),
            },
            Self {
                tokens: Box::new(rsa_tokens()),
                header: json!({ "alg": "RS256", "typ": "JWT", "kid": kid }),
                sign: |message| rsa_sign(FIRST, message),
            },
        ]
    }

    fn forge(&self, header: &str, payload: &str) -> String {
        jws::write(&jws::encode(header), payload.as_bytes(), self.sign)
    }

    fn read_payload(&self, payload: &str) -> Result<AccessToken, TokenFlaw> {
        self.tokens.read(&self.forge(&self.header.to_string(), payload), NOW)
    }

    fn read_header(&self, header: &str) -> Result<AccessToken, TokenFlaw> {
        self.tokens.read(&self.forge(header, &payload().to_string()), NOW)
    }
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name).unwrap();
    object
}
