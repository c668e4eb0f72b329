//! Locks the heads of chains and writes the results of sealing: one statement per chain, each sent before the
//! previous one is answered.

use super::{Conn, each_in_turn};
use diesel::{
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use octavo_storage_tables::{
    prepared::Prepare,
    rows::log::{AuditHeadRow, SealRow},
    schema::audit_heads as heads,
};
use std::collections::{BTreeMap, BTreeSet};

/// Locks the heads of chains until the unit ends, in the order of their names.
pub async fn lock_heads(conn: &mut Conn, chains: &BTreeSet<String>) -> QueryResult<Vec<AuditHeadRow>> {
    let found = each_in_turn(conn, chains, lock_head).await?;
    Ok(found.into_iter().flatten().collect())
}

async fn lock_head(mut conn: &AsyncPgConnection, chain: &String) -> QueryResult<Option<AuditHeadRow>> {
    let head = heads::table.find(chain).select(AuditHeadRow::as_select()).for_no_key_update();
    head.get_result(&mut conn).await.optional()
}

/// Writes numbers and hashes of entries, and returns how many of the entries still existed.
pub async fn write_seals(conn: &mut Conn, rows: Vec<SealRow>) -> QueryResult<usize> {
    let mut chains = BTreeMap::<String, WriteSeals>::new();
    for row in rows {
        let write = chains.entry(row.chain).or_default();
        write.ids.push(row.id.0.to_string());
        write.seqs.push(row.seal.seq);
        write.prev_hashes.push(row.seal.prev_hash);
        write.hashes.push(row.seal.hash);
    }
    let writes = chains.into_iter().map(|(chain, write)| WriteSeals { chain, ..write });
    let written =
        each_in_turn(conn, writes, async |mut conn: &AsyncPgConnection, write| write.execute(&mut conn).await).await?;
    Ok(written.into_iter().sum())
}

/// Advances heads whose locks the caller holds.
pub async fn move_heads(conn: &mut Conn, rows: Vec<AuditHeadRow>) -> QueryResult<()> {
    each_in_turn(conn, rows, move_head).await.map(drop)
}

async fn move_head(mut conn: &AsyncPgConnection, row: AuditHeadRow) -> QueryResult<usize> {
    let values = (heads::seq.eq(row.seq), heads::hash.eq(row.hash), heads::prune_at.eq(row.prune_at));
    diesel::update(heads::table.find(row.chain)).set(values).prepared().execute(&mut conn).await
}

#[derive(Default, QueryId)]
struct WriteSeals {
    chain: String,
    ids: Vec<String>,
    seqs: Vec<i64>,
    prev_hashes: Vec<String>,
    hashes: Vec<String>,
}

impl QueryFragment<Pg> for WriteSeals {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE audit_entries e SET seq = t.seq, prev_hash = t.prev_hash, hash = t.hash FROM unnest(");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.prev_hashes)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.hashes)?;
        out.push_sql(") AS t (id, seq, prev_hash, hash) WHERE e.chain = ");
        out.push_bind_param::<Text, _>(&self.chain)?;
        out.push_sql(" AND e.id = t.id");
        Ok(())
    }
}
