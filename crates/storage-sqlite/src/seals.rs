//! Writes the results of sealing, row by row with prepared statements.

use super::{Conn, statements::RunQueryDsl};
use diesel::prelude::*;
use octavo_storage_tables::{
    prepared::Prepare,
    rows::log::{AuditHeadRow, SealRow},
    schema::{audit_entries as entries, audit_heads as heads},
};
use std::collections::BTreeSet;

/// The heads of chains. They need no locks: nobody else writes in the meantime.
pub async fn lock_heads(conn: &mut Conn, chains: &BTreeSet<String>) -> QueryResult<Vec<AuditHeadRow>> {
    heads::table.filter(heads::chain.eq_any(chains)).select(AuditHeadRow::as_select()).load(conn).await
}

struct WriteSeal;

/// Writes numbers and hashes of entries.
pub async fn write_seals(conn: &mut Conn, rows: Vec<SealRow>) -> QueryResult<usize> {
    let mut written = 0;
    for SealRow { chain, id, seal } in &rows {
        let values = (entries::seq.eq(seal.seq), entries::prev_hash.eq(&seal.prev_hash), entries::hash.eq(&seal.hash));
        written += diesel::update(entries::table.find((chain, id)))
            .set(values)
            .prepared_as::<WriteSeal>()
            .execute(conn)
            .await?;
    }
    Ok(written)
}

/// Advances heads.
pub async fn move_heads(conn: &mut Conn, rows: Vec<AuditHeadRow>) -> QueryResult<()> {
    for row in &rows {
        let values = (heads::seq.eq(row.seq), heads::hash.eq(&row.hash), heads::prune_at.eq(row.prune_at));
        diesel::update(heads::table.find(&row.chain)).set(values).prepared().execute(conn).await?;
    }
    Ok(())
}
