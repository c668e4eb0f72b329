//! Access tokens.

use octavo_core_model::{Claims, Timestamp, claims::AppClaims};

/// Why an access token does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFlaw {
    Malformed,
    Expired,
}

/// What a token turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessToken {
    /// Of somebody who signed in.
    Login(Claims),
    /// Of an app that acts for somebody.
    App(AppClaims),
}

/// Signs and reads access tokens under the one algorithm of this deployment.
pub trait AccessTokens: Send + Sync {
    fn sign(&self, claims: &Claims) -> String;

    fn sign_for_app(&self, claims: &AppClaims) -> String;

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw>;

    /// The public keys to publish, as JWK objects: the signing key and retired ones that still verify. None under a shared secret.
    fn public_keys(&self, now: Timestamp) -> Vec<serde_json::Value>;
}
