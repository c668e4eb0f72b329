//! PostgreSQL runs units at the same time: changes of a schema and of records wait for each other. SQLite runs one unit
//! at a time.

use crate::{
    support::{owner, read},
    typed_databases::typed,
};
use octavo_core_model::database::Database as Typed;
use octavo_ports::store::{Record as Report, Store};
use octavo_testkit::{Database, fresh_postgres, make, wait};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// Raises the version of the schema under the lock, and returns how many records it found.
fn change_schema(store: &Arc<dyn Store>, database: &Typed) -> JoinHandle<usize> {
    let (store, database) = (Arc::clone(store), database.clone());
    tokio::spawn(async move {
        let mut unit = store.writer().await.unwrap();
        let mut locked = unit.databases().lock(database.workspace, database.id).await.unwrap().unwrap();
        let bags = unit.records().list_bags(database.workspace, database.id, None, 10).await.unwrap();
        locked.schema.version += 1;
        unit.databases().save(&locked).await.unwrap();
        unit.commit(Report::default()).await.unwrap();
        bags.len()
    })
}

/// Writes a record under the shared lock, and returns the version of the schema that it found.
fn write_record(store: &Arc<dyn Store>, database: &Typed, number: u64) -> JoinHandle<i64> {
    let (store, database) = (Arc::clone(store), database.clone());
    tokio::spawn(async move {
        let mut unit = store.writer().await.unwrap();
        let locked = unit.databases().lock_shared(database.workspace, database.id).await.unwrap().unwrap();
        unit.records().insert_many(vec![make::record(number, &database)]).await.unwrap();
        unit.commit(Report::default()).await.unwrap();
        locked.schema.version
    })
}

async fn until_somebody_waits(database: &Database) {
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    wait::until("a unit waits for the lock", || async { database.number(waiting).await == 1 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_schema_waits_for_records_that_are_being_written() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let mut running = store.writer().await.unwrap();
    running.databases().lock_shared(workspace.id, tasks.id).await.unwrap();
    assert_eq!(write_record(&store, &tasks, 1).await.unwrap(), 1, "records are written side by side");
    running.records().insert_many(vec![make::record(2, &tasks)]).await.unwrap();
    let change = change_schema(&store, &tasks);
    until_somebody_waits(&database).await;
    assert!(!change.is_finished());
    running.commit(Report::default()).await.unwrap();
    assert_eq!(change.await.unwrap(), 2, "the change finds both records");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_written_by_the_schema_that_a_running_change_leaves() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let other = typed(&*store, 2, &workspace).await;
    let mut running = store.writer().await.unwrap();
    let mut locked = running.databases().lock(workspace.id, tasks.id).await.unwrap().unwrap();
    locked.schema.version = 5;
    running.databases().save(&locked).await.unwrap();
    let record = write_record(&store, &tasks, 1);
    until_somebody_waits(&database).await;
    assert_eq!(write_record(&store, &other, 2).await.unwrap(), 1, "other databases go on");
    assert!(!record.is_finished());
    running.commit(Report::default()).await.unwrap();
    assert_eq!(record.await.unwrap(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_waits_for_records_that_are_being_written() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let tasks = typed(&*store, 1, &workspace).await;
    let mut running = store.writer().await.unwrap();
    running.databases().lock_shared(workspace.id, tasks.id).await.unwrap();
    running.records().insert_many(vec![make::record(1, &tasks)]).await.unwrap();
    let removal = tokio::spawn({
        let (store, nodes) = (Arc::clone(&store), [tasks.id.node()]);
        async move {
            let mut unit = store.writer().await.unwrap();
            unit.pages().remove_content(workspace.id, &nodes, 100).await.unwrap();
            unit.commit(Report::default()).await.unwrap();
        }
    });
    until_somebody_waits(&database).await;
    running.commit(Report::default()).await.unwrap();
    removal.await.unwrap();
    assert_eq!(read!(store, view => view.records().find(workspace.id, make::record_id(1)).await), None);
    assert_eq!(read!(store, view => view.databases().find(workspace.id, tasks.id).await), None);
}
