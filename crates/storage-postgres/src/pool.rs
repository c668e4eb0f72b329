//! Connections to a PostgreSQL server.

use super::target::{NETWORK_TIMEOUT, Target};
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::{
    AsyncConnection, AsyncPgConnection, SimpleAsyncConnection,
    pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod, deadpool::Pool},
};
use futures_util::FutureExt;
use octavo_storage_common::{Durability, OpenError, Options, Timing};
use std::{sync::Arc, time::Duration};

/// How long a unit may be idle between two statements before the server ends it and frees its locks: by then its node
/// hangs or is cut off.
const IDLE_IN_UNIT: Duration = Duration::from_secs(10);

/// How many connections views share at most.
const MOST_CONNECTIONS: usize = 4;

/// How long connecting and setting up a connection may take.
pub(super) const CREATION: Duration = NETWORK_TIMEOUT.saturating_mul(2);

pub(super) fn build(url: &str, options: &Options) -> Result<Pool<AsyncPgConnection>, OpenError> {
    let target = Arc::new(Target::parse(url)?);
    let settings: Arc<str> = settings(options).into();
    let timing = Timing::new(options);
    let mut manager = ManagerConfig::default();
    // If the server goes away, its connections know that they are closed; testing each one again would cost a round
    // trip per request.
    manager.recycling_method = RecyclingMethod::Fast;
    manager.custom_setup = Box::new(move |_| {
        let (target, settings) = (Arc::clone(&target), Arc::clone(&settings));
        let timing = timing.clone();
        async move {
            let mut conn = target.connect().await?;
            set_up(&mut conn, &settings, timing).await?;
            Ok(conn)
        }
        .boxed()
    });
    Pool::builder(AsyncDieselConnectionManager::new_with_config("", manager))
        .max_size(connections_for_units(options))
        .wait_timeout(Some(options.wait_timeout))
        .create_timeout(Some(CREATION))
        .recycle_timeout(Some(NETWORK_TIMEOUT))
        .runtime(deadpool::Runtime::Tokio1)
        .build()
        .map_err(|error| OpenError::Unreachable(error.to_string()))
}

/// How many connections units can have at the same time.
pub(super) fn connections_for_units(options: &Options) -> usize {
    options.pool_size.saturating_sub(share_of(options.pool_size)).max(1)
}

/// How many of a node's connections views share. If a node has only a few connections, it gets one more for this.
pub(super) fn share_of(pool_size: usize) -> usize {
    (pool_size / 4).min(MOST_CONNECTIONS)
}

pub(super) async fn set_up(conn: &mut AsyncPgConnection, settings: &str, timing: Timing) -> ConnectionResult<()> {
    conn.batch_execute(settings).await.map_err(ConnectionError::CouldntSetupConfiguration)?;
    conn.set_instrumentation(timing);
    Ok(())
}

/// Turns off the server's JIT compiler: its planner thinks a walk down thousands of pages is expensive enough to
/// compile, but compiling takes ten times as long as the walk.
///
/// A page from anywhere on a disk costs about as much as the next one: with the default of four, made for disks that
/// turn, the planner reads whole tables where it should follow an index.
///
/// The lock timeout is a little shorter than the statement timeout, so that the two can be distinguished. Zero would
/// mean no limit.
pub(super) fn settings(options: &Options) -> String {
    let statement = options.query_timeout.as_millis().max(2);
    let lock = (statement * 4 / 5).max(1);
    let durability = match options.durability {
        Durability::Full => "",
        Durability::Relaxed => "SET synchronous_commit = off;",
    };
    format!(
        "SET statement_timeout = {statement}; SET lock_timeout = {lock};
         SET idle_in_transaction_session_timeout = {}; SET jit = off; SET random_page_cost = 1.1;
         SET default_transaction_isolation = 'read committed'; {durability}",
        IDLE_IN_UNIT.as_millis()
    )
}
