//! Writing what sealing found out. One statement for all entries and one for all heads, always with the same text.

use super::super::Conn;
use crate::rows::log::{AuditHeadRow, SealRow};
use diesel::{
    pg::Pg,
    prelude::*,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Text},
};
use diesel_async::RunQueryDsl;

/// Gives entries their numbers and hashes; says how many were still there.
pub(crate) async fn write_seals(conn: &mut Conn, rows: Vec<SealRow>) -> QueryResult<usize> {
    let mut write = WriteSeals::default();
    for row in rows {
        write.chains.push(row.chain);
        write.ids.push(row.id.0.to_string());
        write.seqs.push(row.seal.seq);
        write.prev_hashes.push(row.seal.prev_hash);
        write.hashes.push(row.seal.hash);
    }
    write.execute(conn).await
}

/// Moves heads, whose locks the caller holds.
pub(crate) async fn move_heads(conn: &mut Conn, rows: Vec<AuditHeadRow>) -> QueryResult<()> {
    let mut write = MoveHeads::default();
    for row in rows {
        write.chains.push(row.chain);
        write.seqs.push(row.seq);
        write.hashes.push(row.hash);
        write.prune_at.push(row.prune_at);
    }
    write.execute(conn).await.map(drop)
}

#[derive(Default, QueryId)]
struct WriteSeals {
    chains: Vec<String>,
    ids: Vec<String>,
    seqs: Vec<i64>,
    prev_hashes: Vec<String>,
    hashes: Vec<String>,
}

impl QueryFragment<Pg> for WriteSeals {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE audit_entries e SET seq = t.seq, prev_hash = t.prev_hash, hash = t.hash FROM unnest(");
        out.push_bind_param::<Array<Text>, _>(&self.chains)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.prev_hashes)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.hashes)?;
        out.push_sql(") AS t (chain, id, seq, prev_hash, hash) WHERE e.chain = t.chain AND e.id = t.id");
        Ok(())
    }
}

#[derive(Default, QueryId)]
struct MoveHeads {
    chains: Vec<String>,
    seqs: Vec<i64>,
    hashes: Vec<String>,
    prune_at: Vec<i64>,
}

impl QueryFragment<Pg> for MoveHeads {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("UPDATE audit_heads h SET seq = t.seq, hash = t.hash, prune_at = t.prune_at FROM unnest(");
        out.push_bind_param::<Array<Text>, _>(&self.chains)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.hashes)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.prune_at)?;
        out.push_sql(") AS t (chain, seq, hash, prune_at) WHERE h.chain = t.chain");
        Ok(())
    }
}
