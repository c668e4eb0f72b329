//! The durable queue.

use crate::support::{read, write};
use octavo_core_model::{
    Timestamp,
    id::JobId,
    job::{Job, Lane},
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

async fn lease(store: &dyn Store, lane: Lane, now: Timestamp, until: Timestamp, limit: u32) -> Vec<Job> {
    write!(store, unit => unit.lease_jobs(lane, now, until, limit).await)
}

fn ids(jobs: &[Job]) -> Vec<JobId> {
    jobs.iter().map(|job| job.id).collect()
}

pub(crate) async fn a_job_reads_back_when_it_is_due(database: &Database) {
    let store = database.store().await;
    let due = |number, lane, after| Job { run_at: at(after), ..make::job(number, lane) };
    let jobs = [due(1, Lane::Mail, 5), due(2, Lane::Mail, 2), due(3, Lane::Mail, 9), due(4, Lane::Accounts, 0)];
    for job in &jobs {
        write!(store, unit => unit.insert_job(job).await);
    }
    for (lane, now, expected) in [
        (Lane::Mail, at(1), false),
        (Lane::Mail, at(2), true),
        (Lane::Accounts, at(-1), false),
        (Lane::Accounts, at(0), true),
    ] {
        assert_eq!(read!(store, view => view.is_job_due(lane, now).await), expected);
    }
    assert_eq!(lease(&*store, Lane::Mail, at(1), at(100), 9).await, []);
    let leased = lease(&*store, Lane::Mail, at(5), at(100), 9).await;
    assert_eq!(leased, [jobs[1].clone(), jobs[0].clone()], "what has waited longest comes first");
    assert_eq!(ids(&lease(&*store, Lane::Accounts, at(5), at(100), 9).await), [make::job_id(4)]);
}

pub(crate) async fn a_leased_job_is_nobody_elses_until_the_lease_ends(database: &Database) {
    let store = database.store().await;
    for number in 1..=3 {
        write!(store, unit => unit.insert_job(&make::job(number, Lane::Mail)).await);
    }
    assert_eq!(ids(&lease(&*store, Lane::Mail, at(0), at(60), 2).await), [1, 2].map(make::job_id));
    assert_eq!(ids(&lease(&*store, Lane::Mail, at(0), at(60), 2).await), [make::job_id(3)]);
    assert_eq!(ids(&lease(&*store, Lane::Mail, at(59), at(90), 2).await), []);
    assert!(!read!(store, view => view.is_job_due(Lane::Mail, at(59)).await));
    write!(store, unit => unit.remove_job(Lane::Mail, make::job_id(1)).await);
    write!(store, unit => unit.remove_job(Lane::Accounts, make::job_id(2)).await);
    assert_eq!(ids(&lease(&*store, Lane::Mail, at(60), at(90), 9).await), [2, 3].map(make::job_id));
}

pub(crate) async fn a_retried_job_waits_and_counts(database: &Database) {
    let store = database.store().await;
    write!(store, unit => unit.insert_job(&make::job(1, Lane::Mail)).await);
    lease(&*store, Lane::Mail, at(0), at(60), 1).await;
    write!(store, unit => unit.retry_job(Lane::Mail, make::job_id(1), 3, at(20)).await);
    assert_eq!(lease(&*store, Lane::Mail, at(19), at(90), 1).await, []);
    let again = lease(&*store, Lane::Mail, at(20), at(90), 1).await;
    assert_eq!(again, [Job { attempts: 3, run_at: at(20), ..make::job(1, Lane::Mail) }]);
}

pub(crate) async fn workers_at_once_never_get_the_same_job(database: &Database) {
    let store = database.store().await;
    let mut unit = store.writer().await.unwrap();
    for number in 1..=100 {
        unit.insert_job(&make::job(number, Lane::Mail)).await.unwrap();
    }
    unit.commit(Record::default()).await.unwrap();
    let workers = (0..8).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut got = Vec::new();
            loop {
                let leased = lease(&*store, Lane::Mail, at(0), at(60), 3).await;
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
    // A worker that finds the rest locked may stop early; what nobody got is still there.
    all.extend(ids(&lease(&*store, Lane::Mail, at(0), at(60), 100).await));
    assert_eq!(all.len(), 100);
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), 100);
}

pub(crate) async fn the_store_tells_how_long_jobs_have_waited(database: &Database) {
    let store = database.store().await;
    assert_eq!(store.health(at(0)).await.job_lag_millis, 0);
    write!(store, unit => unit.insert_job(&Job { run_at: at(10), ..make::job(1, Lane::Mail) }).await);
    write!(store, unit => unit.insert_job(&Job { run_at: at(4), ..make::job(2, Lane::Accounts) }).await);
    assert_eq!(store.health(at(3)).await.job_lag_millis, 0, "not due yet");
    assert_eq!(store.health(at(11)).await.job_lag_millis, 7);
    lease(&*store, Lane::Accounts, at(11), at(60), 1).await;
    assert_eq!(store.health(at(12)).await.job_lag_millis, 2);
}
