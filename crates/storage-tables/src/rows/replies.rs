//! Rows of replies kept for idempotency keys.

use crate::{schema::idempotent_replies, stored::Hash32};
use diesel::prelude::{Insertable, Queryable, Selectable};
use octavo_core_model::Timestamp;
use octavo_ports::replies::{KeptReply, ReplyKey};

/// A reply to be kept. It may be large, so it is borrowed.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotent_replies, treat_none_as_default_value = false)]
pub struct NewReplyRow<'a> {
    principal: &'a str,
    key_hash: Hash32,
    fingerprint: Hash32,
    sealed: &'a [u8],
    expires_at: i64,
}

impl<'a> NewReplyRow<'a> {
    pub fn new(key: &'a ReplyKey, reply: &'a KeptReply) -> Self {
        Self {
            principal: &key.principal,
            key_hash: Hash32(key.key_hash),
            fingerprint: Hash32(reply.fingerprint),
            sealed: &reply.sealed,
            expires_at: reply.expires_at.millis(),
        }
    }
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = idempotent_replies)]
pub struct KeptReplyRow {
    fingerprint: Hash32,
    sealed: Vec<u8>,
    expires_at: i64,
}

impl From<KeptReplyRow> for KeptReply {
    fn from(row: KeptReplyRow) -> Self {
        Self { fingerprint: row.fingerprint.0, sealed: row.sealed, expires_at: Timestamp::from_millis(row.expires_at) }
    }
}
