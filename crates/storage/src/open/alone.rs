//! Making sure that a server has a PostgreSQL database to itself.

use super::postgres::LOCKS;
use crate::{
    OpenError,
    postgres::{Conn, dialect},
};
use diesel::{QueryableByName, sql_query, sql_types::Bool};
use diesel_async::RunQueryDsl;

const SERVING: i32 = 2;

/// Held while a server serves alone. It goes with its connection, so nothing has to be cleaned up after a crash.
pub struct SingleNodeLock {
    _conn: Conn,
}

impl std::fmt::Debug for SingleNodeLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SingleNodeLock")
    }
}

#[derive(QueryableByName)]
struct Taken {
    #[diesel(sql_type = Bool)]
    taken: bool,
}

/// Takes the lock, or says that another server has it.
pub async fn hold_single_node_lock(url: &str) -> Result<SingleNodeLock, OpenError> {
    let mut conn = dialect::connect(&dialect::parse(url)?).await?;
    let asked = format!("SELECT pg_try_advisory_lock({LOCKS}, {SERVING}) AS taken");
    let Taken { taken } = sql_query(asked).get_result(&mut conn).await?;
    if taken { Ok(SingleNodeLock { _conn: conn }) } else { Err(OpenError::Held) }
}
