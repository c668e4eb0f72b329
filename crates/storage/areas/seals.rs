//! Sealing the audit trail: entries get their numbers and hashes after the commit, chain by chain.
//!
//! The unit that writes them does not seal them: the end of the chain would stay locked until the disk has flushed,
//! and all units of a workspace would wait for each other. Any number of workers may run at once: the one that has
//! the lock on a chain's head seals all its entries, and the next one finds nothing.

use super::{
    Conn,
    dialect::{self, Engine, RunQueryDsl},
};
use crate::{
    faults::refusal,
    rows::log::{AuditHeadRow, AuditRecordRow, SealRow},
    schema::{audit_entries as entries, audit_heads as heads},
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{audit::AuditRecord, settings::Settings, time::days};
use octavo_ports::store::StoreResult;
use std::collections::{BTreeMap, BTreeSet};

/// How many entries are sealed at once: after an outage they are sealed in portions, so that no lock is held for
/// long.
const PORTION: usize = 1000;
const CHAINS_AT_ONCE: usize = 200;

pub(super) async fn seal_audits(engine: &Engine) -> StoreResult<usize> {
    let mut sealed = 0;
    loop {
        let mut view = engine.view().await?;
        let waiting = entries::table.filter(entries::hash.is_null()).select(entries::chain).distinct();
        let waiting = waiting.limit(rows(CHAINS_AT_ONCE)).load::<String>(view.conn().await?).await;
        let waiting = waiting.map_err(|error| refusal(&error))?;
        view.statement_succeeded();
        drop(view);
        if waiting.is_empty() {
            return Ok(sealed);
        }
        let full_round = waiting.len() == CHAINS_AT_ONCE;
        let mut unit = engine.unit().await?;
        let Some(portion) = seal_portion(unit.conn().await?, waiting).await.map_err(|error| refusal(&error))? else {
            unit.undo().await?;
            continue;
        };
        unit.commit().await?;
        sealed += portion;
        if portion < PORTION && !full_round {
            return Ok(sealed);
        }
    }
}

fn rows(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Seals the waiting entries and returns how many. `None` if the chain was removed in the meantime; committing would
/// leave its head behind.
async fn seal_portion(conn: &mut Conn, chains: Vec<String>) -> QueryResult<Option<usize>> {
    let mut ends = lock_heads(conn, chains).await?;
    // Separate from locking: this must see what others sealed while it waited for the locks.
    let found = entries::table
        .filter(entries::chain.eq_any(ends.keys()))
        .filter(entries::hash.is_null())
        .order((entries::chain, entries::at, entries::id))
        .limit(rows(PORTION))
        .select(AuditRecordRow::as_select())
        .load(conn)
        .await?;
    let (mut seals, mut moved) = (Vec::with_capacity(found.len()), BTreeSet::new());
    for record in found.into_iter().map(AuditRecord::from) {
        let Some(end) = ends.get_mut(&record.chain) else { continue };
        if end.seq == end.pruned_seq {
            end.prune_at = record.at.plus(days(Settings::LEAST_AUDIT_LOG_RETENTION_DAYS.into())).millis();
        }
        let seal = end.last().seal(&record);
        (end.seq, end.hash) = (seal.seq, seal.hash.clone());
        moved.insert(record.chain.clone());
        seals.push(SealRow { chain: record.chain, id: Stored(record.id), seal });
    }
    let sealed = seals.len();
    // Chains that were removed while this waited for the locks.
    let gone: Vec<_> = ends.values().filter(|end| end.seq == 0).map(|end| end.chain.clone()).collect();
    if !gone.is_empty() {
        diesel::delete(heads::table.filter(heads::chain.eq_any(gone))).execute(conn).await?;
    }
    if sealed > 0 {
        if dialect::write_seals(conn, seals).await? < sealed {
            return Ok(None);
        }
        ends.retain(|chain, _| moved.contains(chain));
        dialect::move_heads(conn, ends.into_values().collect()).await?;
    }
    Ok(Some(sealed))
}

/// Locks the heads of chains until the unit ends, in the order of their names so that two workers do not deadlock.
/// Creates missing heads.
async fn lock_heads(conn: &mut Conn, chains: Vec<String>) -> QueryResult<BTreeMap<String, AuditHeadRow>> {
    let chains: BTreeSet<String> = chains.into_iter().collect();
    let known = heads::table.filter(heads::chain.eq_any(chains.iter())).select(heads::chain);
    let known: BTreeSet<String> = known.load(conn).await?.into_iter().collect();
    for chain in chains.difference(&known) {
        let head = AuditHeadRow::of_new(chain.clone());
        diesel::insert_into(heads::table).values(&head).on_conflict_do_nothing().execute(conn).await?;
    }
    let ends = dialect::lock_heads(conn, &chains).await?;
    Ok(ends.into_iter().map(|end| (end.chain.clone(), end)).collect())
}
