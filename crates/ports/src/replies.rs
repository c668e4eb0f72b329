//! Replies kept for idempotency keys.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::Timestamp;

/// Whose key it is, and the hash of the key. The key itself is never stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyKey {
    pub principal: String,
    pub key_hash: [u8; 32],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReply {
    /// Identifies the call the reply belongs to.
    pub fingerprint: [u8; 32],
    /// The sealed reply.
    pub sealed: Vec<u8>,
    pub expires_at: Timestamp,
}

/// What stands under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nothing: the call may run, and no other one with this key until its unit ends.
    Free,
    Kept(KeptReply),
    /// Another unit, of this process or another one, holds it.
    Busy,
}

#[async_trait]
pub trait Replies: Send {
    /// Claims a key for this unit without waiting for others. A reply that expired before `now` does not count.
    async fn claim(&mut self, key: &ReplyKey, now: Timestamp) -> StoreResult<Claim>;

    /// Keeps a reply under a key; it replaces an expired one.
    async fn keep(&mut self, key: &ReplyKey, reply: &KeptReply) -> StoreResult<()>;

    /// Forgets all replies of a principal.
    async fn forget(&mut self, principal: &str) -> StoreResult<()>;
}
