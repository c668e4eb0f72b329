#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
//! Both contenders do the same work: they write the same rows.

use super::*;
use crate::engine::{Database, Engine};
use rusqlite::Connection;
use rusqlite::types::Value;

fn rows(database: &Database, sql: &str) -> Vec<Vec<Value>> {
    let connection = Connection::open(database.url.strip_prefix("sqlite:").unwrap()).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let read = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
    read.collect::<Result<_, _>>().unwrap()
}

fn count(database: &Database, table: &str) -> usize {
    rows(database, &format!("SELECT 1 FROM {table}")).len()
}

fn fresh(folder: &tempfile::TempDir) -> (Database, ThroughStore) {
    let database = Engine::Sqlite.database(folder.path()).unwrap();
    let store = ThroughStore::open(&database).unwrap();
    (database, store)
}

/// Each acknowledged operation is one session and one event, and the events of the workspace have no gaps.
fn writes_what_it_counts(database: &Database, contender: &mut dyn Contender) {
    let before = (count(database, "sessions"), count(database, "events"));
    let operations = (0..2).map(|_| contender.round(Duration::from_millis(40)).unwrap().latencies.len()).sum::<usize>();
    assert!(operations > 0);
    assert_eq!(count(database, "sessions") - before.0, operations);
    assert_eq!(count(database, "events") - before.1, operations);
    let heads = rows(
        database,
        "SELECT h.last_sequence = max(e.sequence) AND count(*) = max(e.sequence)
         FROM event_heads h JOIN events e USING (workspace_id) GROUP BY workspace_id",
    );
    assert!(heads.iter().all(|head| head == &[Value::Integer(1)]), "{heads:?}");
}

#[test]
fn the_store_writes_what_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (database, mut store) = fresh(&folder);
    writes_what_it_counts(&database, &mut store);
}

#[test]
fn the_raw_engine_writes_what_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = fresh(&folder);
    drop(store);
    writes_what_it_counts(&database, &mut RawSqlite::open(&database).unwrap());
}

#[test]
fn the_first_rows_of_both_are_the_same() {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ((ours, mut store), (theirs, unused)) = (fresh(&ours), fresh(&theirs));
    drop(unused);
    let mut raw = RawSqlite::open(&theirs).unwrap();
    for contender in [&mut store as &mut dyn Contender, &mut raw] {
        contender.round(Duration::from_millis(20)).unwrap();
    }
    let first = "SELECT * FROM sessions ORDER BY created_at, user_id LIMIT 24";
    assert_eq!(rows(&ours, first), rows(&theirs, first));
    // Numbers depend on the order of the clients, which differs from run to run.
    let first = "SELECT id, type, workspace_id, occurred_at, actor_type, actor_id, resource_type, resource_id, version,
                 details FROM events ORDER BY occurred_at, id LIMIT 24";
    assert_eq!(rows(&ours, first), rows(&theirs, first));
}
