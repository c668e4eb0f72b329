//! Units are all or nothing, whatever happens to their callers.

use crate::support::{person, read, write};
use octavo_core_model::{StoreError, event::Chain};
use octavo_ports::store::{Record, Store};
use octavo_storage::Options;
use octavo_testkit::{
    Database, database,
    make::{self, NOW},
    wait,
};
use std::{sync::Arc, time::Duration};

/// A store with room for a single unit, so that a lost one is noticed.
async fn narrow(database: &Database) -> Arc<dyn Store> {
    database.store_with(Options { pool_size: 1, ..database::options() }).await
}

async fn leaves_nothing(database: &Database, store: &dyn Store) {
    assert_eq!(database.number("SELECT count(*) FROM users").await, 0);
    assert_eq!(database.number("SELECT count(*) FROM directory").await, 0);
    for number in [1, 2] {
        person(store, number).await;
    }
    if database.is_postgres() {
        let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
                    AND (state LIKE 'idle in transaction%' OR state = 'active')";
        wait::until("no transaction is open", || async { database.number(open).await == 0 }).await;
    }
}

pub(crate) async fn an_abandoned_unit_leaves_nothing(database: &Database) {
    let store = narrow(database).await;
    let mut unit = store.writer().await.unwrap();
    assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
    assert_eq!(
        unit.accounts().find(make::user_id(1)).await.unwrap(),
        Some(make::user(1)),
        "a unit sees its own changes"
    );
    unit.abandon().await.unwrap();
    leaves_nothing(database, &*store).await;
}

pub(crate) async fn a_dropped_unit_leaves_nothing(database: &Database) {
    let store = narrow(database).await;
    let mut unit = store.writer().await.unwrap();
    assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
    drop(unit);
    leaves_nothing(database, &*store).await;
}

pub(crate) async fn a_panic_in_a_unit_leaves_nothing(database: &Database) {
    let store = narrow(database).await;
    let unit = tokio::spawn({
        let store = Arc::clone(&store);
        async move {
            let mut unit = store.writer().await.unwrap();
            assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
            panic!("on purpose");
        }
    });
    assert!(unit.await.unwrap_err().is_panic());
    leaves_nothing(database, &*store).await;
}

/// One unit holds the lock of a user; others wait for the lock or for a place, and are dropped meanwhile.
pub(crate) async fn a_unit_dropped_while_it_waits_leaves_nothing_open(database: &Database) {
    let store = database.store_with(Options { pool_size: 2, ..database::options() }).await;
    let ada = person(&*store, 1).await;
    let mut holder = store.writer().await.unwrap();
    holder.accounts().lock(ada.id).await.unwrap();
    let waiting = (0..3).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut unit = store.writer().await.unwrap();
            unit.accounts().lock(make::user_id(1)).await.unwrap();
            unit.accounts().save_password(make::user_id(1), None).await.unwrap();
            unit.commit(Record::default()).await.unwrap();
        })
    });
    let waiting = waiting.collect::<Vec<_>>();
    if database.is_postgres() {
        let blocked =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        wait::until("a unit waits for the lock", || async { database.number(blocked).await == 1 }).await;
    }
    for unit in waiting {
        unit.abort();
        assert!(unit.await.unwrap_err().is_cancelled());
    }
    holder.accounts().save_password(ada.id, Some(&make::password("$kept"))).await.unwrap();
    holder.commit(Record::default()).await.unwrap();
    assert_eq!(read!(store, view => view.accounts().find_password(ada.id).await), Some(make::password("$kept")));
    write!(store, unit => unit.accounts().remove(&ada).await);
    leaves_nothing(database, &*store).await;
}

pub(crate) async fn nothing_follows_an_error_in_a_unit(database: &Database) {
    let store = narrow(database).await;
    for commits in [true, false] {
        let mut unit = store.writer().await.unwrap();
        assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
        let session = make::session(1, &make::user(1));
        unit.sessions().insert(&session).await.unwrap();
        assert_eq!(unit.sessions().insert(&session).await, Err(StoreError::Unavailable), "the same session again");
        assert_eq!(unit.accounts().find(make::user_id(1)).await, Err(StoreError::Unavailable));
        assert_eq!(unit.accounts().insert(&make::user(2), None).await, Err(StoreError::Unavailable));
        if commits {
            assert_eq!(unit.commit(Record::default()).await, Err(StoreError::Unavailable));
        } else {
            unit.abandon().await.unwrap();
        }
    }
    leaves_nothing(database, &*store).await;
}

pub(crate) async fn a_failed_commit_leaves_nothing(database: &Database) {
    let store = narrow(database).await;
    let mut unit = store.writer().await.unwrap();
    assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
    let audits = vec![make::audit_entry(1, Chain::Deployment); 2];
    let failed = unit.commit(Record { audits, ..Record::default() }).await;
    assert_eq!(failed, Err(StoreError::Unavailable), "two entries with one id");
    leaves_nothing(database, &*store).await;
    assert_eq!(database.number("SELECT count(*) FROM audit_entries").await, 0);
}

pub(crate) async fn a_view_sees_only_what_is_committed(database: &Database) {
    let store = database.store().await;
    let mut view = store.reader().await.unwrap();
    let mut unit = store.writer().await.unwrap();
    assert!(unit.accounts().insert(&make::user(1), None).await.unwrap());
    assert_eq!(view.accounts().find(make::user_id(1)).await, Ok(None));
    unit.commit(Record::default()).await.unwrap();
    assert_eq!(view.accounts().find(make::user_id(1)).await, Ok(Some(make::user(1))), "in the same view");
}

pub(crate) async fn a_committed_unit_survives_the_store(database: &Database) {
    let store = database.store_with(Options::default()).await;
    let ada = person(&*store, 1).await;
    drop(store);
    let store = database.store_with(Options::default()).await;
    assert_eq!(read!(store, view => view.accounts().find(ada.id).await), Some(ada));
}

/// A caller that waits for longer than the timeout is refused as busy, and may try again.
pub(crate) async fn a_unit_that_waits_too_long_is_busy(database: &Database) {
    let options = Options { pool_size: 1, wait_timeout: Duration::from_millis(30), ..database::options() };
    let store = database.store_with(options).await;
    let holder = store.writer().await.unwrap();
    assert_eq!(store.writer().await.err(), Some(StoreError::Busy));
    holder.abandon().await.unwrap();
    person(&*store, 1).await;
}

pub(crate) async fn a_healthy_store_reports_that_it_is_healthy(database: &Database) {
    let store = database.store().await;
    for _ in 0..2 {
        let health = store.health(NOW).await;
        assert!(health.database && health.migrations && health.writable, "{health:?}");
        assert_eq!((health.event_lag_millis, health.job_lag_millis), (0, 0));
    }
}

/// Two nodes, or a command beside a server.
pub(crate) async fn two_stores_on_one_database_agree(database: &Database) {
    // On a busy machine SQLite may let one of them wait for long.
    let options = || Options { wait_timeout: Duration::from_mins(1), ..database::options() };
    let stores = [database.store_with(options()).await, database.store_with(options()).await];
    let writers = (0..40).map(|number: u64| {
        let store = Arc::clone(&stores[usize::from(number.is_multiple_of(2))]);
        tokio::spawn(async move { person(&*store, number).await })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    for store in stores {
        assert_eq!(read!(store, view => view.accounts().list(None, 100).await).len(), 40);
    }
}
