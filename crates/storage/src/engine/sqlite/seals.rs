//! Writing what sealing found out, row by row with prepared statements.

use super::super::Conn;
use crate::{
    prepared::Prepare,
    rows::log::{AuditHeadRow, SealRow},
    schema::{audit_entries as entries, audit_heads as heads},
};
use diesel::prelude::*;

/// Gives entries their numbers and hashes.
pub(crate) async fn write_seals(conn: &mut Conn, rows: Vec<SealRow>) -> QueryResult<usize> {
    conn.spawn_blocking(move |conn| {
        let mut written = 0;
        for SealRow { chain, id, seal } in &rows {
            let values =
                (entries::seq.eq(seal.seq), entries::prev_hash.eq(&seal.prev_hash), entries::hash.eq(&seal.hash));
            written += diesel::update(entries::table.find((chain, id))).set(values).prepared().execute(conn)?;
        }
        Ok(written)
    })
    .await
}

/// Moves heads.
pub(crate) async fn move_heads(conn: &mut Conn, rows: Vec<AuditHeadRow>) -> QueryResult<()> {
    conn.spawn_blocking(move |conn| {
        for row in &rows {
            let values = (heads::seq.eq(row.seq), heads::hash.eq(&row.hash), heads::prune_at.eq(row.prune_at));
            diesel::update(heads::table.find(&row.chain)).set(values).prepared().execute(conn)?;
        }
        Ok(())
    })
    .await
}
