//! SQLite has one writer and readers in the same process.

use crate::support::person;
use octavo_core_model::StoreError;
use octavo_ports::{compute::WorkOwner, store::Record};
use octavo_storage::{OpenError, Options, migrate, migration_status, open};
use octavo_testkit::{
    database, fresh_sqlite,
    make::{self, NOW},
};
use std::{path::Path, sync::Arc, time::Duration};

/// On PostgreSQL the server enforces the limit; see the test below.
#[tokio::test(flavor = "multi_thread")]
async fn a_view_is_stopped_at_its_time_limit_and_a_unit_is_not() {
    let database = fresh_sqlite().await;
    let store = database.store_with(Options { query_timeout: Duration::ZERO, ..database::options() }).await;
    let ada = person(&*store, 1).await;
    let mut view = store.reader().await.unwrap();
    assert_eq!(view.accounts().list(None, 10).await, Err(StoreError::Timeout));
    assert_eq!(view.accounts().find(ada.id).await, Err(StoreError::Timeout), "its error was the view's last word");
    let mut unit = store.writer().await.unwrap();
    assert_eq!(unit.accounts().list(None, 10).await, Ok(vec![ada]));
    unit.commit(Record::default()).await.unwrap();
}

/// The time limit prevents good plans unless it is folded into the query.
#[tokio::test(flavor = "multi_thread")]
async fn a_view_finds_by_key_among_many() {
    let database = fresh_sqlite().await;
    database
        .execute(
            "INSERT INTO users (id, email, name, display_name, status, locale, timezone, theme, personal_workspace_id, created_at)
             WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
             SELECT printf('usr_%026d', i), '', '', '', 'ACTIVE', '', '', '', 'wks_00000000000000000000000000', 0 FROM n",
        )
        .await;
    database
        .execute(
            "INSERT INTO user_workspaces (user_id, workspace_id, name, is_personal, role, joined_at)
             SELECT id, personal_workspace_id, '', true, 'OWNER', 0 FROM users",
        )
        .await;
    let store = database.store_with(Options { query_timeout: Duration::from_millis(20), ..database::options() }).await;
    let id = "usr_00000000000000000000199999".parse().unwrap();
    let (_, own) = store.reader().await.unwrap().accounts().find_with_workspaces(id).await.unwrap().unwrap();
    assert_eq!(own.len(), 1);
    assert_eq!(store.reader().await.unwrap().accounts().find(id).await.unwrap().unwrap().id, id);
    let mut view = store.reader().await.unwrap();
    assert_eq!(view.accounts().list(Some(id), 5).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_owner_has_half_of_the_readers() {
    let database = fresh_sqlite().await;
    let store = database.store_with(Options { wait_timeout: Duration::from_millis(50), ..database::options() }).await;
    let view = |number| store.reader_for(WorkOwner::User(make::user_id(number)));
    let own = [view(1).await.unwrap(), view(1).await.unwrap()];
    assert_eq!(view(1).await.err(), Some(StoreError::Busy));
    let others = [view(2).await.unwrap(), view(2).await.unwrap()];
    drop(own);
    drop(view(1).await.unwrap());
    drop(others);
}

/// PostgreSQL has as many writers as connections; there the timeout of the pool is the limit.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once() {
    let database = fresh_sqlite().await;
    let store = database.store_with(Options { writer_queue: 3, ..database::options() }).await;
    let holder = store.writer().await.unwrap();
    let waiting = (1..=20).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut unit = store.writer().await?;
            unit.accounts().insert(&make::user(number), None).await?;
            unit.commit(Record::default()).await
        })
    });
    let waiting = waiting.collect::<Vec<_>>();
    let is_over = |unit: &&tokio::task::JoinHandle<_>| unit.is_finished();
    octavo_testkit::wait::until("the others are refused", || {
        let over = waiting.iter().filter(is_over).count();
        async move { over == 16 }
    })
    .await;
    holder.abandon().await.unwrap();
    let mut written = 0;
    for unit in waiting {
        match unit.await.unwrap() {
            Ok(()) => written += 1,
            Err(error) => assert_eq!(error, StoreError::Busy),
        }
    }
    assert_eq!(written, 4, "one at the head of the queue and three behind it");
    assert_eq!(database.number("SELECT count(*) FROM users").await, 4);
}

/// A PostgreSQL database is created by its operator.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_made_by_migrating_and_by_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a folder/50% #1/octavo.db");
    let url = format!("sqlite://{}", file.display());
    let status = migration_status(&url).await.unwrap();
    assert!(!status.pending.is_empty() && status.applied.is_empty());
    assert!(matches!(open(&url, &Options::default()).await, Err(OpenError::Missing(_))));
    assert!(!file.parent().unwrap().exists(), "nobody asked for a file");
    assert_eq!(migrate(&url).await.unwrap(), status.pending);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let store = open(&url, &Options::default()).await.unwrap();
    person(&*store, 1).await;
    assert!(store.health(NOW).await.writable);
}

/// Asserts that the file is reported as damaged, by name.
async fn is_reported_as_damaged(file: &Path) {
    let url = format!("sqlite:{}", file.display());
    let opened = open(&url, &Options::default()).await.map(drop);
    for refused in [opened, migration_status(&url).await.map(drop), migrate(&url).await.map(drop)] {
        let Err(OpenError::Damaged { path, .. }) = &refused else { panic!("{refused:?}") };
        assert_eq!(path, &file.display().to_string());
    }
}

/// A file that is not a database; PostgreSQL has no equivalent.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.txt");
    std::fs::write(&file, "Dear Ada, ".repeat(100)).unwrap();
    is_reported_as_damaged(&file).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Dear Ada, ".repeat(100));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_lost_its_end_is_reported_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("octavo.db");
    migrate(&format!("sqlite:{}", file.display())).await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    // The first page stays: the file still looks like a database.
    std::fs::write(&file, &whole[..whole.len() / 2 / 4096 * 4096]).unwrap();
    is_reported_as_damaged(&file).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_hold_a_database_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let refused = migrate(&format!("sqlite:{}/octavo.db", file.display())).await;
    let Err(OpenError::Unusable { path, .. }) = &refused else { panic!("{refused:?}") };
    assert!(path.ends_with("a file/octavo.db"), "{path}");
}

/// Another process holds the lock of the file; PostgreSQL locks rows, see the test below.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_locked_by_another_process_is_busy_and_heals() {
    let database = fresh_sqlite().await;
    let store = database.store_with(Options { wait_timeout: Duration::from_millis(50), ..database::options() }).await;
    let other = rusqlite::Connection::open(database.url().strip_prefix("sqlite:").unwrap()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(store.writer().await.err(), Some(StoreError::Busy));
    assert!(store.reader().await.unwrap().accounts().find(make::user_id(1)).await.unwrap().is_none(), "views go on");
    let health = store.health(NOW).await;
    assert!(health.database && !health.writable);
    other.execute_batch("ROLLBACK").unwrap();
    person(&*store, 1).await;
}
