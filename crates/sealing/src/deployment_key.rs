//! The keys that are derived from a secret of the deployment.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub(crate) const KEY_ID_BYTES: usize = 8;

// The purpose is part of the derivation of keys: changing one of these texts makes everything unreadable that was
// sealed before.
const KEY_ID: &str = "octavo 2026-11 sealing: key id";
const WRAPPING: &str = "octavo 2026-11 sealing: wrapping of record keys";
const AUTHENTICATION: &str = "octavo 2026-11 sealing: authentication";
const SIGNATURE: &str = "octavo 2026-11 sealing: signature of addresses";

/// The keys of one deployment secret.
pub(crate) struct DeploymentKey {
    pub(crate) id: [u8; KEY_ID_BYTES],
    pub(crate) wrapping: [u8; 32],
    authentication: [u8; 32],
    signature: [u8; 32],
}

impl DeploymentKey {
    pub(crate) fn derive(secret: &[u8]) -> Self {
        let digest = blake3::derive_key(KEY_ID, secret);
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&digest[..KEY_ID_BYTES]);
        Self {
            id,
            wrapping: blake3::derive_key(WRAPPING, secret),
            authentication: blake3::derive_key(AUTHENTICATION, secret),
            signature: blake3::derive_key(SIGNATURE, secret),
        }
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = hmac_of(&self.signature);
        mac.update(bytes);
        mac
    }

    pub(crate) fn authenticate(&self, purpose: &str, bytes: &[u8]) -> blake3::Hash {
        // The length marks the border between purpose and bytes.
        let length = (purpose.len() as u64).to_le_bytes();
        blake3::Hasher::new_keyed(&self.authentication)
            .update(&length)
            .update(purpose.as_bytes())
            .update(bytes)
            .finalize()
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
fn hmac_of(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("a key of 32 bytes")
}
