//! Replies kept for idempotency keys.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// The owner and the hash of a key. The key itself is never stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyKey {
    pub principal: String,
    pub key_hash: [u8; 32],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReply {
    /// Identifies the call that the reply belongs to.
    pub fingerprint: [u8; 32],
    /// The encrypted reply.
    pub sealed: Vec<u8>,
    pub expires_at: Timestamp,
}

/// The state of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No reply: this call may run; others with the same key are refused until its unit ends.
    Free,
    Kept(KeptReply),
    /// Another unit holds the key, in this or another process.
    Busy,
}

#[async_trait]
pub trait Replies: Send {
    /// Claims a key for this unit without waiting for others. A reply that expired before `now` does not count.
    async fn claim(&mut self, key: &ReplyKey, now: Timestamp) -> StoreResult<Claim>;

    /// Stores a reply under a key; an expired one is replaced.
    async fn keep(&mut self, key: &ReplyKey, reply: &KeptReply) -> StoreResult<()>;

    /// Removes all replies of a principal.
    async fn forget(&mut self, principal: &str) -> StoreResult<()>;
}
