//! Jobs, and the export of an audit trail as the first of them.

use crate::world::{Calling, Device, Person, World, conflict, denied};
use octavo_app::{
    Call, Reply,
    audit::export,
    chores,
    files::{self, Download},
    job_kinds,
    jobs::{self, Assignment, JobDetails, JobPage, Outcome, Run},
    workspaces::settings,
};
use octavo_core_model::{
    Fault, KeyScope, Role,
    audit::AuditSearch,
    chore::LEASE,
    fault::{Conflict, Denial},
    id::JobId,
    job::{ADDRESS_LIFE, AuditExport, ExportFormat, Failure, Job, JobStatus, RESULT_LIFE},
    session::FRESHNESS,
    settings::SettingsChange,
    time::days,
    token::hex,
};
use octavo_ports::blobs::Blobs;
use sha2::{Digest, Sha256};
use std::time::Duration;

fn everything(format: ExportFormat) -> AuditExport {
    AuditExport { format, search: AuditSearch::all(0) }
}

async fn ask(world: &World, call: Call, wanted: AuditExport) -> Result<Job, Fault> {
    world.write(call, move |unit| Box::pin(export::request(unit, Ok(wanted)))).await
}

async fn get(world: &World, call: Call, id: JobId) -> Result<JobDetails, Fault> {
    world.read(call, move |view| Box::pin(jobs::get(view, Ok(id)))).await
}

async fn cancel(world: &World, call: Call, id: JobId) -> Result<JobDetails, Fault> {
    world.write(call, move |unit| Box::pin(jobs::cancel(unit, Ok(id)))).await
}

async fn list(world: &World, call: Call) -> Vec<JobId> {
    let page = JobPage { kind: None, status: None, before: None, limit: 50 };
    let shown = world.read(call, move |view| Box::pin(jobs::list(view, Ok(page)))).await.unwrap();
    shown.into_iter().map(|shown| shown.job.id).collect()
}

async fn fetch(world: &World, token: &str) -> Result<Download, Fault> {
    let token = token.to_owned();
    world.read(world.nobody(), move |view| Box::pin(async move { files::open(view, &token).await })).await
}

/// Adds this many entries to the trail of the caller's workspace.
async fn live_on(world: &World, call: Call, entries: usize) {
    for number in 0..entries {
        let change = SettingsChange { share_links_allowed: Some(Some(number % 2 == 1)), ..SettingsChange::default() };
        world.write(call.clone(), move |unit| Box::pin(settings::update(unit, Ok(change)))).await.unwrap();
    }
}

/// What a test sees of a refusal that ended a job.
#[expect(clippy::needless_pass_by_value, reason = "jobs hand over the fault")]
pub(crate) fn explain(fault: Fault) -> Failure {
    Failure { code: String::new(), message: format!("{fault:?}"), details: Vec::new() }
}

pub(crate) async fn next_run(world: &World) -> Option<Run> {
    match jobs::next_assignment(&world.engine, &world.blobs, job_kinds::runner, world.now).await.unwrap() {
        Assignment::Run(run) => Some(*run),
        Assignment::Nothing | Assignment::Settled(_) => None,
    }
}

pub(crate) async fn finish(world: &World, mut run: Run) -> Outcome {
    loop {
        if let Some(outcome) = run.step(&world.engine, &world.blobs, explain, world.now).await.unwrap() {
            return outcome;
        }
    }
}

async fn work(world: &World) -> Outcome {
    finish(world, next_run(world).await.expect("a job that waits")).await
}

async fn text(world: &World, download: &Download) -> String {
    let mut bytes = Vec::new();
    for (number, size) in download.content.pieces.0.iter().enumerate() {
        bytes.extend(world.blobs.read(download.folder, number, 0..*size).await.unwrap().expect("a piece"));
    }
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn an_export_holds_what_happened_and_says_so() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    live_on(&world, world.by(&device), 3).await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Ndjson)).await.unwrap();
    assert_eq!((job.status(), job.started_at), (JobStatus::Queued, None));
    assert_eq!(work(&world).await, Outcome::Succeeded);
    let shown = get(&world, world.by(&device), job.id).await.unwrap();
    assert_eq!((shown.job.status(), shown.job.started_at), (JobStatus::Succeeded, Some(world.now)));
    let download = fetch(&world, &shown.download.expect("an address")).await.unwrap();
    let text = text(&world, &download).await;
    // Three changes and the request for the export.
    assert_eq!(text.lines().count(), 4);
    let numbers: Vec<i64> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4], "sealed, oldest first");
    let sum = hex(&Sha256::digest(text.as_bytes()));
    assert_eq!(download.content.sha256, sum);
    let entries = world.audit_records(octavo_core_model::event::Chain::Workspace(device.claims.workspace)).await;
    assert_eq!(entries[0].action, "audit.exported");
    assert_eq!(world.database.number("SELECT count(*) FROM chores WHERE queue = 'jobs'").await, 0);
    let events = world.database.rows("SELECT type, actor_type FROM events WHERE type LIKE 'job.%'").await;
    assert_eq!(events, [["job.succeeded", "USER"]]);
}

#[tokio::test]
async fn filters_narrow_an_export() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    live_on(&world, world.by(&device), 3).await;
    let search = AuditSearch { action: "permission.*".parse().ok(), after_seq: Some(1), ..AuditSearch::all(0) };
    let wanted = AuditExport { format: ExportFormat::Csv, search };
    let job = ask(&world, world.by(&device), wanted).await.unwrap();
    assert_eq!(work(&world).await, Outcome::Succeeded);
    let shown = get(&world, world.by(&device), job.id).await.unwrap();
    let text = text(&world, &fetch(&world, &shown.download.unwrap()).await.unwrap()).await;
    assert_eq!(text.lines().count(), 3, "a head and two rows: {text}");
}

#[tokio::test]
async fn an_export_takes_an_admin_with_a_fresh_proof_or_an_admin_key() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Member).await;
    let wanted = || everything(ExportFormat::Csv);
    let refused = ask(&world, world.by(&bobs).at(ada.workspace), wanted()).await.err();
    assert_eq!(refused, Some(denied(Denial::RequiresRole(Role::Admin))));
    let write = world.key(ada.workspace, KeyScope::Write, &ada);
    assert_eq!(ask(&world, write, wanted()).await.err(), Some(denied(Denial::KeyScope(KeyScope::Admin))));
    let admin = world.key(ada.workspace, KeyScope::Admin, &ada);
    world.pass(FRESHNESS + Duration::from_secs(1));
    assert_eq!(
        ask(&world, world.by(&device), wanted()).await.err(),
        Some(denied(Denial::ReauthRequired { by_password: true }))
    );
    let job = ask(&world, admin, wanted()).await.expect("a key needs no proof");
    assert_eq!((job.created_by, job.by_key.is_some()), (ada.id, true));
}

#[tokio::test]
async fn a_job_is_visible_only_to_its_starter_and_to_admins() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    let (_, eves) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Admin).await;
    let at_ada = |device: &Device| world.by(device).at(ada.workspace);
    let own = ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    let bobs_job = ask(&world, at_ada(&bobs), everything(ExportFormat::Csv)).await.unwrap();
    let (read, admin) =
        (world.key(ada.workspace, KeyScope::Read, &ada), world.key(ada.workspace, KeyScope::Admin, &ada));
    assert_eq!(list(&world, world.by(&device)).await, [bobs_job.id, own.id]);
    assert_eq!(list(&world, at_ada(&bobs)).await, [bobs_job.id, own.id]);
    assert_eq!(list(&world, admin.clone()).await, [bobs_job.id, own.id]);
    assert_eq!(list(&world, read.clone()).await, []);
    assert_eq!(list(&world, world.by(&eves)).await, []);
    assert_eq!(get(&world, read.clone(), own.id).await.err(), Some(Fault::NotFound));
    let needs_write = Some(denied(Denial::KeyScope(KeyScope::Write)));
    assert_eq!(cancel(&world, read, own.id).await.err(), needs_write, "cancelling changes something");
    for call in [world.key(ada.workspace, KeyScope::Write, &ada), world.by(&eves), world.by(&bobs)] {
        assert_eq!(get(&world, call.clone(), own.id).await.err(), Some(Fault::NotFound));
        assert_eq!(cancel(&world, call, own.id).await.err(), Some(Fault::NotFound));
    }
    assert!(get(&world, admin, own.id).await.is_ok());
    while next_run(&world).await.is_some() {}
    // Bob is no longer an admin: he still sees the job that he started, but not its result.
    work_off(&mut world).await;
    world.database.execute("UPDATE memberships SET role = 'MEMBER' WHERE role = 'ADMIN'").await;
    world.database.execute("UPDATE user_workspaces SET role = 'MEMBER' WHERE role = 'ADMIN'").await;
    let at_ada = world.by(&bobs).at(ada.workspace);
    assert_eq!(list(&world, at_ada.clone()).await, [bobs_job.id]);
    assert_eq!(get(&world, at_ada, bobs_job.id).await.unwrap().download, None);
}

/// Continues interrupted jobs until nothing is left to do.
async fn work_off(world: &mut World) {
    world.pass(LEASE);
    while let Some(run) = next_run(world).await {
        assert_eq!(finish(world, run).await, Outcome::Succeeded);
    }
}

#[tokio::test]
async fn a_job_is_cancelled_until_it_has_ended() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let call = || world.by(&device);
    let waiting = ask(&world, call(), everything(ExportFormat::Csv)).await.unwrap();
    assert_eq!(cancel(&world, call(), waiting.id).await.unwrap().job.status(), JobStatus::Cancelled);
    assert_eq!(cancel(&world, call(), waiting.id).await.err(), Some(conflict(Conflict::JobFinished)));
    assert!(next_run(&world).await.is_none(), "nothing is left to do");
    let running = ask(&world, call(), everything(ExportFormat::Csv)).await.unwrap();
    let run = next_run(&world).await.unwrap();
    assert_eq!(cancel(&world, call(), running.id).await.unwrap().job.status(), JobStatus::Cancelled);
    assert_eq!(finish(&world, run).await, Outcome::Lost, "the worker notices");
    assert_eq!(get(&world, call(), running.id).await.unwrap().job.status(), JobStatus::Cancelled);
    let done = ask(&world, call(), everything(ExportFormat::Csv)).await.unwrap();
    assert_eq!(work(&world).await, Outcome::Succeeded);
    assert_eq!(cancel(&world, call(), done.id).await.err(), Some(conflict(Conflict::JobFinished)));
    assert_eq!(world.database.number("SELECT count(*) FROM events WHERE type = 'job.failed'").await, 0);
}

#[tokio::test]
async fn a_cancellation_is_not_replayed_after_losing_access() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let (bob, bobs) = world.newcomer().await;
    world.joins(&bob, &ada, Role::Admin).await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    let id = job.id;
    let again = || async {
        let call = world.by(&bobs).at(ada.workspace).keyed("once", "{}");
        let reply = world.engine.write(call, move |unit| Box::pin(jobs::cancel(unit, Ok(id))), |_| Reply::nothing());
        reply.await.map(|reply| reply.replayed)
    };
    assert_eq!(again().await, Ok(false));
    assert_eq!(again().await, Ok(true), "as long as Bob runs the workspace");
    world.database.execute("UPDATE memberships SET role = 'MEMBER' WHERE role = 'ADMIN'").await;
    world.database.execute("UPDATE user_workspaces SET role = 'MEMBER' WHERE role = 'ADMIN'").await;
    assert_eq!(again().await, Err(Fault::NotFound.into()));
}

/// More than one step can process: a step examines at most a hundred thousand numbers.
async fn stretch(world: &World, person: &Person, gap: i64) {
    world.engine.store.seal_audits().await.unwrap();
    let chain = person.workspace;
    world
        .database
        .execute(&format!("UPDATE audit_entries SET seq = seq + {gap} WHERE chain = '{chain}' AND seq > 1"))
        .await;
    world.database.execute(&format!("UPDATE audit_heads SET seq = seq + {gap} WHERE chain = '{chain}'")).await;
}

#[tokio::test]
async fn an_interrupted_job_resumes_at_its_checkpoint() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    live_on(&world, world.by(&device), 3).await;
    stretch(&world, &ada, 150_000).await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Ndjson)).await.unwrap();
    let mut first = next_run(&world).await.unwrap();
    assert_eq!(first.step(&world.engine, &world.blobs, explain, world.now).await.unwrap(), None);
    let halfway = get(&world, world.by(&device), job.id).await.unwrap().job;
    assert_eq!((halfway.status(), halfway.progress.done), (JobStatus::Running, 100_000));
    assert_eq!(halfway.progress.total, Some(150_004));
    assert!(next_run(&world).await.is_none(), "nobody else gets it");
    world.pass(LEASE);
    let second = next_run(&world).await.expect("its lease is over");
    assert_eq!(finish(&world, first).await, Outcome::Lost, "whoever was slow is too late");
    assert_eq!(finish(&world, second).await, Outcome::Succeeded);
    let shown = get(&world, world.by(&device), job.id).await.unwrap();
    assert_eq!((shown.job.progress.interruptions, shown.job.progress.runs), (1, 2));
    let download = fetch(&world, &shown.download.unwrap()).await.unwrap();
    assert_eq!(download.content.pieces.0.len(), 2, "one piece of each run");
    let text = text(&world, &download).await;
    assert_eq!(text.lines().count(), 4);
    let sum = hex(&Sha256::digest(text.as_bytes()));
    assert_eq!(download.content.sha256, sum, "over the pieces of both");
}

#[tokio::test]
async fn a_job_fails_at_its_fourth_interruption() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    for _ in 0..4 {
        assert!(next_run(&world).await.is_some());
        world.pass(LEASE);
    }
    assert!(next_run(&world).await.is_none());
    let shown = get(&world, world.by(&device), job.id).await.unwrap();
    assert_eq!(shown.job.status(), JobStatus::Failed);
    assert_eq!(world.database.number("SELECT count(*) FROM events WHERE type = 'job.failed'").await, 1);
    world.pass(LEASE);
    assert!(next_run(&world).await.is_none(), "nothing of it is left in the queue");
    assert_eq!(world.database.number("SELECT count(*) FROM chores WHERE queue = 'jobs'").await, 0);
}

#[tokio::test]
async fn a_job_that_is_handed_back_waits_for_the_next_worker_at_once() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    for _ in 0..9 {
        next_run(&world).await.expect("it waits").hand_back(&world.engine, world.now).await.unwrap();
        let shown = get(&world, world.by(&device), job.id).await.unwrap();
        assert_eq!(shown.job.status(), JobStatus::Queued);
    }
    assert_eq!(work(&world).await, Outcome::Succeeded);
}

#[tokio::test]
async fn a_renewed_lease_continues() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    let mut lease = next_run(&world).await.unwrap().lease();
    for _ in 0..3 {
        world.pass_almost(LEASE);
        assert!(next_run(&world).await.is_none());
        assert_eq!(lease.renew(&world.engine, world.now).await, Ok(true));
    }
    world.pass(LEASE);
    let other = next_run(&world).await.expect("it was not renewed");
    assert_eq!(lease.renew(&world.engine, world.now).await, Ok(false), "somebody else has it");
    assert_eq!(finish(&world, other).await, Outcome::Succeeded);
}

#[tokio::test]
async fn a_job_result_is_kept_for_a_week() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let job = ask(&world, world.by(&device), everything(ExportFormat::Csv)).await.unwrap();
    assert_eq!(work(&world).await, Outcome::Succeeded);
    let key = |world: &World| {
        let device = device.clone();
        world.by(&device)
    };
    let first = get(&world, key(&world), job.id).await.unwrap().download.unwrap();
    let second = get(&world, key(&world), job.id).await.unwrap().download.unwrap();
    assert_ne!(first, second, "each reading makes a new one");
    let download = fetch(&world, &first).await.unwrap();
    world.pass_almost(ADDRESS_LIFE);
    assert!(fetch(&world, &first).await.is_ok());
    world.pass(Duration::from_millis(1));
    assert_eq!(fetch(&world, &first).await.err(), Some(denied(Denial::SignatureExpired)));
    assert_eq!(fetch(&world, "nonsense").await.err(), Some(denied(Denial::SignatureInvalid)));
    world.now = job.created_at;
    world.pass_almost(RESULT_LIFE);
    let last = get(&world, key(&world), job.id).await.unwrap().download.expect("the week is not over");
    world.pass(Duration::from_millis(1));
    assert_eq!(get(&world, key(&world), job.id).await.unwrap().download, None);
    chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert!(fetch(&world, &last).await.is_ok(), "it was promised a quarter of an hour");
    world.pass(ADDRESS_LIFE);
    let due = chores::purge(&world.engine, &world.blobs, world.now, true).await.unwrap();
    assert_eq!(due.job_results, 1);
    let gone = chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!(gone.job_results, 1);
    let found = world.blobs.read(download.folder, 0, 0..1).await.unwrap();
    assert_eq!(found, None);
    let shown = get(&world, key(&world), job.id).await.unwrap();
    assert_eq!(shown.job.status(), JobStatus::Succeeded, "the job is remembered");
    world.pass(days(23));
    chores::purge(&world.engine, &world.blobs, world.now, false).await.unwrap();
    assert_eq!(world.database.number("SELECT count(*) FROM jobs").await, 0);
}
