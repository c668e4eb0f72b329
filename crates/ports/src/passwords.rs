//! Password hashing.

use crate::compute::WorkOwner;
use async_trait::async_trait;
use octavo_core_model::Secret;

/// A stored password in PHC string form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordHash(pub Secret<String>);

/// The result of comparing a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub matches: bool,
    /// The hash was made with outdated parameters, so it should be renewed while the password is known.
    pub outdated: bool,
}

/// Too many passwords are waiting to be hashed, in total or for one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasherBusy;

/// Hashes passwords outside of the threads that serve requests, a bounded number at a time. Each owner has a share of
/// the places.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// `salt` is an argument so that tests are repeatable.
    async fn hash(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        salt: [u8; 16],
    ) -> Result<PasswordHash, HasherBusy>;

    /// Compares a password as it was sent. Without a hash it takes as long as with one and never matches.
    async fn compare(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        hash: Option<PasswordHash>,
    ) -> Result<Comparison, HasherBusy>;
}
