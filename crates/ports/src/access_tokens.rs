//! Access tokens.

use octavo_core_model::{Claims, Timestamp, claims::AppClaims};

/// Why an access token is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenFlaw {
    Malformed,
    Expired,
}

/// The kinds of access tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessToken {
    /// Of a user who signed in.
    Login(Claims),
    /// Of an app that acts for a user.
    App(AppClaims),
}

/// Signs and reads access tokens with the one algorithm of this deployment.
pub trait AccessTokens: Send + Sync {
    fn sign(&self, claims: &Claims) -> String;

    fn sign_for_app(&self, claims: &AppClaims) -> String;

    fn read(&self, token: &str, now: Timestamp) -> Result<AccessToken, TokenFlaw>;

    /// The public keys to publish, as JWK objects: the signing key and retired keys that are still accepted. None if
    /// the secret is shared.
    fn public_keys(&self, now: Timestamp) -> Vec<serde_json::Value>;
}
