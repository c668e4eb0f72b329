//! Imports of tables that run as jobs.

use crate::{
    jobs::{explain, finish, next_run},
    world::{Device, World, conflict},
};
use octavo_app::{
    Call, Caller,
    csv_import::job::{self, Intake, WantedImport},
    databases::{self, DatabasePlace, NewDatabase},
    jobs::{self, Outcome},
};
use octavo_core_model::{
    Fault, KeyScope,
    chore::LEASE,
    fault::Conflict,
    id::{DatabaseId, JobId},
    job::{Ending, Job, JobState, JobStatus, Pieces},
    time::days,
    workspace::Limit,
};
use octavo_ports::{blobs::Blobs, store::Record};
use octavo_testkit::make;
use serde_json::Value;
use std::time::Duration;

fn long_table(rows: usize) -> String {
    (0..rows).fold("Name\n".to_owned(), |file, row| file + &format!("Row {row}\n"))
}

async fn database(world: &World, call: Call) -> DatabaseId {
    let made = world.write(call, |unit| {
        Box::pin(databases::create(unit, Ok(DatabasePlace::default()), Ok(NewDatabase::default())))
    });
    made.await.unwrap().database.id
}

async fn admit(world: &World, call: Call, id: DatabaseId) -> Result<Intake, Fault> {
    world.write(call, move |unit| Box::pin(job::admit(unit, Ok(id), Ok(WantedImport::default())))).await
}

/// Stores a file in several pieces.
async fn store(world: &World, intake: Intake, file: &str) -> Pieces {
    let mut sizes = Vec::new();
    for (number, piece) in file.as_bytes().chunks(1_000).enumerate() {
        world.blobs.put(intake.folder(), number, piece.to_vec()).await.unwrap();
        sizes.push(piece.len() as u64);
    }
    Pieces(sizes)
}

async fn start(world: &World, call: Call, id: DatabaseId, file: &str) -> Result<Job, Fault> {
    let intake = admit(world, call.clone(), id).await?;
    let pieces = store(world, intake, file).await;
    world.write(call, move |unit| Box::pin(job::start(unit, intake, Ok(id), Ok(WantedImport::default()), pieces))).await
}

/// The file of an import that has just been started.
async fn started(world: &World, device: &Device) -> Intake {
    let id = database(world, call(world, device)).await;
    let intake = admit(world, call(world, device), id).await.unwrap();
    let pieces = store(world, intake, &long_table(10)).await;
    let wanted = Ok(WantedImport::default());
    let start =
        world.write(call(world, device), move |unit| Box::pin(job::start(unit, intake, Ok(id), wanted, pieces)));
    start.await.unwrap();
    intake
}

async fn shown(world: &World, call: Call, id: JobId) -> Job {
    world.read(call, move |view| Box::pin(jobs::get(view, Ok(id)))).await.unwrap().job
}

async fn count(world: &World) -> i64 {
    world.database.number("SELECT count(*) FROM records").await
}

async fn bytes_left(world: &World, intake: Intake) -> bool {
    world.blobs.read(intake.folder(), 0, 0..1).await.unwrap().is_some()
}

fn result(job: &Job) -> &Value {
    match &job.state {
        JobState::Ended { ending: Ending::Succeeded(product), .. } => &product.facts,
        state => panic!("{state:?}"),
    }
}

fn call(world: &World, device: &Device) -> Call {
    world.by(device)
}

#[tokio::test]
async fn an_interrupted_import_goes_on_behind_its_last_portion() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let id = database(&world, call(&world, &device)).await;
    let job = start(&world, call(&world, &device), id, &long_table(1_050)).await.unwrap();
    let mut first = next_run(&world).await.unwrap();
    while count(&world).await < 400 {
        assert_eq!(first.step(&world.engine, &world.blobs, explain, world.now).await.unwrap(), None);
    }
    let halfway = shown(&world, call(&world, &device), job.id).await;
    assert_eq!((halfway.progress.done, halfway.progress.total), (400, Some(1_050)), "written with the rows");
    world.pass(LEASE);
    let second = next_run(&world).await.expect("its lease is over");
    assert_eq!(finish(&world, first).await, Outcome::Lost, "whoever was slow writes nothing more");
    assert_eq!(count(&world).await, 400);
    assert_eq!(finish(&world, second).await, Outcome::Succeeded);
    let ended = shown(&world, call(&world, &device), job.id).await;
    assert_eq!((count(&world).await, &result(&ended)["importedRecords"]), (1_050, &Value::from(1_050)));
    assert_eq!(world.database.number("SELECT count(*) FROM events WHERE type = 'page.imported'").await, 1);
    assert_eq!(world.database.number("SELECT count(DISTINCT bag) FROM records").await, 1_050);
}

#[tokio::test]
async fn an_import_whose_end_was_not_recorded_writes_nothing_twice() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let id = database(&world, call(&world, &device)).await;
    let job = start(&world, call(&world, &device), id, &long_table(300)).await.unwrap();
    assert_eq!(finish(&world, next_run(&world).await.unwrap()).await, Outcome::Succeeded);
    let done = shown(&world, call(&world, &device), job.id).await;
    assert_eq!(done.status(), JobStatus::Succeeded);
    assert_eq!(world.database.number("SELECT count(*) FROM chores WHERE queue = 'jobs'").await, 0);
    assert_eq!(next_run(&world).await.map(|run| run.id()), None);
    assert_eq!(count(&world).await, 300);
}

#[tokio::test]
async fn the_file_goes_when_the_import_ends() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let intake = started(&world, &device).await;
    assert!(bytes_left(&world, intake).await);
    assert_eq!(finish(&world, next_run(&world).await.unwrap()).await, Outcome::Succeeded);
    assert!(!bytes_left(&world, intake).await);
}

#[tokio::test]
async fn a_file_of_which_no_job_came_is_removed_after_a_day() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let id = database(&world, call(&world, &device)).await;
    let intake = admit(&world, call(&world, &device), id).await.unwrap();
    store(&world, intake, &long_table(10)).await;
    assert!(next_run(&world).await.is_none() && bytes_left(&world, intake).await, "it may still arrive");
    world.pass(days(1));
    assert!(next_run(&world).await.is_none() && !bytes_left(&world, intake).await);
    assert_eq!(world.database.number("SELECT count(*) FROM chores WHERE queue = 'jobs'").await, 0);
    let other = admit(&world, call(&world, &device), id).await.unwrap();
    store(&world, other, &long_table(10)).await;
    job::discard(&world.engine, other, world.now).await.unwrap();
    assert!(next_run(&world).await.is_none() && bytes_left(&world, other).await, "a unit may still start the job");
    world.pass(Duration::from_mins(2));
    assert!(next_run(&world).await.is_none() && !bytes_left(&world, other).await);
    assert_eq!(world.database.number("SELECT count(*) FROM chores WHERE queue = 'jobs'").await, 0);
}

#[tokio::test]
async fn a_sender_that_hangs_up_while_its_job_starts_takes_nothing_from_it() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let intake = started(&world, &device).await;
    job::discard(&world.engine, intake, world.now).await.unwrap();
    assert_eq!(finish(&world, next_run(&world).await.unwrap()).await, Outcome::Succeeded);
}

#[tokio::test]
async fn a_database_gets_one_import_at_a_time_and_a_workspace_ten() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let mut last = None;
    for _ in 0..10 {
        let id = database(&world, call(&world, &device)).await;
        start(&world, call(&world, &device), id, "Name\nA\n").await.unwrap();
        let again = start(&world, call(&world, &device), id, "Name\nA\n").await;
        assert_eq!(again.err(), Some(conflict(Conflict::JobRunning)));
        last = Some(id);
    }
    let other = database(&world, call(&world, &device)).await;
    let refused = start(&world, call(&world, &device), other, "Name\nA\n").await;
    assert_eq!(refused.err(), Some(conflict(Conflict::JobRunning)));
    while let Some(run) = next_run(&world).await {
        assert_eq!(finish(&world, run).await, Outcome::Succeeded);
    }
    assert!(start(&world, call(&world, &device), last.unwrap(), "Name\nA\n").await.is_ok());
}

#[tokio::test]
async fn the_import_of_a_revoked_key_ends() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let id = database(&world, call(&world, &device)).await;
    let key = world.key(ada.workspace, KeyScope::Write, &ada);
    let Caller::Key(presented) = key.caller.clone() else { panic!("a key") };
    let mut unit = world.engine.store.writer().await.unwrap();
    unit.api_keys().insert(&presented.key, &make::hash(1)).await.unwrap();
    unit.commit(Record::default()).await.unwrap();
    let job = start(&world, key, id, &long_table(600)).await.unwrap();
    let mut run = next_run(&world).await.unwrap();
    while count(&world).await == 0 {
        run.step(&world.engine, &world.blobs, explain, world.now).await.unwrap();
    }
    let author = world.database.rows("SELECT DISTINCT actor_type FROM events WHERE type = 'record.created'").await;
    assert_eq!(author, [["API_KEY"]]);
    world.database.execute("UPDATE api_keys SET revoked_at = 1").await;
    let Outcome::Failed(reason) = finish(&world, run).await else { panic!("it goes on") };
    assert!(reason.contains("KeyRevoked"), "{reason}");
    assert_eq!(shown(&world, call(&world, &device), job.id).await.status(), JobStatus::Failed);
    assert_eq!(count(&world).await, 200, "what was written is kept");
}

#[tokio::test]
async fn an_import_by_somebody_who_has_written_too_much_waits() {
    let mut world = World::ruled(|rules| rules.written_bytes = Limit::AtMost(200_000)).await;
    let (_, device) = world.newcomer().await;
    let id = database(&world, call(&world, &device)).await;
    let job = start(&world, call(&world, &device), id, &long_table(900)).await.unwrap();
    let mut waits = 0;
    loop {
        match next_run(&world).await {
            Some(run) => match finish(&world, run).await {
                Outcome::PutOff => {
                    waits += 1;
                    let waiting = shown(&world, call(&world, &device), job.id).await;
                    assert_eq!((waiting.status(), waiting.progress.interruptions), (JobStatus::Queued, 0));
                    assert_eq!(waiting.progress.stage, None);
                }
                outcome => {
                    assert_eq!(outcome, Outcome::Succeeded);
                    break;
                }
            },
            None => world.pass(Duration::from_mins(10)),
        }
    }
    assert!(waits > 0);
    assert_eq!(count(&world).await, 900);
}
