//! Removing the oldest entries of audit chains.

use super::{Scope, audit::UNSEALED, dialect::locked};
use crate::{
    prepared::Prepare,
    rows::log::AuditHeadRow,
    schema::{audit_entries as entries, audit_heads as heads},
};
use diesel::prelude::*;
use octavo_core_model::{Timestamp, event::Chain};
use octavo_ports::{audit::Audits, store::StoreResult};
use octavo_storage_macros::area;
use std::time::Duration;

/// A time in the far future: there is no entry to prune yet.
const NEVER: i64 = i64::MAX;

#[area]
impl Audits for Scope {
    async fn list_due_prunings(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<Chain>> {
        let due = heads::table.filter(heads::prune_at.lt(now.millis())).order((heads::prune_at, heads::chain));
        Ok(self
            .all::<String, _>(due.limit(limit.into()).select(heads::chain))
            .await?
            .into_iter()
            .filter_map(|chain| chain.parse().ok())
            .collect())
    }

    async fn count_old_entries(&mut self, chain: Chain, before: Timestamp) -> StoreResult<u64> {
        let old = entries::table
            .filter(entries::chain.eq(chain.to_string()))
            .filter(entries::seq.lt(UNSEALED))
            .filter(entries::at.lt(before.millis()))
            .count();
        Ok(self.one::<i64, _>(old).await?.unsigned_abs())
    }

    async fn prune_entries(
        &mut self,
        chain: Chain,
        now: Timestamp,
        kept_for: Duration,
        limit: u32,
    ) -> StoreResult<u64> {
        let name = chain.to_string();
        let head = heads::table.find(&name).select(AuditHeadRow::as_select());
        let Some(head) = self.optional(locked!(head)).await? else { return Ok(0) };
        let oldest = entries::table
            .filter(entries::chain.eq(&name))
            .filter(entries::seq.gt(head.pruned_seq))
            .filter(entries::seq.le(head.seq))
            .filter(entries::seq.lt(UNSEALED))
            .order((entries::seq, entries::id))
            .limit(limit.into())
            .select((entries::seq, entries::hash.assume_not_null(), entries::at));
        let oldest = self.all::<(i64, String, i64), _>(oldest).await?;
        let horizon = now.minus(kept_for).millis();
        // Prunes only from the old end: if an entry is too young, all later ones stay.
        let gone = oldest.iter().take_while(|(.., at)| *at < horizon).count();
        let next_look = match oldest.get(gone) {
            Some((.., at)) => Timestamp::from_millis(*at).plus(kept_for).millis(),
            None if gone < limit as usize => NEVER,
            // The limit was reached, so there may be more.
            None => now.millis() - 1,
        };
        let (pruned_seq, pruned_hash) = match gone.checked_sub(1).and_then(|last| oldest.get(last)) {
            Some((seq, hash, _)) => (*seq, hash.clone()),
            None => (head.pruned_seq, head.pruned_hash),
        };
        if gone > 0 {
            let old = entries::table.filter(entries::chain.eq(&name)).filter(entries::seq.le(pruned_seq));
            self.execute(diesel::delete(old)).await?;
        }
        let values =
            (heads::pruned_seq.eq(pruned_seq), heads::pruned_hash.eq(pruned_hash), heads::prune_at.eq(next_look));
        let update = diesel::update(heads::table.find(&name)).set(values).prepared();
        self.execute(update).await?;
        Ok(u64::try_from(gone).unwrap_or(u64::MAX))
    }

    async fn put_off_pruning(&mut self, chain: Chain, until: Timestamp) -> StoreResult<()> {
        let head = heads::table.find(chain.to_string());
        let update = diesel::update(head).set(heads::prune_at.eq(until.millis())).prepared();
        self.execute(update).await.map(drop)
    }
}
