//! Jobs.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    id::JobId,
    job::{
        Checkpoint, Ending, Failure, Finished, Job, JobKind, JobOwner, JobStatus, Pieces, Product, StoredBytes, Warning,
    },
};
use octavo_ports::{
    jobs::{JobSearch, StartedBy},
    store::{Record, Store},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use serde_json::json;
use std::sync::Arc;

const ALL: JobSearch = JobSearch { started_by: StartedBy::Anybody, kind: None, status: None, before: None, limit: 100 };

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + millis)
}

fn owner_of(number: u64) -> JobOwner {
    JobOwner::Workspace(make::workspace_id(number))
}

/// A job of the first workspace, started by the first user.
fn job(number: u64) -> Job {
    make::job(number, make::workspace_id(1), make::user_id(1))
}

async fn put(store: &dyn Store, jobs: &[Job]) {
    let mut unit = store.writer().await.unwrap();
    for job in jobs {
        unit.jobs().insert(job).await.unwrap();
    }
    unit.commit(Record::default()).await.unwrap();
}

fn succeeded() -> Ending {
    let content = StoredBytes {
        pieces: Pieces(vec![3, 4]),
        sha256: "ab".to_owned(),
        name: "a.csv".to_owned(),
        media: "text/csv".to_owned(),
    };
    Ending::Succeeded(Product { facts: json!({ "rows": 2 }), content: Some(content) })
}

pub(crate) async fn a_job_reads_back_as_it_was_saved(database: &Database) {
    let store = database.store().await;
    let mut one = Job { by_key: Some(make::api_key_id(7)), ..job(1) };
    put(&*store, std::slice::from_ref(&one)).await;
    let find = async |owner| read!(store, view => view.jobs().find(owner, make::job_id(1)).await);
    assert_eq!(find(owner_of(1)).await.as_ref(), Some(&one));
    assert_eq!(find(owner_of(2)).await, None, "somebody else's");
    assert_eq!(find(JobOwner::User(make::user_id(1))).await, None);
    one.start_run(at(5));
    one.progress.stage = Some("writing".to_owned());
    (one.progress.done, one.progress.total) = (4, Some(9));
    one.progress.warn(Warning { path: "a".to_owned(), issue: "b".to_owned() });
    one.progress.checkpoint = Some(Checkpoint::AuditExport { through: 4, last: 9, rows: 3, pieces: Pieces(vec![7]) });
    write!(store, unit => unit.jobs().save(&one).await);
    assert_eq!(find(owner_of(1)).await.as_ref(), Some(&one));
    let failure = Failure { code: "X".to_owned(), message: "y".to_owned(), details: vec![json!({ "z": 1 })] };
    for ending in [succeeded(), Ending::Failed(failure), Ending::Cancelled] {
        one.end(ending, at(9));
        write!(store, unit => unit.jobs().save(&one).await);
        assert_eq!(find(owner_of(1)).await.as_ref(), Some(&one));
    }
    let locked = write!(store, unit => unit.jobs().lock(owner_of(1), make::job_id(1)).await);
    assert_eq!(locked, Some(one));
}

pub(crate) async fn jobs_are_listed_by_what_is_asked_for_newest_first(database: &Database) {
    let store = database.store().await;
    let mut jobs: Vec<Job> = (1..=4).map(job).collect();
    jobs[0].created_by = make::user_id(2);
    jobs[1].by_key = Some(make::api_key_id(7));
    jobs[2].start_run(NOW);
    jobs[3].end(succeeded(), NOW);
    put(&*store, &jobs).await;
    put(&*store, &[make::job(5, make::workspace_id(2), make::user_id(1))]).await;
    let list = async |search: JobSearch| -> Vec<JobId> {
        let found = read!(store, view => view.jobs().list(owner_of(1), search).await);
        found.into_iter().map(|job| job.id).collect()
    };
    for (search, expected) in [
        (ALL, vec![4, 3, 2, 1]),
        (JobSearch { limit: 2, ..ALL }, vec![4, 3]),
        (JobSearch { before: Some(make::job_id(3)), ..ALL }, vec![2, 1]),
        (JobSearch { started_by: StartedBy::User(make::user_id(2)), ..ALL }, vec![1]),
        (JobSearch { started_by: StartedBy::Key(make::api_key_id(7)), ..ALL }, vec![2]),
        (JobSearch { kind: Some(JobKind::AuditExport), ..ALL }, vec![4, 3, 2, 1]),
        (JobSearch { kind: Some(JobKind::UserExport), ..ALL }, vec![]),
        (JobSearch { status: Some(JobStatus::Queued), ..ALL }, vec![2, 1]),
        (JobSearch { status: Some(JobStatus::Running), ..ALL }, vec![3]),
        (JobSearch { status: Some(JobStatus::Succeeded), ..ALL }, vec![4]),
    ] {
        assert_eq!(list(search).await, expected.into_iter().map(make::job_id).collect::<Vec<_>>(), "{search:?}");
    }
}

pub(crate) async fn bytes_are_due_when_their_time_is_over(database: &Database) {
    let store = database.store().await;
    let until = |number, millis: Option<i64>| Job { bytes_until: millis.map(at), ..job(number) };
    put(&*store, &[until(1, Some(5)), until(2, None), until(3, Some(3)), until(4, Some(6))]).await;
    let due = async |now, limit| write!(store, unit => unit.jobs().list_due_bytes(now, limit).await);
    let of = |number| (owner_of(1), make::job_id(number));
    assert_eq!(due(at(2), 9).await, []);
    assert_eq!(due(at(5), 9).await, [of(3), of(1)]);
    assert_eq!(due(at(9), 1).await, [of(3)]);
}

pub(crate) async fn the_jobs_of_a_removed_owner_go_with_it(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let other = make::job(2, make::workspace_id(99), ada.id);
    let own = Job { owner: JobOwner::User(ada.id), ..make::job(3, workspace.id, ada.id) };
    put(&*store, &[make::job(1, workspace.id, ada.id), other.clone(), own]).await;
    write!(store, unit => unit.workspaces().remove(workspace.id).await);
    assert_eq!(database.number("SELECT count(*) FROM jobs").await, 2);
    write!(store, unit => unit.accounts().erase(&ada).await);
    let left = read!(store, view => view.jobs().list(other.owner, ALL).await);
    assert_eq!(left, [other]);
    assert_eq!(database.number("SELECT count(*) FROM jobs").await, 1);
}

pub(crate) async fn of_twenty_who_end_a_job_one_does(database: &Database) {
    let store = database.store().await;
    put(&*store, &[job(1)]).await;
    let tries = (0..20).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let mut unit = store.writer().await.unwrap();
            let mut job = unit.jobs().lock(owner_of(1), make::job_id(1)).await.unwrap().unwrap();
            let outcome = job.cancel(at(number));
            if outcome.is_ok() {
                unit.jobs().save(&job).await.unwrap();
            }
            unit.commit(Record::default()).await.unwrap();
            outcome
        })
    });
    let mut outcomes = Vec::new();
    for one in tries.collect::<Vec<_>>() {
        outcomes.push(one.await.unwrap());
    }
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Err(Finished)).count(), 19);
}
