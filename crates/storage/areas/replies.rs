//! Replies kept for idempotency keys.

use super::{Scope, dialect};
use crate::{
    prepared::Prepare,
    rows::replies::{KeptReplyRow, NewReplyRow},
    schema::idempotent_replies,
    stored::Hash32,
};
use diesel::{prelude::*, upsert::excluded};
use octavo_core_model::Timestamp;
use octavo_ports::{
    replies::{Claim, KeptReply, Replies, ReplyKey},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl Replies for Scope {
    async fn claim(&mut self, key: &ReplyKey, now: Timestamp) -> StoreResult<Claim> {
        let answer = dialect::claim_key(self.conn().await?, key).await;
        if !self.checked(answer)? {
            return Ok(Claim::Busy);
        }
        // A separate statement: a single one that claims and reads would see the data from before its claim.
        let kept = idempotent_replies::table
            .find((&key.principal, Hash32(key.key_hash)))
            .filter(idempotent_replies::expires_at.ge(now.millis()))
            .select(KeptReplyRow::as_select());
        Ok(self.optional(kept).await?.map_or(Claim::Free, |row| Claim::Kept(row.into())))
    }

    async fn keep(&mut self, key: &ReplyKey, reply: &KeptReply) -> StoreResult<()> {
        // The update names the inserted values instead of repeating them: a reply can have megabytes.
        let insert = diesel::insert_into(idempotent_replies::table)
            .values(NewReplyRow::new(key, reply))
            .on_conflict((idempotent_replies::principal, idempotent_replies::key_hash))
            .do_update()
            .set((
                idempotent_replies::fingerprint.eq(excluded(idempotent_replies::fingerprint)),
                idempotent_replies::sealed.eq(excluded(idempotent_replies::sealed)),
                idempotent_replies::expires_at.eq(excluded(idempotent_replies::expires_at)),
            ))
            .prepared();
        self.execute(insert).await.map(drop)
    }

    async fn forget(&mut self, principal: &str) -> StoreResult<()> {
        let kept = idempotent_replies::table.filter(idempotent_replies::principal.eq(principal));
        self.execute(diesel::delete(kept)).await.map(drop)
    }
}
