//! Migrating a SQLite file.

use super::{existing, file_fault::FileFault};
use diesel::{
    Connection, QueryResult, RunQueryDsl, SqliteConnection, connection::SimpleConnection, prelude::*, sql_query,
    sql_types::Bool, sqlite::Sqlite,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use octavo_core_model::StoreError;
use octavo_storage_common::{OpenError, faults::store_error, migrations::MigrationStatus};
use octavo_storage_tables::schema::__diesel_schema_migrations as migrations;
use std::{
    fs::{self, OpenOptions},
    io::ErrorKind,
    path::Path,
    thread,
    time::Duration,
};

const MIGRATIONS: EmbeddedMigrations = diesel_migrations::embed_migrations!("../../migrations/sqlite");

/// Statistics for the planner. They are written to the database whenever the schema changes; connections read them
/// when they open.
const STATISTICS: &str = include_str!("statistics.sql");

/// Applies the pending migrations and returns their names. All of them are one transaction, which holds the lock of the
/// file: a second process waits, and then finds nothing to do.
pub fn migrate(path: &Path) -> Result<Vec<String>, OpenError> {
    run_migrations(path).map_err(|fault| fault.of(path))
}

fn run_migrations(path: &Path) -> Result<Vec<String>, FileFault> {
    create(path)?;
    connect(path)?.immediate_transaction(|conn| {
        let before = status_of(conn)?;
        before.refuse_newer()?;
        let taken = conn.run_pending_migrations(MIGRATIONS).map_err(|error| FileFault::migration(error, &before))?;
        let taken: Vec<_> = taken.iter().map(ToString::to_string).collect();
        if !taken.is_empty() {
            conn.batch_execute(STATISTICS)?;
        }
        Ok(taken)
    })
}

/// Connects for migrations. SQLite does not wait, whatever its time limit, for a process that is the last to close the
/// file and cleans up.
fn connect(path: &Path) -> Result<SqliteConnection, FileFault> {
    const SETTINGS: &str = "PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";
    let mut attempts = 100;
    loop {
        let mut conn = SqliteConnection::establish(&existing(path, "rw"))?;
        match conn.batch_execute(SETTINGS) {
            Err(fault) if attempts > 1 && store_error(&fault) == StoreError::Busy => attempts -= 1,
            result => return Ok(result.map(|()| conn)?),
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The state of the schema. Changes nothing.
pub fn migration_status(path: &Path) -> Result<MigrationStatus, OpenError> {
    if !path.is_file() {
        return MigrationStatus::compare::<Sqlite>(&MIGRATIONS, Vec::new());
    }
    read_status(path).map_err(|fault| fault.of(path))
}

fn read_status(path: &Path) -> Result<MigrationStatus, FileFault> {
    let mut conn = SqliteConnection::establish(&existing(path, "ro"))?;
    conn.batch_execute("PRAGMA busy_timeout = 5000")?;
    status_of(&mut conn)
}

#[derive(QueryableByName)]
struct TableExists {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// Diesel's migration harness would create its table of migrations if it did not exist.
fn status_of(conn: &mut SqliteConnection) -> Result<MigrationStatus, FileFault> {
    let is_migrated: QueryResult<TableExists> =
        sql_query("SELECT count(*) > 0 AS found FROM sqlite_master WHERE name = '__diesel_schema_migrations'")
            .get_result(conn);
    let taken = if is_migrated?.found { migrations::table.select(migrations::version).load(conn)? } else { Vec::new() };
    Ok(MigrationStatus::compare::<Sqlite>(&MIGRATIONS, taken)?)
}

/// Creates the file and its folder, readable only by their owner; SQLite gives the same rights to the files beside
/// it. A file that exists is not opened: closing it would release the locks of all connections of this process.
fn create(path: &Path) -> Result<(), FileFault> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(fault) if fault.kind() != ErrorKind::AlreadyExists => Err(fault.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use diesel::{
        migration::{Migration, MigrationSource},
        sql_types::{BigInt, Nullable, Text},
    };

    #[derive(QueryableByName)]
    struct Step {
        #[diesel(sql_type = Text)]
        detail: String,
    }

    /// SQLite's plan for a statement.
    fn plan(conn: &mut SqliteConnection, sql: &str) -> String {
        let steps: Vec<Step> = sql_query(format!("EXPLAIN QUERY PLAN {sql}")).load(conn).unwrap();
        steps.iter().map(|step| step.detail.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// A database before this migration, and the migrations from there on. Rows may refer to rows that do not exist.
    fn before_migration(name: &str) -> (SqliteConnection, Vec<Box<dyn Migration<Sqlite>>>) {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.batch_execute("PRAGMA foreign_keys = OFF").unwrap();
        let mut steps: Vec<Box<dyn Migration<Sqlite>>> = MIGRATIONS.migrations().unwrap();
        steps.sort_by_key(|step| step.name().to_string());
        let (before, after): (Vec<_>, Vec<_>) =
            steps.into_iter().partition(|step| step.name().to_string().as_str() < name);
        for step in before {
            step.run(&mut conn).unwrap();
        }
        (conn, after)
    }

    #[test]
    fn sqlite_is_compiled_for_connections_of_one_thread_each() {
        #[derive(QueryableByName)]
        struct Choice {
            #[diesel(sql_type = Text)]
            compile_options: String,
        }
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        let choices: Vec<Choice> = sql_query("PRAGMA compile_options").load(&mut conn).unwrap();
        let made_with = |option: &str| choices.iter().any(|choice| choice.compile_options == option);
        assert!(made_with("THREADSAFE=2") && made_with("ENABLE_QPSG"), "LIBSQLITE3_FLAGS of .cargo/config.toml");
        assert!(!made_with("ENABLE_MEMORY_MANAGEMENT") && !made_with("ENABLE_STAT4"));
    }

    #[test]
    fn events_that_were_written_before_events_had_places_get_them() {
        #[derive(QueryableByName, Debug, PartialEq)]
        struct Place {
            #[diesel(sql_type = Nullable<Text>)]
            page_id: Option<String>,
            #[diesel(sql_type = Nullable<Text>)]
            team_id: Option<String>,
        }
        let (mut conn, after) = before_migration("2026-11-22-235900");
        let things =
            [("page", "pg"), ("team", "tm"), ("share_link", "s"), ("access_request", "a"), ("team_member", "m")];
        for (number, (kind, id)) in things.into_iter().enumerate() {
            let event = format!(
                "INSERT INTO events (workspace_id, sequence, id, type, occurred_at, actor_type, resource_type, resource_id, details) \
                 VALUES ('w', {number}, 'e{number}', 'a.b', 0, 'USER', '{kind}', '{id}', '{{}}')"
            );
            conn.batch_execute(&event).unwrap();
        }
        conn.batch_execute(
            "INSERT INTO share_links (workspace_id, id, resource_id, token_hash, sealed_token, level, include_children, \
                 allow_duplicate, allow_indexing, view_count, created_by, created_at, updated_at) \
             VALUES ('w', 's', 'pg', 'h', x'00', 'VIEW', true, false, false, 0, 'u', 0, 0); \
             INSERT INTO access_requests (workspace_id, id, resource_id, user_id, level, created_at, expires_at) \
             VALUES ('w', 'a', 'pg', 'u', 'VIEW', 0, 0); \
             INSERT INTO team_memberships (workspace_id, team_id, user_id, id, role, created_at) \
             VALUES ('w', 'tm', 'u', 'm', 'MEMBER', 0)",
        )
        .unwrap();
        for step in after {
            step.run(&mut conn).unwrap();
        }
        let places: Vec<Place> =
            sql_query("SELECT page_id, team_id FROM events ORDER BY sequence").load(&mut conn).unwrap();
        let page = || Place { page_id: Some("pg".to_owned()), team_id: None };
        let team = || Place { page_id: None, team_id: Some("tm".to_owned()) };
        assert_eq!(places, [page(), team(), page(), page(), team()]);
    }

    #[test]
    fn earlier_states_of_blocks_are_stored_under_the_newest_version_that_shows_them() {
        #[derive(QueryableByName, Debug, PartialEq)]
        struct State {
            #[diesel(sql_type = Text)]
            block_id: String,
            #[diesel(sql_type = BigInt)]
            last_version: i64,
        }
        let (mut conn, after) = before_migration("2026-11-23-231500");
        // Two versions have the same number; a page of another workspace has a version between these.
        for (workspace, id, number) in [("w", "a", 2), ("w", "b", 5), ("w", "c", 5), ("w", "d", 9), ("x", "e", 7)] {
            let version = format!(
                "INSERT INTO page_versions (workspace_id, page_id, id, page_version, kind, title, block_count, editor_ids, created_at) \
                 VALUES ('{workspace}', 'p', '{id}', {number}, 'auto', '', 1, '', 0)"
            );
            conn.batch_execute(&version).unwrap();
        }
        for (block, since, until) in [("all", 1, 10), ("first", 1, 3), ("none", 6, 9), ("second", 3, 9), ("till", 2, 5)]
        {
            let state = format!(
                "INSERT INTO block_states (workspace_id, page_id, block_id, since, until, parent_id, position, body, version, created_at, updated_at) \
                 VALUES ('w', 'p', '{block}', {since}, {until}, 'p', 'a', '{{}}', 1, 0, 0)"
            );
            conn.batch_execute(&state).unwrap();
        }
        for step in after {
            step.run(&mut conn).unwrap();
        }
        let states: Vec<State> =
            sql_query("SELECT block_id, last_version FROM block_states ORDER BY block_id").load(&mut conn).unwrap();
        let expected = [("all", 9), ("first", 2), ("second", 5), ("till", 2)];
        assert_eq!(states, expected.map(|(block, last_version)| State { block_id: block.to_owned(), last_version }));
    }

    #[test]
    fn token_families_lose_what_was_taken_from_their_grants_before() {
        #[derive(QueryableByName, Debug, PartialEq)]
        struct Reach {
            #[diesel(sql_type = BigInt)]
            scopes: i64,
            #[diesel(sql_type = Text)]
            workspaces: String,
        }
        let (mut conn, after) = before_migration("2026-11-24-014000");
        for (grant, scopes, workspaces) in [("narrow", 1, "b c"), ("wide", 7, "a")] {
            let grant = format!(
                "INSERT INTO oauth_grants (user_id, id, client_id, client_name, client_is_public, scopes, workspaces, created_at, expires_at, over_at) \
                 VALUES ('u', '{grant}', '{grant}', '', true, {scopes}, '{workspaces}', 0, 0, 0)"
            );
            conn.batch_execute(&grant).unwrap();
        }
        let families = [("narrow", 3, "a b"), ("narrow", 1, "a"), ("narrow", 2, "b c"), ("wide", 3, "a")];
        for (number, (grant, scopes, workspaces)) in families.into_iter().enumerate() {
            let family = format!(
                "INSERT INTO oauth_families (user_id, id, client_id, grant_id, scopes, workspaces, proofs, authenticated_at, created_at, expires_at, absolute_end, over_at) \
                 VALUES ('u', '{number}', '{grant}', '{grant}', {scopes}, '{workspaces}', '', 0, 0, 0, 0, 0)"
            );
            conn.batch_execute(&family).unwrap();
        }
        for step in after {
            step.run(&mut conn).unwrap();
        }
        let left: Vec<Reach> =
            sql_query("SELECT scopes, workspaces FROM oauth_families ORDER BY id").load(&mut conn).unwrap();
        let expected = [(1, "b"), (1, ""), (0, "b c"), (3, "a")];
        assert_eq!(left, expected.map(|(scopes, workspaces)| Reach { scopes, workspaces: workspaces.to_owned() }));
    }

    #[test]
    fn statements_take_the_index_that_fits_them_best() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("octavo.db");
        assert!(!migrate(&path).unwrap().is_empty());
        let mut conn = SqliteConnection::establish(&existing(&path, "rw")).unwrap();
        let walk = "WITH RECURSIVE below (id) AS (SELECT 'a' UNION ALL SELECT p.id FROM below AS b \
             JOIN pages AS p ON p.workspace_id = 'w' AND p.container_id = b.id) SELECT id FROM below";
        let plan_of_walk = plan(&mut conn, walk);
        assert!(plan_of_walk.contains("pages_in_order (workspace_id=? AND container_id=?)"), "{plan_of_walk}");
        assert!(!plan_of_walk.contains("BLOOM"), "{plan_of_walk}");
        let newest = "SELECT id FROM pages WHERE workspace_id = 'w' AND trashed_at IS NULL AND access_id IN ('a', 'b') \
             ORDER BY updated_at DESC, id DESC LIMIT 20";
        let plan_of_newest = plan(&mut conn, newest);
        assert!(plan_of_newest.contains("pages_by_change"), "{plan_of_newest}");
        assert!(!plan_of_newest.contains("TEMP B-TREE"), "{plan_of_newest}");
        let counted = "SELECT container_id, access_id, COUNT(*) FROM pages WHERE workspace_id = 'w' AND container_id IN ('a', 'b') \
             AND trashed_at IS NULL GROUP BY container_id, access_id";
        let plan_of_counted = plan(&mut conn, counted);
        assert!(plan_of_counted.contains("COVERING INDEX pages_in_container"), "{plan_of_counted}");
        let events = "SELECT id FROM events WHERE workspace_id = 'w' AND sequence > 5 AND page_id = 'p' ORDER BY sequence LIMIT 500";
        let plan_of_events = plan(&mut conn, events);
        assert!(
            plan_of_events.contains("events_of_page (workspace_id=? AND page_id=? AND sequence>?)"),
            "{plan_of_events}"
        );
        let changed =
            "SELECT sequence, record_id FROM events WHERE workspace_id = 'w' AND database_id = 'd' AND sequence > 5";
        let plan_of_changed = plan(&mut conn, changed);
        assert!(plan_of_changed.contains("COVERING INDEX events_of_database"), "{plan_of_changed}");
        let nodes = "SELECT n.id FROM pages AS n WHERE n.workspace_id = 'w' AND n.has_entries AND n.inherit";
        let plan_of_nodes = plan(&mut conn, nodes);
        assert!(plan_of_nodes.contains("pages_open"), "{plan_of_nodes}");
    }

    #[test]
    fn a_version_is_read_and_removed_without_reading_the_states_of_other_versions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("octavo.db");
        assert!(!migrate(&path).unwrap().is_empty());
        let mut conn = SqliteConnection::establish(&existing(&path, "rw")).unwrap();
        let read = "SELECT body FROM (SELECT DISTINCT page_version FROM page_versions WHERE workspace_id = 'w' AND page_id = 'p' \
             AND page_version >= 5) AS v CROSS JOIN block_states WHERE workspace_id = 'w' AND page_id = 'p' \
             AND last_version = v.page_version AND since <= 5";
        let plan_of_read = plan(&mut conn, read);
        let by_version = "block_states USING PRIMARY KEY (workspace_id=? AND page_id=? AND last_version=? AND since<?)";
        assert!(plan_of_read.contains(by_version), "{plan_of_read}");
        assert!(plan_of_read.contains("COVERING INDEX page_versions_in_order"), "{plan_of_read}");
        let removed =
            "DELETE FROM block_states WHERE workspace_id = 'w' AND page_id = 'p' AND last_version = 5 AND since > 3";
        let plan_of_removed = plan(&mut conn, removed);
        let after = "block_states USING PRIMARY KEY (workspace_id=? AND page_id=? AND last_version=? AND since>?)";
        assert!(plan_of_removed.contains(after), "{plan_of_removed}");
        let kept =
            "UPDATE block_states SET last_version = 3 WHERE workspace_id = 'w' AND page_id = 'p' AND last_version = 5";
        let plan_of_kept = plan(&mut conn, kept);
        let of_version = "block_states USING PRIMARY KEY (workspace_id=? AND page_id=? AND last_version=?)";
        assert!(plan_of_kept.contains(of_version), "{plan_of_kept}");
    }
}
