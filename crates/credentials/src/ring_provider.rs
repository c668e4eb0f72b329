//! The cryptography behind `jsonwebtoken`: ring, which TLS uses too, with only the two algorithms of access tokens.
//!
//! The crate offers two providers of its own. One compiles AWS-LC, a second C library beside ring. The other brings
//! some forty crates, among them `rsa`, whose private operations leak the key through their timing
//! (RUSTSEC-2023-0071).

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{Error, ErrorKind},
    jwk::ThumbprintHash,
    signature::{Error as SignatureError, Signer, Verifier},
};
use ring::{
    digest, hmac,
    rand::SystemRandom,
    rsa::{KeyPair, PublicKeyComponents},
    signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaPublicKeyComponents},
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils {
        rsa_pub_components_from_private_key: rsa_public_components,
        compute_digest: sha256,
        // Keys of other kinds do not sign access tokens.
        rsa_pub_components_from_public_key: |_| Err(unsupported()),
        ec_pub_components_from_private_key: |_, _| Err(unsupported()),
        ed_pub_components_from_private_key: |_, _| Err(unsupported()),
    },
};

/// Must run before the crate signs or verifies anything. Running it again changes nothing.
pub(crate) fn install() {
    // Fails if a provider is already installed. That can only be this one: nothing else here uses the crate.
    let _ = PROVIDER.install_default();
}

fn unsupported() -> Error {
    ErrorKind::UnsupportedAlgorithm.into()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the crate asks for functions of this form")]
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    match (algorithm, key.family()) {
        (Algorithm::HS256, AlgorithmFamily::Hmac) => {
            Ok(Box::new(Hs256(hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()))))
        }
        (Algorithm::RS256, AlgorithmFamily::Rsa) => Ok(Box::new(Rs256Signer(rsa_key_pair(key.as_bytes())?))),
        _ => Err(unsupported()),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the crate asks for functions of this form")]
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    // An RSA key must never serve as a shared secret.
    match (algorithm, key.family(), key.kind()) {
        (Algorithm::HS256, AlgorithmFamily::Hmac, DecodingKeyKind::SecretOrDer(secret)) => {
            Ok(Box::new(Hs256(hmac::Key::new(hmac::HMAC_SHA256, secret))))
        }
        (Algorithm::RS256, AlgorithmFamily::Rsa, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Ok(Box::new(Rs256Verifier(RsaPublicKeyComponents { n: n.clone(), e: e.clone() })))
        }
        _ => Err(unsupported()),
    }
}

/// Signs and verifies with a shared secret.
struct Hs256(hmac::Key);

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        Ok(hmac::sign(&self.0, message).as_ref().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        // Compares in constant time.
        hmac::verify(&self.0, message, signature).map_err(|_| SignatureError::new())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

struct Rs256Signer(KeyPair);

impl Signer<Vec<u8>> for Rs256Signer {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        let mut signature = vec![0; self.0.public().modulus_len()];
        let signed = self.0.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature);
        signed.map(|()| signature).map_err(|_| SignatureError::new())
    }
}

impl JwtSigner for Rs256Signer {
    fn algorithm(&self) -> Algorithm {
        Algorithm::RS256
    }
}

struct Rs256Verifier(RsaPublicKeyComponents<Vec<u8>>);

impl Verifier<Vec<u8>> for Rs256Verifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        self.0.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).map_err(|_| SignatureError::new())
    }
}

impl JwtVerifier for Rs256Verifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::RS256
    }
}

/// A private key in PKCS#8 or PKCS#1 form.
fn rsa_key_pair(der: &[u8]) -> Result<KeyPair, Error> {
    let pair = KeyPair::from_pkcs8(der).or_else(|_| KeyPair::from_der(der));
    pair.map_err(|rejected| ErrorKind::InvalidRsaKey(rejected.to_string()).into())
}

/// The modulus and the exponent of a private key.
fn rsa_public_components(der: &[u8]) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(rsa_key_pair(der)?.public());
    Ok((n, e))
}

#[expect(clippy::needless_pass_by_value, reason = "the crate asks for a function of this form")]
fn sha256(bytes: &[u8], hash: ThumbprintHash) -> Result<Vec<u8>, Error> {
    match hash {
        ThumbprintHash::SHA256 => Ok(digest::digest(&digest::SHA256, bytes).as_ref().to_vec()),
        _ => Err(unsupported()),
    }
}
