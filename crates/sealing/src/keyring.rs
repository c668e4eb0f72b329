//! The deployment's secrets.

use crate::{
    RANDOM_BYTES, RESEAL_RANDOM_BYTES,
    deployment_key::DeploymentKey,
    record::{self, Unsealable},
};
use hmac::Mac;
use std::fmt;

/// The minimum length of a deployment secret.
pub const MIN_SECRET_BYTES: usize = 32;

/// Why secrets are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyringFlaw {
    /// No secret was given.
    #[error("no secret is given")]
    NoSecret,
    /// The secret at this position, counted from 0, has fewer than [`MIN_SECRET_BYTES`] bytes.
    #[error("secret {} has fewer than {MIN_SECRET_BYTES} bytes", .0 + 1)]
    ShortSecret(usize),
}

/// Seals with the newest deployment secret and opens what any listed one has sealed.
pub struct Keyring {
    current: DeploymentKey,
    older: Vec<DeploymentKey>,
}

impl Keyring {
    /// Accepts the deployment's secrets; the first one is used to seal.
    pub fn new<S: AsRef<[u8]>>(secrets: &[S]) -> Result<Self, KeyringFlaw> {
        if let Some(position) = secrets.iter().position(|secret| secret.as_ref().len() < MIN_SECRET_BYTES) {
            return Err(KeyringFlaw::ShortSecret(position));
        }
        let mut keys = secrets.iter().map(|secret| DeploymentKey::derive(secret.as_ref()));
        let current = keys.next().ok_or(KeyringFlaw::NoSecret)?;
        Ok(Self { current, older: keys.collect() })
    }

    /// Encrypts `plaintext`. It can be opened only with the same `associated` bytes, which should name the record
    /// that it belongs to.
    pub fn seal(&self, associated: &[u8], plaintext: &[u8], random: [u8; RANDOM_BYTES]) -> Vec<u8> {
        record::seal(&self.current, None, associated, plaintext, random)
    }

    /// Decrypts the output of [`seal`](Self::seal).
    pub fn open(&self, associated: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Unsealable> {
        record::open(self.keys(), None, associated, sealed)
    }

    /// Encrypts `plaintext` with the deployment secret and `client_key` together: both are needed to open it.
    pub fn seal_for(
        &self,
        client_key: &[u8],
        associated: &[u8],
        plaintext: &[u8],
        random: [u8; RANDOM_BYTES],
    ) -> Vec<u8> {
        record::seal(&self.current, Some(client_key), associated, plaintext, random)
    }

    /// Decrypts the output of [`seal_for`](Self::seal_for).
    pub fn open_for(&self, client_key: &[u8], associated: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Unsealable> {
        record::open(self.keys(), Some(client_key), associated, sealed)
    }

    /// Seals a record with the newest secret; `None` if it already is. The plaintext is not decrypted, so records
    /// that were sealed for a client can be resealed without the client's key.
    pub fn reseal(
        &self,
        associated: &[u8],
        sealed: &[u8],
        random: [u8; RESEAL_RANDOM_BYTES],
    ) -> Result<Option<Vec<u8>>, Unsealable> {
        record::reseal(&self.current, self.keys(), associated, sealed, random)
    }

    /// A code for these bytes and this purpose that only a holder of the newest secret can make.
    pub fn authenticate(&self, purpose: &str, bytes: &[u8]) -> [u8; 32] {
        self.current.authenticate(purpose, bytes).into()
    }

    /// Whether any listed secret made `code` for these bytes and this purpose. Compares in constant time.
    pub fn verify(&self, purpose: &str, bytes: &[u8], code: &[u8]) -> bool {
        let Ok(code) = <[u8; 32]>::try_from(code) else { return false };
        let code = blake3::Hash::from_bytes(code);
        // `==` of two BLAKE3 hashes takes the same time wherever they differ.
        self.keys().any(|key| key.authenticate(purpose, bytes) == code)
    }

    /// Signs the bytes of an address (HMAC-SHA256) with the newest secret.
    pub fn sign_address(&self, bytes: &[u8]) -> [u8; 32] {
        self.current.sign(bytes).finalize().into_bytes().into()
    }

    /// Whether any listed secret signed these bytes of an address. Compares in constant time.
    pub fn is_signed_address(&self, bytes: &[u8], signature: &[u8]) -> bool {
        self.keys().any(|key| key.sign(bytes).verify_slice(signature).is_ok())
    }

    fn keys(&self) -> impl Iterator<Item = &DeploymentKey> {
        std::iter::once(&self.current).chain(&self.older)
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("secrets", &(1 + self.older.len())).finish_non_exhaustive()
    }
}
