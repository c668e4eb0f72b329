//! Rows of replies kept for idempotency keys.

use crate::{schema::idempotent_replies, stored::Hash32};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::Timestamp;
use octavo_ports::replies::{KeptReply, ReplyKey};

#[derive(Debug, Insertable)]
#[diesel(table_name = idempotent_replies, treat_none_as_default_value = false)]
pub(crate) struct ReplyKeyRow<'a> {
    principal: &'a str,
    key_hash: Hash32,
}

impl<'a> From<&'a ReplyKey> for ReplyKeyRow<'a> {
    fn from(key: &'a ReplyKey) -> Self {
        Self { principal: &key.principal, key_hash: Hash32(key.key_hash) }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = idempotent_replies, treat_none_as_default_value = false)]
pub(crate) struct KeptReplyRow {
    fingerprint: Hash32,
    sealed: Vec<u8>,
    expires_at: i64,
}

impl From<&KeptReply> for KeptReplyRow {
    fn from(reply: &KeptReply) -> Self {
        Self {
            fingerprint: Hash32(reply.fingerprint),
            sealed: reply.sealed.clone(),
            expires_at: reply.expires_at.millis(),
        }
    }
}

impl From<KeptReplyRow> for KeptReply {
    fn from(row: KeptReplyRow) -> Self {
        Self { fingerprint: row.fingerprint.0, sealed: row.sealed, expires_at: Timestamp::from_millis(row.expires_at) }
    }
}
