//! Jobs and their states.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
use super::*;
use crate::{
    audit::{AuditSearch, Order},
    id::{DatabaseId, PropertyId, WorkspaceId},
};
use serde_json::Value;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

fn job() -> Job {
    let search = AuditSearch { order: Order::Oldest, ..AuditSearch::all(0) };
    let task = Task::AuditExport(AuditExport { format: ExportFormat::Csv, search });
    let owner = JobOwner::Workspace(WorkspaceId::new(1, [1; 10]));
    Job::new(JobId::new(2, [2; 10]), owner, task, UserId::new(3, [3; 10]), NOW)
}

fn later(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + millis)
}

#[test]
fn a_job_that_breaks_off_is_taken_up_three_times_and_then_fails() {
    let mut job = job();
    for run in 1..=4 {
        assert_eq!(job.start_run(later(i64::from(run))), StartOutcome::Run(run));
        assert_eq!(job.progress.interruptions, run - 1);
        assert!(job.is_run(run) && !job.is_run(run - 1));
    }
    assert_eq!(job.started_at, Some(later(1)));
    assert_eq!(job.start_run(later(9)), StartOutcome::GivenUp);
    assert_eq!((job.status(), job.finished_at()), (JobStatus::Failed, Some(later(9))));
    assert_eq!(job.start_run(later(10)), StartOutcome::Over);
}

#[test]
fn a_job_that_was_handed_back_did_not_break_off() {
    let mut job = job();
    for run in 1..=9 {
        assert_eq!(job.start_run(NOW), StartOutcome::Run(run));
        job.hand_back();
        assert!(!job.is_run(run));
    }
    assert_eq!((job.status(), job.progress.interruptions), (JobStatus::Queued, 0));
}

#[test]
fn what_has_ended_is_not_cancelled() {
    let mut waiting = job();
    assert_eq!(waiting.cancel(NOW), Ok(()));
    assert_eq!((waiting.status(), waiting.bytes_until), (JobStatus::Cancelled, None), "it made nothing");
    assert_eq!(waiting.cancel(later(1)), Err(Finished));
    assert_eq!(waiting.finished_at(), Some(NOW));
    let mut running = job();
    running.start_run(NOW);
    assert_eq!(running.cancel(NOW), Ok(()));
    assert!(running.bytes_until.is_some() && !running.is_run(1));
}

#[test]
fn a_result_can_be_fetched_for_a_week_and_its_last_address_works_to_its_end() {
    let mut job = job();
    let content = StoredBytes {
        pieces: Pieces(vec![3]),
        sha256: "0".repeat(64),
        name: "audit.csv".to_owned(),
        media: "text/csv".to_owned(),
    };
    job.end(Ending::Succeeded(Product { facts: Value::Null, content: Some(content.clone()) }), NOW);
    let week = NOW.plus(RESULT_LIFE);
    assert_eq!(job.content(week.minus(Duration::from_millis(1))), Some(&content));
    assert_eq!(job.content(week), None);
    assert_eq!((job.kept_content(), job.bytes_until), (Some(&content), Some(week.plus(ADDRESS_LIFE))));
    job.bytes_until = None;
    assert_eq!(job.kept_content(), None);
}

#[test]
fn a_hundred_warnings_are_kept_and_all_counted() {
    let mut job = job();
    for number in 0..120 {
        job.progress.warn(Warning { path: number.to_string(), issue: "skipped".to_owned() });
    }
    assert_eq!((job.progress.warnings.len(), job.progress.warning_count), (100, 120));
}

fn import() -> DatabaseImport {
    let mapping = serde_json::json!({ "Town": { "name": "City", "type": "text" }, "Internal": null });
    DatabaseImport {
        database: DatabaseId::new(4, [4; 10]),
        delimiter: Some(";".to_owned()),
        mapping: mapping.as_object().unwrap().clone(),
        pieces: Pieces(vec![5, 2]),
    }
}

#[test]
fn bytes_that_a_job_only_reads_are_removed_when_it_has_ended() {
    for ending in [Ending::Cancelled, Ending::Succeeded(Product::default()), Ending::Failed(Failure::interrupted())] {
        let mut job = Job { task: Task::DatabaseImport(import()), ..job() };
        assert_eq!(job.bytes_until, None);
        job.end(ending, NOW);
        assert_eq!(job.bytes_until, Some(NOW));
    }
}

#[test]
fn tasks_and_checkpoints_read_back() {
    let search = AuditSearch {
        action: Some("user.*".parse().unwrap()),
        ip: Some([192, 0, 2, 1].into()),
        from: Some(NOW),
        ..AuditSearch::all(7)
    };
    let task = Task::AuditExport(AuditExport { format: ExportFormat::Ndjson, search });
    let text = serde_json::to_string(&task).unwrap();
    assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task);
    let checkpoint = Checkpoint::AuditExport { through: 3, last: 9, rows: 2, pieces: Pieces(vec![1, 2]) };
    let text = serde_json::to_string(&checkpoint).unwrap();
    assert_eq!(serde_json::from_str::<Checkpoint>(&text).unwrap(), checkpoint);
    let task = Task::DatabaseImport(import());
    let text = serde_json::to_string(&task).unwrap();
    assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task);
    let rejected = vec![RefusedRow { row: 7, column: Some("Due".to_owned()), issue: "invalid_format".to_owned() }];
    let columns = vec![ImportedColumn { index: 3, name: "Due".to_owned(), property: PropertyId::new(5, [5; 10]) }];
    let next = serde_json::json!({ "offset": 9, "row": 8, "line": 8 });
    let checkpoint = Checkpoint::DatabaseImport(ImportCheckpoint {
        next,
        columns,
        imported: 5,
        rejected,
        rejected_count: 1,
        warnings: vec!["A column was left out.".to_owned()],
    });
    let text = serde_json::to_string(&checkpoint).unwrap();
    assert_eq!(serde_json::from_str::<Checkpoint>(&text).unwrap(), checkpoint);
    for owner in [JobOwner::User(UserId::new(1, [1; 10])), JobOwner::Workspace(WorkspaceId::new(1, [1; 10]))] {
        assert_eq!(owner.to_string().parse(), Ok(owner));
        assert_eq!(serde_json::from_str::<JobOwner>(&serde_json::to_string(&owner).unwrap()).unwrap(), owner);
    }
}
