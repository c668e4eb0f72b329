//! The schema on a cluster that keeps each owner's rows on one node (Citus). SQLite has nothing like that.

use crate::support::person;
use octavo_storage::{OpenError, distribute, owner_columns};
use octavo_testkit::{Database, fresh_postgres, fresh_sqlite};
use std::collections::{BTreeMap, BTreeSet};

const ON_EVERY_NODE: [&str; 2] = ["heartbeats", "signing_keys"];

async fn owners(database: &Database) -> BTreeMap<String, String> {
    owner_columns(database.url()).await.unwrap().into_iter().collect()
}

async fn tables(database: &Database) -> BTreeSet<String> {
    let tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%'";
    database.rows(tables).await.into_iter().flatten().collect()
}

/// The table that a statement of the plan declares.
fn declared(statement: &str) -> String {
    statement.split('\'').nth(1).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_declared_once_and_behind_those_it_refers_to() {
    let Some(database) = fresh_postgres().await else { return };
    let plan = distribute(database.url(), true).await.unwrap();
    let order: Vec<_> = plan.iter().map(|statement| declared(statement)).collect();
    assert_eq!(order.iter().cloned().collect::<BTreeSet<_>>(), tables(&database).await);
    assert_eq!(order.len(), tables(&database).await.len());
    let place = |table: &str| order.iter().position(|declared| declared == table).unwrap();
    let references =
        "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'";
    for reference in database.rows(references).await {
        assert!(place(&reference[1]) <= place(&reference[0]), "{reference:?}");
    }
    for statement in [
        "SELECT create_reference_table('heartbeats')",
        "SELECT create_reference_table('signing_keys')",
        "SELECT create_distributed_table('directory', 'key')",
        "SELECT create_distributed_table('users', 'id')",
        "SELECT create_distributed_table('sessions', 'user_id')",
        "SELECT create_distributed_table('pages', 'workspace_id')",
    ] {
        assert!(plan.iter().any(|planned| planned == statement), "{statement}");
    }
    let kinds = plan.iter().filter(|statement| statement.contains("create_reference_table")).count();
    assert_eq!(kinds, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_other_programs_are_left_alone() {
    let Some(database) = fresh_postgres().await else { return };
    let plan = distribute(database.url(), true).await.unwrap();
    let theirs = "CREATE TABLE notes (id bigint PRIMARY KEY); CREATE TABLE keyless (text text); \
         CREATE TABLE of_pages (workspace_id text COLLATE \"C\", id text COLLATE \"C\", \
             FOREIGN KEY (workspace_id, id) REFERENCES pages (workspace_id, id))";
    database.execute(theirs).await;
    assert_eq!(distribute(database.url(), true).await.unwrap(), plan);
}

/// A cluster requires this of unique indexes, because it checks each on one node.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_unique_is_unique_for_an_owner() {
    let Some(database) = fresh_postgres().await else { return };
    let owners = owners(&database).await;
    let indexes = "SELECT c.relname::text, i.indexrelid::regclass::text, string_agg(a.attname::text, ' ') FROM pg_index AS i \
         JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey) \
         WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_\\_%' GROUP BY 1, 2";
    let indexes = database.rows(indexes).await;
    assert!(indexes.len() >= owners.len());
    for index in indexes.iter().filter(|index| !ON_EVERY_NODE.contains(&index[0].as_str())) {
        assert!(index[2].split(' ').any(|column| column == owners[&index[0]]), "{index:?} leaves out the owner");
    }
}

/// A cluster requires this of foreign keys, because both rows must be on one node.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_row_refers_to_has_the_same_owner() {
    let Some(database) = fresh_postgres().await else { return };
    let owners = owners(&database).await;
    let references = "SELECT c.relname::text, r.relname::text, \
         (SELECT string_agg(a.attname::text, ' ' ORDER BY k.place) FROM unnest(f.conkey) WITH ORDINALITY AS k (number, place) \
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number), \
         (SELECT string_agg(a.attname::text, ' ' ORDER BY k.place) FROM unnest(f.confkey) WITH ORDINALITY AS k (number, place) \
          JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum = k.number) \
         FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS r ON r.oid = f.confrelid \
         WHERE f.contype = 'f'";
    let references = database.rows(references).await;
    assert!(references.len() > 20, "there are references to look at");
    for reference in references {
        let mut pairs = reference[2].split(' ').zip(reference[3].split(' '));
        let is_local = pairs.any(|(from, to)| from == owners[&reference[0]] && to == owners[&reference[1]]);
        assert!(is_local, "{reference:?} leads to another owner");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_citus_nothing_is_distributed() {
    if let Some(database) = fresh_postgres().await {
        let refused = distribute(database.url(), false).await;
        assert!(matches!(refused, Err(OpenError::NoCitus)), "{refused:?}");
        person(&*database.store().await, 1).await;
    }
    let refused = distribute(fresh_sqlite().await.url(), true).await;
    assert!(matches!(refused, Err(OpenError::BadUrl(_))), "{refused:?}");
}

/// Uses manually created replacements of the functions of Citus.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_declared_is_not_declared_again() {
    let Some(database) = fresh_postgres().await else { return };
    database
        .execute(
            "CREATE TABLE pg_dist_partition (logicalrelid regclass, partmethod \"char\", repmodel \"char\");
             CREATE FUNCTION create_distributed_table(name regclass, owner text) RETURNS void LANGUAGE sql
                 AS $$ INSERT INTO pg_dist_partition VALUES (name, 'h', 's') $$;
             CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql
                 AS $$ INSERT INTO pg_dist_partition VALUES (name, 'n', 't') $$",
        )
        .await;
    let planned = distribute(database.url(), true).await.unwrap();
    assert_eq!(database.number("SELECT count(*) FROM pg_dist_partition").await, 0, "a dry run declares nothing");
    assert_eq!(distribute(database.url(), false).await.unwrap(), planned);
    let count = database.number("SELECT count(*) FROM pg_dist_partition").await;
    assert_eq!(usize::try_from(count).unwrap(), planned.len());
    assert_eq!(distribute(database.url(), false).await.unwrap(), Vec::<String>::new());
    database.execute("DELETE FROM pg_dist_partition WHERE logicalrelid = 'pages'::regclass").await;
    assert_eq!(
        distribute(database.url(), false).await.unwrap(),
        ["SELECT create_distributed_table('pages', 'workspace_id')"]
    );
}
