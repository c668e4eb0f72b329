//! Password hashing.

use async_trait::async_trait;
use octavo_core_model::Secret;

/// A stored password in PHC string form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordHash(pub Secret<String>);

/// What comparing a password brought to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub matches: bool,
    /// The hash was made with other parameters than today's: hash again while the password is at hand.
    pub outdated: bool,
}

/// Too many passwords wait to be hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasherBusy;

/// Hashes passwords away from the threads that serve requests, a bounded number at a time.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// `salt` comes from the caller so that hashing stays repeatable in tests.
    async fn hash(&self, password: Secret<String>, salt: [u8; 16]) -> Result<PasswordHash, HasherBusy>;

    /// Compares a password as sent. Without a hash it works as long as with one and never matches.
    async fn compare(&self, password: Secret<String>, hash: Option<PasswordHash>) -> Result<Comparison, HasherBusy>;
}
