//! Signatures that others can verify.

use octavo_core_model::Secret;

/// Signs with Ed25519 keys, each derived from a seed.
pub trait Signatures: Send + Sync {
    /// The public half as a JWK, identified by its thumbprint.
    fn public_key(&self, seed: &Secret<[u8; 32]>) -> serde_json::Value;

    /// A compact JWS over these bytes, with the id of the key in its header.
    fn sign(&self, seed: &Secret<[u8; 32]>, payload: &[u8]) -> String;
}
