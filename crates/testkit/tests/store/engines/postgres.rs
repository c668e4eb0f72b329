//! PostgreSQL has a server that can be slow, unreachable or full, and row locks.

use crate::support::{person, read, write};
use octavo_core_model::{StoreError, account::User};
use octavo_ports::{
    compute::WorkOwner,
    replies::{Claim, KeptReply},
    store::{Record, Store, StoreResult, UnitLength},
};
use octavo_storage::{OpenError, Options, hold_single_node_lock};
use octavo_testkit::{
    Database, database, fresh_postgres,
    make::{self, NOW},
    wait,
};
use std::{future::ready, sync::Arc, time::Duration};
use tokio::task::JoinHandle;

fn impatient() -> Options {
    Options { query_timeout: Duration::from_millis(250), ..database::options() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_is_not_let_go_is_busy() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(impatient()).await;
    let ada = person(&*store, 1).await;
    let mut holder = store.writer().await.unwrap();
    holder.accounts().lock(ada.id).await.unwrap();
    let mut waiting = store.writer().await.unwrap();
    assert_eq!(waiting.accounts().lock(ada.id).await, Err(StoreError::Busy));
    waiting.abandon().await.unwrap();
    holder.commit(Record::default()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_that_another_unit_holds_is_skipped() {
    let Some(database) = fresh_postgres().await else { return };
    crate::consumers::a_cursor_that_another_unit_holds_is_skipped(&database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_units_that_block_each_other_is_rolled_back() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let (mut first, mut second) = (store.writer().await.unwrap(), store.writer().await.unwrap());
    first.accounts().lock(ada.id).await.unwrap();
    second.accounts().lock(bob.id).await.unwrap();
    let (one, other) = tokio::join!(first.accounts().lock(bob.id), second.accounts().lock(ada.id));
    let errors = [one.as_ref().err(), other.as_ref().err()];
    assert_eq!(errors.into_iter().flatten().collect::<Vec<_>>(), [&StoreError::Collision]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_owner_and_all_long_units_leave_connections_to_others() {
    let Some(database) = fresh_postgres().await else { return };
    // Two of the eight connections are for views. Of the others two are for long units, and two for one owner.
    let options = Options { pool_size: 8, wait_timeout: Duration::from_millis(250), ..database::options() };
    let store = database.store_with(options).await;
    let unit = |number, length| store.writer_for(WorkOwner::User(make::user_id(number)), length);
    let mut running = Vec::new();
    for number in 1..=2 {
        running.push(unit(number, UnitLength::MayBeLong).await.unwrap());
    }
    assert_eq!(unit(3, UnitLength::MayBeLong).await.err(), Some(StoreError::Busy), "two are running");
    for _ in 0..2 {
        running.push(unit(4, UnitLength::Short).await.unwrap());
    }
    assert_eq!(unit(4, UnitLength::Short).await.err(), Some(StoreError::Busy), "the share of this owner is used up");
    unit(5, UnitLength::Short).await.unwrap().abandon().await.unwrap();
    for unit in running {
        unit.abandon().await.unwrap();
    }
    unit(4, UnitLength::MayBeLong).await.unwrap().abandon().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_small_pool_one_long_unit_runs_at_a_time() {
    let Some(database) = fresh_postgres().await else { return };
    // None of the three connections is for views.
    let options = Options { pool_size: 3, wait_timeout: Duration::from_millis(250), ..database::options() };
    let store = database.store_with(options).await;
    let unit = |number, length| store.writer_for(WorkOwner::User(make::user_id(number)), length);
    let long = unit(1, UnitLength::MayBeLong).await.unwrap();
    assert_eq!(unit(2, UnitLength::MayBeLong).await.err(), Some(StoreError::Busy), "one is running");
    unit(2, UnitLength::Short).await.unwrap().abandon().await.unwrap();
    long.abandon().await.unwrap();
    unit(2, UnitLength::MayBeLong).await.unwrap().abandon().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn long_units_that_wait_hold_neither_connections_nor_the_share_of_their_owner() {
    let Some(database) = fresh_postgres().await else { return };
    // All three connections are for units, and two of them for one owner.
    let options = Options { pool_size: 3, wait_timeout: Duration::from_millis(250), ..database::options() };
    let store = database.store_with(options).await;
    let unit = |number, length| store.writer_for(WorkOwner::User(make::user_id(number)), length);
    let long = unit(1, UnitLength::MayBeLong).await.unwrap();
    // They are polled from the first to the last, so the long ones wait before the short ones begin.
    let (second, third, of_other, short, short_of_other) = tokio::join!(
        unit(1, UnitLength::MayBeLong),
        unit(1, UnitLength::MayBeLong),
        unit(2, UnitLength::MayBeLong),
        unit(1, UnitLength::Short),
        unit(2, UnitLength::Short),
    );
    for waited in [second, third, of_other] {
        assert_eq!(waited.err(), Some(StoreError::Busy));
    }
    for begun in [Ok(long), short, short_of_other] {
        begun.unwrap().abandon().await.unwrap();
    }
}

/// A server may send messages in another language.
#[tokio::test(flavor = "multi_thread")]
async fn errors_are_distinguished_by_their_codes_whatever_their_words() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store().await;
    let kept = KeptReply { fingerprint: [0; 32], sealed: vec![1], expires_at: NOW };
    for (code, expected) in [
        ("40P01", StoreError::Collision),
        ("40001", StoreError::Collision),
        ("55P03", StoreError::Busy),
        ("57014", StoreError::Timeout),
        ("22012", StoreError::Unavailable),
    ] {
        database
            .execute(&format!(
                "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
                     AS $$ BEGIN RAISE EXCEPTION 'Meldung zu {code}' USING ERRCODE = '{code}'; END $$;
                 CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON idempotent_replies EXECUTE FUNCTION fail()"
            ))
            .await;
        let mut unit = store.writer().await.unwrap();
        assert_eq!(unit.replies().keep(&make::reply_key("usr_1", 1), &kept).await, Err(expected), "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_statement_is_stopped() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(impatient()).await;
    // A slow table: reading each row sleeps.
    database
        .execute(
            "ALTER TABLE users RENAME TO quick;
             CREATE VIEW users AS SELECT * FROM quick WHERE pg_sleep(0.1) IS NOT NULL",
        )
        .await;
    let columns = "id, email, name, display_name, status, locale, timezone, theme, personal_workspace_id, created_at";
    database
        .execute(&format!(
            "INSERT INTO quick ({columns}) SELECT 'usr_' || lpad(i::text, 26, '0'), '', '', '', 'ACTIVE', '', '', '', \
             'wks_' || lpad('', 26, '0'), 0 FROM generate_series(1, 9) i"
        ))
        .await;
    let mut view = store.reader().await.unwrap();
    assert_eq!(view.accounts().list(None, 1).await.map(|users| users.len()), Ok(1));
    assert_eq!(view.accounts().list(None, 9).await, Err(StoreError::Timeout));
}

/// SQLite runs one unit at a time, so the second one finds the reply of the first.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_use_is_busy_at_once_and_kept_afterwards() {
    let Some(database) = fresh_postgres().await else { return };
    let (store, other_node) = (database.store().await, database.store().await);
    let key = make::reply_key("usr_1", 1);
    let mut first = store.writer().await.unwrap();
    assert_eq!(first.replies().claim(&key, NOW).await, Ok(Claim::Free));
    for store in [&store, &other_node] {
        assert_eq!(write!(store, unit => unit.replies().claim(&key, NOW).await), Claim::Busy);
        assert_eq!(write!(store, unit => unit.replies().claim(&make::reply_key("usr_2", 1), NOW).await), Claim::Free);
    }
    let kept = KeptReply { fingerprint: [1; 32], sealed: vec![1], expires_at: NOW };
    first.replies().keep(&key, &kept).await.unwrap();
    first.commit(Record::default()).await.unwrap();
    assert_eq!(write!(other_node, unit => unit.replies().claim(&key, NOW).await), Claim::Kept(kept));
}

/// Closes all connections of stores to the database, and admits no new ones until this is undone.
async fn shut(database: &Database, admin: &tokio_postgres::Client) {
    let name = database.url().split(['/', '?']).nth(3).unwrap();
    let shut = format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false");
    admin.batch_execute(&shut).await.unwrap();
    let cut = format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'");
    admin.batch_execute(&cut).await.unwrap();
}

async fn admin() -> tokio_postgres::Client {
    #[expect(clippy::disallowed_methods, reason = "tests learn from the environment which services there are")]
    let url = std::env::var("OCTAVO_TEST_POSTGRES_URL").unwrap();
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_went_away_is_unavailable_and_heals() {
    let Some(database) = fresh_postgres().await else { return };
    let (store, admin) = (database.store().await, admin().await);
    let ada = person(&*store, 1).await;
    let mut unit = store.writer().await.unwrap();
    unit.accounts().save_password(ada.id, Some(&make::password("$lost"))).await.unwrap();
    shut(&database, &admin).await;
    assert_eq!(unit.commit(Record::default()).await, Err(StoreError::Unavailable));
    let down = || async { store.reader().await.err() == Some(StoreError::Unavailable) };
    wait::until("every cut connection is known to be", down).await;
    assert_eq!(store.writer().await.err(), Some(StoreError::Unavailable));
    let health = store.health(NOW).await;
    assert!(!health.database && !health.writable);
    assert!(matches!(octavo_storage::migration_status(database.url()).await, Err(OpenError::Unreachable(_))));

    let name = database.url().split(['/', '?']).nth(3).unwrap();
    admin.batch_execute(&format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")).await.unwrap();
    assert_eq!(
        read!(store, view => view.accounts().find_password(ada.id).await),
        None,
        "what was not acknowledged is not there"
    );
    assert!(store.health(NOW).await.writable);
}

/// On SQLite the server locks a file next to the database.
#[tokio::test(flavor = "multi_thread")]
async fn a_single_node_reacquires_a_lost_lock() {
    let Some(database) = fresh_postgres().await else { return };
    let holders = "SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                   WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()";
    let lock = hold_single_node_lock(database.url()).await.unwrap();
    assert!(matches!(hold_single_node_lock(database.url()).await, Err(OpenError::Held)));
    let first = database.rows(holders).await;
    assert_eq!(first.len(), 1);
    database.execute(&format!("SELECT pg_terminate_backend({}, 5000)", first[0][0])).await;
    let is_held_again = async || {
        let now = database.rows(holders).await;
        now.len() == 1 && now != first
    };
    wait::until("the lock is held by another connection", is_held_again).await;
    assert!(matches!(hold_single_node_lock(database.url()).await, Err(OpenError::Held)));
    drop(lock);
    wait::until("the next server gets it", async || hold_single_node_lock(database.url()).await.is_ok()).await;
}

/// A view that is dropped in the middle of a statement must not pass its connection on.
#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_statement_delays_nobody() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(Options { pool_size: 1, ..database::options() }).await;
    let ada = person(&*store, 1).await;
    let (locker, connection) = tokio_postgres::connect(database.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    locker.batch_execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let view = tokio::spawn({
        let store: Arc<dyn Store> = Arc::clone(&store);
        async move { store.reader().await.unwrap().accounts().find(make::user_id(1)).await }
    });
    let blocked =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    wait::until("the view waits", || async { database.number(blocked).await == 1 }).await;
    view.abort();
    assert!(view.await.unwrap_err().is_cancelled());
    assert_eq!(
        read!(store, view => view.workspaces().list_own(ada.id).await),
        [],
        "the next view has a connection of its own"
    );
    locker.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(read!(store, view => view.accounts().find(ada.id).await), Some(ada));
}

/// The server processes that run statements of a store on this database.
const SERVER_PROCESSES: &str =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'octavo'";

/// Makes every statement that reads the first account take this many seconds longer.
async fn slow_down_first_account(database: &Database, seconds: f32) {
    let id = make::user_id(1);
    let sql = format!(
        "ALTER TABLE users RENAME TO quick;
         CREATE VIEW users AS SELECT * FROM quick
         WHERE CASE WHEN id = '{id}' THEN pg_sleep({seconds}) IS NOT NULL ELSE TRUE END"
    );
    database.execute(&sql).await;
}

/// Starts looking up the first account, and waits until the server is working on it.
async fn begin_slow_lookup(database: &Database, store: &Arc<dyn Store>) -> JoinHandle<StoreResult<Option<User>>> {
    let lookup = tokio::spawn({
        let store = Arc::clone(store);
        async move { store.reader().await.unwrap().accounts().find(make::user_id(1)).await }
    });
    let sleeping =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    wait::until("the server works on it", || async { database.number(sleeping).await == 1 }).await;
    lookup
}

#[tokio::test(flavor = "multi_thread")]
async fn views_share_connections_and_each_gets_its_own_answer() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(Options { pool_size: 8, ..database::options() }).await;
    for number in 1..=40 {
        person(&*store, number).await;
    }
    let views = (1..=40).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut view = store.reader().await.unwrap();
            for _ in 0..5 {
                let found = view.accounts().find(make::user_id(number)).await.unwrap();
                assert_eq!(found, Some(make::user(number)));
            }
        })
    });
    for view in views.collect::<Vec<_>>() {
        view.await.unwrap();
    }
    let processes = database.rows(SERVER_PROCESSES).await.len();
    assert!(processes <= 8, "{processes} connections, where eight are allowed");
}

/// The time limit counts from the start of a statement, not from when it was sent behind another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_at_its_time_limit_takes_no_other_with_it() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(Options { pool_size: 1, ..impatient() }).await;
    let bob = person(&*store, 2).await;
    person(&*store, 1).await;
    slow_down_first_account(&database, 3.0).await;
    let (mut first, mut second) = (store.reader().await.unwrap(), store.reader().await.unwrap());
    let (slow, quick) = tokio::join!(first.accounts().find(make::user_id(1)), second.accounts().find(bob.id));
    assert_eq!(slow, Err(StoreError::Timeout));
    assert_eq!(quick, Ok(Some(bob.clone())));
    assert_eq!(second.accounts().find(bob.id).await, Ok(Some(bob)), "its view goes on");
}

/// The caller of one statement gives up while another caller's statement waits behind it, and a third view is
/// between two statements.
#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_call_disturbs_no_other() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(Options { pool_size: 1, ..database::options() }).await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let mut between = store.reader().await.unwrap();
    assert_eq!(between.accounts().find(ada.id).await, Ok(Some(ada.clone())), "the statement is prepared");
    slow_down_first_account(&database, 0.3).await;
    let (mut leaving, mut behind) = (store.reader().await.unwrap(), store.reader().await.unwrap());
    let mut given_up = Box::pin(async { leaving.accounts().find(ada.id).await });
    tokio::select! {
        biased;
        found = &mut given_up => panic!("too quick: {found:?}"),
        () = ready(()) => {}
    }
    let mut behind = Box::pin(async { behind.accounts().find(bob.id).await });
    tokio::select! {
        biased;
        found = &mut behind => panic!("{found:?} was not behind anything"),
        () = ready(()) => {}
    }
    drop(given_up);
    drop(leaving);
    assert_eq!(behind.await, Ok(Some(bob.clone())));
    assert_eq!(between.accounts().find(bob.id).await, Ok(Some(bob)));
    assert_eq!(read!(store, view => view.accounts().find(ada.id).await), Some(ada));
    let is_closed = async || database.rows(SERVER_PROCESSES).await.len() <= 2;
    wait::until("the connection that ran the statement is closed", is_closed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_connection_that_breaks_fails_what_is_under_way_and_nothing_else() {
    let Some(database) = fresh_postgres().await else { return };
    let store = database.store_with(Options { pool_size: 1, ..database::options() }).await;
    let bob = person(&*store, 2).await;
    person(&*store, 1).await;
    slow_down_first_account(&database, 3.0).await;
    let mut between = store.reader().await.unwrap();
    assert_eq!(between.accounts().find(bob.id).await, Ok(Some(bob.clone())));
    let lookup = begin_slow_lookup(&database, &store).await;
    let cut = format!("SELECT pg_terminate_backend(pid, 5000) FROM ({SERVER_PROCESSES}) AS processes");
    database.execute(&cut).await;
    assert_eq!(lookup.await.unwrap(), Err(StoreError::Unavailable));
    assert_eq!(between.accounts().find(bob.id).await, Ok(Some(bob.clone())), "it gets another connection");
    assert_eq!(read!(store, view => view.accounts().find(bob.id).await), Some(bob));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_know_the_database_is_not_waited_for() {
    let Some(database) = fresh_postgres().await else { return };
    let name = database.url().split(['/', '?']).nth(3).unwrap();
    let refused = octavo_storage::migration_status(&database.url().replace(name, "octavo_nowhere")).await;
    assert!(matches!(refused, Err(OpenError::Refused(_))), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_database_is_reported_without_its_password() {
    let url = "postgres://ada:sesame@127.0.0.1:1/octavo";
    let Err(OpenError::Unreachable(report)) = octavo_storage::migration_status(url).await else {
        panic!("nobody listens there")
    };
    assert!(!report.contains("sesame"), "{report}");
    let malformed = octavo_storage::open("postgres://ada:sesame@host:port/x", &Options::default()).await;
    let report = malformed.err().unwrap().to_string();
    assert!(!report.contains("sesame"), "{report}");
}
