//! Opening and migrating a PostgreSQL database.

use crate::{
    OpenError,
    migrations::{Expected, FOR_POSTGRES, MigrationStatus},
    options::Options,
    postgres::{
        EngineStore,
        dialect::{self, Engine},
    },
    schema::__diesel_schema_migrations as migrations,
};
use diesel::{pg::Pg, prelude::*, sql_query, sql_types::Bool};
use diesel_async::{
    AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection, async_connection_wrapper::AsyncConnectionWrapper,
};
use diesel_migrations::MigrationHarness;
use octavo_ports::store::Store;
use std::sync::Arc;

/// We choose the numbers of advisory locks. These cannot collide with those of idempotency keys, which use the
/// two-key form.
pub(super) const LOCKS: i32 = 0x0c7a;
pub(super) const MIGRATING: i32 = 1;

pub(super) async fn open(url: &str, options: &Options) -> Result<Arc<dyn Store>, OpenError> {
    let status = migration_status(url).await?;
    status.refuse_different()?;
    Ok(Arc::new(EngineStore::new(Engine::open(url, options)?, Expected::of(&status), options)))
}

/// With the lock a second node waits, and then finds nothing to do. The lock ends with the connection.
pub(super) async fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    let mut conn = dialect::Target::parse(url)?.connect().await?;
    conn.batch_execute(&format!("SELECT pg_advisory_lock({LOCKS}, {MIGRATING})")).await?;
    let before = status_of(&mut conn).await?;
    before.refuse_newer()?;
    let steps = tokio::task::spawn_blocking(move || {
        let mut conn = AsyncConnectionWrapper::<AsyncPgConnection>::from(conn);
        let taken = conn.run_pending_migrations(FOR_POSTGRES).map_err(|error| match error.to_string() {
            reason if before.is_foreign(&reason) => OpenError::Foreign { database: "the database".to_owned(), reason },
            reason => OpenError::migration(reason),
        })?;
        Ok(taken.iter().map(ToString::to_string).collect())
    });
    steps.await.map_err(OpenError::migration)?
}

pub(super) async fn migration_status(url: &str) -> Result<MigrationStatus, OpenError> {
    let mut conn = dialect::Target::parse(url)?.connect().await?;
    status_of(&mut conn).await
}

#[derive(QueryableByName)]
struct TableExists {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// Diesel's migration harness would create its table of migrations if it did not exist.
async fn status_of(conn: &mut AsyncPgConnection) -> Result<MigrationStatus, OpenError> {
    let is_migrated: TableExists =
        sql_query("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS found").get_result(conn).await?;
    let taken =
        if is_migrated.found { migrations::table.select(migrations::version).load(conn).await? } else { Vec::new() };
    MigrationStatus::compare::<Pg>(&FOR_POSTGRES, taken)
}
