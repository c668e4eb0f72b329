//! SQLite's plans for statements about records and links, of which a database or a relation can have any number.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{existing, migrate};
use diesel::{Connection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query, sql_types::Text};
use tempfile::TempDir;

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

fn migrated() -> (SqliteConnection, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("octavo.db");
    assert!(!migrate(&path).unwrap().is_empty());
    (SqliteConnection::establish(&existing(&path, "rw")).unwrap(), folder)
}

/// Checks that each statement is planned like this, and sorts nothing but the rows of one record.
fn check(cases: &[(&str, &str)]) {
    let (mut conn, _folder) = migrated();
    for (statement, expected) in cases {
        let statement = statement.replace("$SOME", "(SELECT value FROM json_each('[\"a\", \"b\"]'))");
        let steps: Vec<Step> = sql_query(format!("EXPLAIN QUERY PLAN {statement}")).load(&mut conn).unwrap();
        let steps: Vec<_> = steps.iter().map(|step| step.detail.as_str()).collect();
        let plan = steps.join("; ");
        assert!(plan.contains(expected), "{statement}: {plan}");
        assert!(steps.iter().all(|step| *step != "USE TEMP B-TREE FOR ORDER BY"), "{statement}: {plan}");
    }
}

#[test]
fn records_are_found_without_reading_the_others_of_their_database() {
    check(&[
        (
            "SELECT bag FROM records WHERE workspace_id = 'w' AND database_id = 'd' AND archived_at IS NULL \
             AND position >= 'a' AND (position > 'a' OR id > 'r') ORDER BY position, id LIMIT 50",
            "records_in_order (workspace_id=? AND database_id=? AND position>?)",
        ),
        (
            "SELECT bag FROM records WHERE workspace_id = 'w' AND database_id = 'd' AND (has_entries = 0 OR id IN $SOME) \
             AND position >= 'a' AND (position > 'a' OR id > 'r') ORDER BY position, id LIMIT 50",
            "records_in_order (workspace_id=? AND database_id=? AND position>?)",
        ),
        (
            "SELECT bag FROM records WHERE workspace_id = 'w' AND database_id = 'd' AND parent_id = 'p' \
             AND position >= 'a' AND (position > 'a' OR id > 'r') ORDER BY position, id LIMIT 50",
            "records_below (workspace_id=? AND parent_id=? AND database_id=? AND position>?)",
        ),
        (
            "SELECT id, bag FROM records WHERE workspace_id = 'w' AND database_id = 'd' AND id > 'r' ORDER BY id LIMIT 50",
            "records_by_id (workspace_id=? AND database_id=? AND id>?)",
        ),
        (
            "SELECT id FROM records WHERE workspace_id = 'w' AND database_id = 'd' AND has_entries",
            "records_with_entries (workspace_id=? AND database_id=?)",
        ),
        (
            "SELECT parent_id, COUNT(*) FROM records WHERE workspace_id = 'w' AND parent_id IN $SOME GROUP BY parent_id",
            "COVERING INDEX records_below (workspace_id=? AND parent_id=?)",
        ),
        (
            "SELECT position FROM records WHERE workspace_id = 'w' AND database_id = 'd' ORDER BY position DESC LIMIT 1",
            "COVERING INDEX records_in_order (workspace_id=? AND database_id=?)",
        ),
        (
            "DELETE FROM records WHERE workspace_id = 'w' AND id IN $SOME",
            "sqlite_autoindex_records_1 (workspace_id=? AND id=?)",
        ),
    ]);
}

#[test]
fn links_are_found_without_reading_the_others_of_their_relation() {
    check(&[
        (
            "SELECT * FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' AND source_id IN $SOME \
             ORDER BY source_id, source_order, source_id, target_id",
            "record_links_of_source (workspace_id=? AND source_id=? AND property_id=?)",
        ),
        (
            "SELECT * FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' AND target_id IN $SOME \
             ORDER BY target_id, target_order, source_id, target_id",
            "record_links_to (workspace_id=? AND property_id=? AND target_id=?)",
        ),
        (
            "SELECT * FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' AND source_id = 's' \
             AND source_order >= 5 AND (source_order > 5 OR target_id > 't') ORDER BY source_order, target_id LIMIT 50",
            "record_links_of_source (workspace_id=? AND source_id=? AND property_id=? AND source_order>?)",
        ),
        (
            "SELECT * FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' AND target_id = 't' \
             AND target_order >= 5 AND (target_order > 5 OR source_id > 's') ORDER BY target_order, source_id LIMIT 50",
            "record_links_to (workspace_id=? AND property_id=? AND target_id=? AND target_order>?)",
        ),
        (
            "SELECT * FROM record_links WHERE workspace_id = 'w' AND target_id = 't' \
             AND (property_id, source_id) < ('p', 's') ORDER BY property_id DESC, source_id DESC LIMIT 50",
            "record_links_of_target (workspace_id=? AND target_id=? AND (property_id,source_id)<(?,?))",
        ),
        (
            "SELECT source_id, COUNT(*) FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' \
             AND source_id IN $SOME GROUP BY source_id",
            "COVERING INDEX record_links_of_source (workspace_id=? AND source_id=? AND property_id=?)",
        ),
        (
            "DELETE FROM record_links WHERE workspace_id = 'w' AND property_id = 'p' AND source_id = 's' AND target_id IN $SOME",
            "PRIMARY KEY (workspace_id=? AND property_id=? AND source_id=? AND target_id=?)",
        ),
        (
            "WITH picked AS MATERIALIZED (SELECT property_id, source_id, target_id FROM record_links \
                 WHERE workspace_id = 'w' AND target_id IN $SOME LIMIT 500) \
             DELETE FROM record_links WHERE workspace_id = 'w' \
                 AND (property_id, source_id, target_id) IN (SELECT property_id, source_id, target_id FROM picked)",
            "(workspace_id=? AND target_id=? AND property_id=? AND source_id=?)",
        ),
    ]);
}
