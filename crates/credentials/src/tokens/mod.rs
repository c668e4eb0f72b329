//! Access tokens: signed compact JWTs with the one algorithm of a deployment.

mod claims;
mod compact;
mod hmac;
mod rsa;
#[cfg(test)]
mod tests;

pub use hmac::HmacTokens;
pub use rsa::RsaTokens;

use octavo_core_model::Timestamp;
use std::time::Duration;

/// The required claims of a deployment's tokens, and the tolerance for their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRules {
    /// The public origin, which issues the tokens and is the only audience.
    pub origin: String,
    /// How much the clocks of nodes may differ.
    pub clock_skew: Duration,
}

/// A key that no longer signs but still verifies for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredKey<K> {
    pub key: K,
    pub verifies_until: Timestamp,
}

/// Why a key cannot sign access tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFlaw {
    /// A shared secret has fewer than 32 bytes.
    #[error("the secret has fewer than 32 bytes")]
    ShortSecret,
    /// The file holds no unencrypted private key in PEM form.
    #[error("no unencrypted private key in PEM form")]
    NoPrivateKey,
    /// The key is not an RSA key, or its encoding is broken.
    #[error("not a sound RSA private key")]
    NotRsa,
    /// The RSA key has fewer than 2048 bits or a public exponent below 65537.
    #[error("the RSA key has fewer than 2048 bits or an exponent below 65537")]
    SmallRsa,
    /// The RSA key has more than 4096 bits.
    #[error("the RSA key has more than 4096 bits")]
    LargeRsa,
}
