//! Ed25519: signatures that anybody can verify with the published key.

use crate::jws;
use octavo_core_model::Secret;
use octavo_ports::signatures::Signatures;
use ring::{
    digest,
    signature::{Ed25519KeyPair, KeyPair},
};
use serde_json::{Value, json};

/// Signs with Ed25519.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ed25519Signatures;

#[expect(clippy::expect_used, reason = "every 32 bytes are the seed of a key")]
fn key_pair(seed: &Secret<[u8; 32]>) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(seed.expose()).expect("a key of any seed")
}

/// The RFC 7638 thumbprint: a hash over the members that define the key, ordered by name, without spaces.
fn key_id(x: &str) -> String {
    let named = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
    jws::encode(digest::digest(&digest::SHA256, named.as_bytes()))
}

impl Signatures for Ed25519Signatures {
    fn public_key(&self, seed: &Secret<[u8; 32]>) -> Value {
        let x = jws::encode(key_pair(seed).public_key());
        json!({ "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key_id(&x), "x": x })
    }

    fn sign(&self, seed: &Secret<[u8; 32]>, payload: &[u8]) -> String {
        let pair = key_pair(seed);
        let id = key_id(&jws::encode(pair.public_key()));
        let header = jws::encode(format!(r#"{{"alg":"EdDSA","kid":"{id}"}}"#));
        jws::write(&header, payload, |message| pair.sign(message).as_ref().to_vec())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use ring::signature::{ED25519, UnparsedPublicKey};

    /// The key of RFC 8037, appendix A.
    const SEED: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";

    fn seed() -> Secret<[u8; 32]> {
        Secret::new(URL_SAFE_NO_PAD.decode(SEED).unwrap().try_into().unwrap())
    }

    #[test]
    fn the_public_half_is_that_of_the_standard() {
        let key = Ed25519Signatures.public_key(&seed());
        assert_eq!(key["x"], "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assert_eq!(key["kid"], "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    #[test]
    fn a_signature_is_checked_with_the_published_key_alone() {
        let (key, jws) = (Ed25519Signatures.public_key(&seed()), Ed25519Signatures.sign(&seed(), b"{\"seq\":1}"));
        let (signed, signature) = jws.rsplit_once('.').unwrap();
        let (header, payload) = signed.split_once('.').unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let header: Value = serde_json::from_slice(&decode(header)).unwrap();
        assert_eq!(header, json!({ "alg": "EdDSA", "kid": key["kid"] }));
        assert_eq!(decode(payload), b"{\"seq\":1}");
        let public = UnparsedPublicKey::new(&ED25519, decode(key["x"].as_str().unwrap()));
        assert!(public.verify(signed.as_bytes(), &decode(signature)).is_ok());
        assert!(public.verify(b"another", &decode(signature)).is_err());
    }
}
