//! Access tokens.

use octavo_core_model::{Claims, Timestamp};

/// Why an access token does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFlaw {
    Malformed,
    Expired,
}

/// Signs and reads access tokens under the one algorithm of this deployment.
pub trait AccessTokens: Send + Sync {
    fn sign(&self, claims: &Claims) -> String;

    fn read(&self, token: &str, now: Timestamp) -> Result<Claims, TokenFlaw>;

    /// The public keys to publish, as JWK objects: the signing key and retired ones that still verify. None under a shared secret.
    fn public_keys(&self, now: Timestamp) -> Vec<serde_json::Value>;
}
