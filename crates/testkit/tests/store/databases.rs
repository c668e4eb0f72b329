//! Migrations, and which databases are served.

use crate::support::person;
use octavo_storage::{MigrationStatus, OpenError, Options, migrate, migration_status, open};
use octavo_testkit::Database;
use std::{fs, path::PathBuf};

/// The folders of the migrations, in order.
fn steps(database: &Database) -> Vec<PathBuf> {
    let engine = if database.is_postgres() { "postgres" } else { "sqlite" };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(engine);
    let mut steps: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    steps.sort();
    steps
}

/// Reverts all migrations, the last one first.
async fn go_down(database: &Database) {
    for step in steps(database).iter().rev() {
        database.execute(&fs::read_to_string(step.join("down.sql")).unwrap()).await;
    }
    database.execute("DELETE FROM __diesel_schema_migrations").await;
}

/// The whole schema as text, without the table of migrations.
async fn schema(database: &Database) -> Vec<Vec<String>> {
    let queries: &[&str] = if database.is_postgres() {
        &[
            "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default, identity_generation \
             FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%' ORDER BY 1, 2",
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE '\\_\\_%' ORDER BY 1",
            "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint \
             WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE '\\_\\_%' ORDER BY 1, 2",
        ]
    } else {
        // SQLite's internal tables are never removed.
        &["SELECT type, name, sql FROM sqlite_master \
           WHERE tbl_name NOT LIKE '\\_\\_%' ESCAPE '\\' AND tbl_name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1, 2"]
    };
    let mut schema = Vec::new();
    for query in queries {
        schema.extend(database.rows(query).await);
    }
    schema
}

pub(crate) async fn migrations_go_up_down_and_up(database: &Database) {
    let up = schema(database).await;
    assert!(up.len() > 20, "there is a schema to compare");
    go_down(database).await;
    assert_eq!(schema(database).await, Vec::<Vec<String>>::new());
    assert_eq!(migrate(database.url()).await.unwrap().len(), steps(database).len());
    assert_eq!(schema(database).await, up);
    assert_eq!(migrate(database.url()).await.unwrap(), Vec::<String>::new(), "nothing is left to do");
    person(&*database.store().await, 1).await;
}

pub(crate) async fn nodes_that_migrate_at_once_agree(database: &Database) {
    go_down(database).await;
    database.execute("DROP TABLE __diesel_schema_migrations").await;
    let nodes = (0..4).map(|_| {
        let url = database.url().to_owned();
        tokio::spawn(async move { migrate(&url).await.unwrap().len() })
    });
    let mut taken = 0;
    for node in nodes.collect::<Vec<_>>() {
        taken += node.await.unwrap();
    }
    assert_eq!(taken, steps(database).len());
    person(&*database.store().await, 1).await;
}

pub(crate) async fn a_status_touches_nothing(database: &Database) {
    let all = migration_status(database.url()).await.unwrap();
    assert_eq!((all.applied.len(), all.pending.len(), all.unknown.len()), (steps(database).len(), 0, 0));
    go_down(database).await;
    database.execute("DROP TABLE __diesel_schema_migrations").await;
    let none = migration_status(database.url()).await.unwrap();
    assert_eq!(none, MigrationStatus { pending: all.applied, ..MigrationStatus::default() });
    let tables = if database.is_postgres() {
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    } else {
        "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    };
    assert_eq!(database.number(tables).await, 0);
}

const NEWER: &str = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231235959')";

pub(crate) async fn a_newer_database_is_refused(database: &Database) {
    database.execute(NEWER).await;
    let refused = open(database.url(), &Options::default()).await.err();
    assert!(matches!(refused, Some(OpenError::NewerSchema(version)) if version == "99991231235959"));
    assert!(matches!(migrate(database.url()).await, Err(OpenError::NewerSchema(_))));
    assert_eq!(migration_status(database.url()).await.unwrap().unknown, ["99991231235959"]);
}

pub(crate) async fn a_database_of_something_else_is_reported_as_such(database: &Database) {
    go_down(database).await;
    database.execute("DROP TABLE __diesel_schema_migrations").await;
    database.execute("CREATE TABLE users (name TEXT)").await;
    let refused = migrate(database.url()).await;
    assert!(matches!(refused, Err(OpenError::Foreign { .. })), "{refused:?}");
    assert_eq!(database.number("SELECT count(*) FROM users").await, 0);
}

pub(crate) async fn an_old_database_is_not_served(database: &Database) {
    let served = database.store().await;
    go_down(database).await;
    let refused = open(database.url(), &Options::default()).await.err();
    assert!(matches!(refused, Some(OpenError::PendingMigrations(steps)) if !steps.is_empty()));
    let health = served.health(octavo_testkit::make::NOW).await;
    assert!(!health.migrations && !health.writable, "{health:?}");
}
