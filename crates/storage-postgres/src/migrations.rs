//! Migrating a PostgreSQL database.

use super::target::Target;
use diesel::{pg::Pg, prelude::*, sql_query, sql_types::Bool};
use diesel_async::{
    AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection, async_connection_wrapper::AsyncConnectionWrapper,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use octavo_storage_common::{OpenError, migrations::MigrationStatus};
use octavo_storage_tables::schema::__diesel_schema_migrations as migrations;

const MIGRATIONS: EmbeddedMigrations = diesel_migrations::embed_migrations!("../../migrations/postgres");

/// We choose the numbers of advisory locks. These cannot collide with those of idempotency keys, which use the
/// two-key form.
pub(super) const LOCKS: i32 = 0x0c7a;
pub(super) const MIGRATING: i32 = 1;

/// Applies the pending migrations and returns their names. With the lock a second node waits, and then finds nothing to
/// do. The lock ends with the connection.
pub async fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    let mut conn = Target::parse(url)?.connect().await?;
    conn.batch_execute(&format!("SELECT pg_advisory_lock({LOCKS}, {MIGRATING})")).await?;
    let before = status_of(&mut conn).await?;
    before.refuse_newer()?;
    let steps = tokio::task::spawn_blocking(move || {
        let mut conn = AsyncConnectionWrapper::<AsyncPgConnection>::from(conn);
        let taken = conn.run_pending_migrations(MIGRATIONS).map_err(|error| match error.to_string() {
            reason if before.is_foreign(&reason) => OpenError::Foreign { database: "the database".to_owned(), reason },
            reason => OpenError::migration(reason),
        })?;
        Ok(taken.iter().map(ToString::to_string).collect())
    });
    steps.await.map_err(OpenError::migration)?
}

/// The state of the schema. Changes nothing.
pub async fn migration_status(url: &str) -> Result<MigrationStatus, OpenError> {
    let mut conn = Target::parse(url)?.connect().await?;
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
    MigrationStatus::compare::<Pg>(&MIGRATIONS, taken)
}
