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

    /// The public keys to publish, as JWK objects; none under a shared secret.
    fn public_keys(&self) -> Vec<serde_json::Value>;
}
