//! The durable queue.

use crate::support::{read, write};
use octavo_core_model::{
    Timestamp,
    chore::{Chore, Queue},
    id::JobId,
};
use octavo_ports::store::{Record, Store};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::{collections::BTreeSet, sync::Arc};

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + millis)
}

async fn lease(store: &dyn Store, queue: Queue, now: Timestamp, until: Timestamp, limit: u32) -> Vec<Chore> {
    write!(store, unit => unit.chores().lease(queue, now, until, limit).await)
}

fn ids(chores: &[Chore]) -> Vec<JobId> {
    chores.iter().map(|chore| chore.id).collect()
}

pub(crate) async fn a_chore_reads_back_when_it_is_due(database: &Database) {
    let store = database.store().await;
    let due = |number, queue, after| Chore { run_at: at(after), ..make::chore(number, queue) };
    let chores = [due(1, Queue::Mail, 5), due(2, Queue::Mail, 2), due(3, Queue::Mail, 9), due(4, Queue::Accounts, 0)];
    for chore in &chores {
        write!(store, unit => unit.chores().insert(chore).await);
    }
    for (queue, now, expected) in [
        (Queue::Mail, at(1), false),
        (Queue::Mail, at(2), true),
        (Queue::Accounts, at(-1), false),
        (Queue::Accounts, at(0), true),
    ] {
        assert_eq!(read!(store, view => view.chores().is_due(queue, now).await), expected);
    }
    assert_eq!(lease(&*store, Queue::Mail, at(1), at(100), 9).await, []);
    let leased = lease(&*store, Queue::Mail, at(5), at(100), 9).await;
    assert_eq!(leased, [chores[1].clone(), chores[0].clone()], "what has waited longest comes first");
    assert_eq!(ids(&lease(&*store, Queue::Accounts, at(5), at(100), 9).await), [make::job_id(4)]);
}

pub(crate) async fn a_leased_chore_is_nobody_elses_until_the_lease_ends(database: &Database) {
    let store = database.store().await;
    for number in 1..=3 {
        write!(store, unit => unit.chores().insert(&make::chore(number, Queue::Mail)).await);
    }
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(0), at(60), 2).await), [1, 2].map(make::job_id));
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(0), at(60), 2).await), [make::job_id(3)]);
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(59), at(90), 2).await), []);
    assert!(!read!(store, view => view.chores().is_due(Queue::Mail, at(59)).await));
    write!(store, unit => unit.chores().remove(Queue::Mail, make::job_id(1)).await);
    write!(store, unit => unit.chores().remove(Queue::Accounts, make::job_id(2)).await);
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(60), at(90), 9).await), [2, 3].map(make::job_id));
}

pub(crate) async fn a_retried_chore_waits_and_counts(database: &Database) {
    let store = database.store().await;
    write!(store, unit => unit.chores().insert(&make::chore(1, Queue::Mail)).await);
    lease(&*store, Queue::Mail, at(0), at(60), 1).await;
    write!(store, unit => unit.chores().retry(Queue::Mail, make::job_id(1), 3, at(20)).await);
    assert_eq!(lease(&*store, Queue::Mail, at(19), at(90), 1).await, []);
    let again = lease(&*store, Queue::Mail, at(20), at(90), 1).await;
    assert_eq!(again, [Chore { attempts: 3, run_at: at(20), ..make::chore(1, Queue::Mail) }]);
}

pub(crate) async fn voiding_leases_frees_what_is_held_and_nothing_else(database: &Database) {
    let store = database.store().await;
    for number in 1..=3 {
        write!(store, unit => unit.chores().insert(&make::chore(number, Queue::Mail)).await);
    }
    write!(store, unit => unit.chores().insert(&make::chore(4, Queue::Jobs)).await);
    lease(&*store, Queue::Mail, at(0), at(60), 2).await;
    lease(&*store, Queue::Jobs, at(0), at(60), 1).await;
    write!(store, unit => unit.chores().retry(Queue::Mail, make::job_id(1), 1, at(50)).await);
    assert_eq!(write!(store, unit => unit.chores().void_leases(at(1)).await), 2);
    assert_eq!(ids(&lease(&*store, Queue::Jobs, at(1), at(61), 9).await), [make::job_id(4)]);
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(1), at(61), 9).await), [3, 2].map(make::job_id));
    assert_eq!(lease(&*store, Queue::Mail, at(49), at(61), 9).await, [], "what waits for its time goes on waiting");
}

pub(crate) async fn workers_at_once_never_get_the_same_chore(database: &Database) {
    let store = database.store().await;
    let mut unit = store.writer().await.unwrap();
    for number in 1..=100 {
        unit.chores().insert(&make::chore(number, Queue::Mail)).await.unwrap();
    }
    unit.commit(Record::default()).await.unwrap();
    let workers = (0..8).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut got = Vec::new();
            loop {
                let leased = lease(&*store, Queue::Mail, at(0), at(60), 3).await;
                if leased.is_empty() {
                    return got;
                }
                got.extend(ids(&leased));
            }
        })
    });
    let mut all = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        all.extend(worker.await.unwrap());
    }
    // A worker that finds the rest locked may stop early; chores that nobody got are still there.
    all.extend(ids(&lease(&*store, Queue::Mail, at(0), at(60), 100).await));
    assert_eq!(all.len(), 100);
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 100);
}

pub(crate) async fn the_store_tells_how_long_chores_have_waited(database: &Database) {
    let store = database.store().await;
    assert_eq!(store.health(at(0)).await.job_lag_millis, 0);
    write!(store, unit => unit.chores().insert(&Chore { run_at: at(10), ..make::chore(1, Queue::Mail) }).await);
    write!(store, unit => unit.chores().insert(&Chore { run_at: at(4), ..make::chore(2, Queue::Accounts) }).await);
    assert_eq!(store.health(at(3)).await.job_lag_millis, 0, "not due yet");
    assert_eq!(store.health(at(11)).await.job_lag_millis, 7);
    lease(&*store, Queue::Accounts, at(11), at(60), 1).await;
    assert_eq!(store.health(at(12)).await.job_lag_millis, 2);
}

pub(crate) async fn only_the_holder_of_a_lease_renews_it(database: &Database) {
    let store = database.store().await;
    for number in 1..=2 {
        write!(store, unit => unit.chores().insert(&make::chore(number, Queue::Mail)).await);
    }
    let extend = async |held, until| write!(store, unit => unit.chores().extend_leases(Queue::Mail, &[1, 2].map(make::job_id), held, until).await);
    lease(&*store, Queue::Mail, at(0), at(60), 9).await;
    write!(store, unit => unit.chores().remove(Queue::Mail, make::job_id(2)).await);
    assert_eq!(extend(at(60), at(80)).await, 1, "the other one is done");
    assert_eq!(lease(&*store, Queue::Mail, at(79), at(99), 9).await, []);
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(80), at(100), 9).await), [make::job_id(1)]);
    assert_eq!(extend(at(80), at(120)).await, 0, "somebody else has it now");
    assert_eq!(ids(&lease(&*store, Queue::Mail, at(100), at(130), 9).await), [make::job_id(1)]);
}
