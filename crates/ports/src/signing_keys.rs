//! Keys that this deployment signs with. Each is created once and stored encrypted.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// What a key signs. There is one key for each purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Heads of audit trails.
    Audit,
}

impl KeyPurpose {
    pub const ALL: &'static [Self] = &[Self::Audit];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SigningKey {
    pub purpose: KeyPurpose,
    /// The public half, as a JWK.
    pub public: serde_json::Value,
    /// The seed of the private half, encrypted for its purpose.
    pub sealed: Vec<u8>,
    pub created_at: Timestamp,
}

#[async_trait]
pub trait SigningKeyReads: Send {
    async fn find(&mut self, purpose: KeyPurpose) -> StoreResult<Option<SigningKey>>;
}

#[async_trait]
pub trait SigningKeys: SigningKeyReads {
    /// Inserts a key. Returns false, and writes nothing, if there is one for its purpose.
    async fn insert(&mut self, key: &SigningKey) -> StoreResult<bool>;
}
