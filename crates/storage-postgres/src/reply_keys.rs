//! Claiming idempotency keys.

use super::Conn;
use diesel::{QueryResult, select};
use diesel_async::RunQueryDsl;
use octavo_ports::replies::ReplyKey;

diesel::define_sql_function! {
    fn pg_try_advisory_xact_lock(key: diesel::sql_types::BigInt) -> diesel::sql_types::Bool;
}
diesel::define_sql_function! {
    fn hashtextextended(text: diesel::sql_types::Text, seed: diesel::sql_types::BigInt) -> diesel::sql_types::BigInt;
}

/// Claims a key for this unit unless another unit holds it. If two keys hash to the same number, one of them seems
/// busy for a moment.
pub async fn claim_key(conn: &mut Conn, key: &ReplyKey) -> QueryResult<bool> {
    let seed = key.key_hash.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes));
    let number = hashtextextended(&key.principal, seed);
    select(pg_try_advisory_xact_lock(number)).get_result(conn).await
}
