//! The rules of group commit. Only SQLite has them: PostgreSQL groups commits inside the server.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed unwrap is a failed test")]

use super::*;
use diesel::{Connection, SqliteConnection, connection::SimpleConnection, prelude::*, sql_query, sql_types::BigInt};
use futures_util::FutureExt;
use octavo_storage_common::Durability;
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::task::yield_now;

struct Fixture {
    writer: Arc<Writer>,
    file: PathBuf,
    _folder: TempDir,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes.db");
        let mut conn = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
        conn.batch_execute(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, place INTEGER, blob BLOB);
             CREATE TABLE answers (note INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED);",
        )
        .unwrap();
        let options = Options { durability: Durability::Relaxed, ..Options::default() };
        let writer = Writer::open(Opener::new(&file, &options), &options).unwrap();
        Self { writer, file, _folder: folder }
    }

    /// The committed notes, in the order in which they were written.
    fn notes(&self) -> Vec<i64> {
        let mut conn = SqliteConnection::establish(self.file.to_str().unwrap()).unwrap();
        let rows = sql_query("SELECT id AS number FROM notes ORDER BY place").load::<Number>(&mut conn).unwrap();
        rows.into_iter().map(|row| row.number).collect()
    }

    async fn wait_for_queue(&self, length: usize) {
        while self.writer.waiting.load(Ordering::SeqCst) < length {
            yield_now().await;
        }
    }

    /// A unit that waits in the queue and so keeps the group before it open until its own turn has passed.
    async fn queued(&self) -> JoinHandle<Result<UnitWriter, StoreError>> {
        let writer = Arc::clone(&self.writer);
        let before = self.writer.waiting.load(Ordering::SeqCst);
        let unit = tokio::spawn(async move { writer.begin_unit().await });
        self.wait_for_queue(before + 1).await;
        unit
    }

    async fn works(&self) {
        let before = self.notes().len();
        let mut unit = self.writer.begin_unit().await.unwrap();
        write(&mut unit, 1000);
        unit.commit().await.unwrap();
        assert_eq!(self.notes().len(), before + 1);
    }
}

fn ask(unit: &mut UnitWriter, sql: &'static str) -> diesel::QueryResult<()> {
    unit.conn().unwrap().batch_execute(sql)
}

fn write(unit: &mut UnitWriter, id: i64) {
    let sql = format!("INSERT INTO notes (id, place) SELECT {id}, count(*) FROM notes");
    unit.conn().unwrap().batch_execute(&sql).unwrap();
}

#[tokio::test]
async fn every_unit_is_answered_after_the_commit_of_its_group() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let second = fixture.queued().await;
    let committed = tokio::spawn(first.commit());
    let second = second.await.unwrap().unwrap();
    let third = fixture.queued().await;
    // It wrote nothing, but may have read what the first unit wrote.
    let undone = tokio::spawn(second.undo());
    let third = third.await.unwrap().unwrap();
    for _ in 0..100 {
        yield_now().await;
    }
    assert!(!committed.is_finished() && !undone.is_finished());
    assert_eq!(fixture.notes(), Vec::<i64>::new());
    drop(third);
    assert_eq!(committed.await.unwrap(), Ok(()));
    assert_eq!(undone.await.unwrap(), Ok(()));
    assert_eq!(fixture.notes(), [1]);
}

#[tokio::test]
async fn a_unit_does_not_wait_for_a_later_one_that_begins_alone() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let writer = Arc::clone(&fixture.writer);
    let second = tokio::spawn(async move { writer.begin_unit_alone().await });
    fixture.wait_for_queue(1).await;
    let committed = tokio::spawn(first.commit());
    let mut second = second.await.unwrap().unwrap();
    assert_eq!(committed.await.unwrap(), Ok(()));
    assert_eq!(fixture.notes(), [1]);
    write(&mut second, 2);
    second.commit().await.unwrap();
    assert_eq!(fixture.notes(), [1, 2]);
}

#[tokio::test]
async fn an_undone_unit_leaves_the_rest_of_its_group() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let second = fixture.queued().await;
    let first = tokio::spawn(first.commit());
    let mut second = second.await.unwrap().unwrap();
    let third = fixture.queued().await;
    write(&mut second, 2);
    drop(second);
    let mut third = third.await.unwrap().unwrap();
    write(&mut third, 3);
    third.commit().await.unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(fixture.notes(), [1, 3]);
}

/// Does what a full or failing disk does: ends the transaction silently.
#[tokio::test]
async fn a_lost_transaction_refuses_its_whole_group() {
    type Ending = fn(UnitWriter) -> futures_util::future::BoxFuture<'static, Option<Result<(), StoreError>>>;
    let endings: [Ending; 3] = [
        |unit| async { Some(unit.commit().await) }.boxed(),
        |unit| async { Some(unit.undo().await) }.boxed(),
        |unit| {
            async {
                drop(unit);
                None
            }
            .boxed()
        },
    ];
    for ending in endings {
        let fixture = Fixture::new();
        let mut first = fixture.writer.begin_unit().await.unwrap();
        write(&mut first, 1);
        let second = fixture.queued().await;
        let first = tokio::spawn(first.commit());
        let mut second = second.await.unwrap().unwrap();
        ask(&mut second, "ROLLBACK").unwrap();
        assert_ne!(ending(second).await, Some(Ok(())));
        assert_eq!(first.await.unwrap(), Err(StoreError::Unavailable));
        assert_eq!(fixture.notes(), Vec::<i64>::new());
        fixture.works().await;
    }
}

#[tokio::test]
async fn a_failed_commit_refuses_its_whole_group() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let second = fixture.queued().await;
    let first = tokio::spawn(first.commit());
    let mut second = second.await.unwrap().unwrap();
    // A violation that SQLite detects only at the commit. Our schema has no such constraint for this reason.
    ask(&mut second, "INSERT INTO answers (note) VALUES (99)").unwrap();
    assert_eq!(second.commit().await, Err(StoreError::Unavailable));
    assert_eq!(first.await.unwrap(), Err(StoreError::Unavailable));
    assert_eq!(fixture.notes(), Vec::<i64>::new());
    fixture.works().await;
}

#[tokio::test]
async fn on_a_full_disk_only_stored_units_are_acknowledged() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let second = fixture.queued().await;
    let first = tokio::spawn(first.commit());
    let mut second = second.await.unwrap().unwrap();
    ask(&mut second, "PRAGMA max_page_count = 10").unwrap();
    let filled = ask(
        &mut second,
        "WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 90)
         INSERT INTO notes SELECT i, i, zeroblob(4000) FROM n",
    );
    assert!(filled.unwrap_err().to_string().contains("full"));
    let refused = second.undo().await;
    let kept = if first.await.unwrap() == Ok(()) { vec![1] } else { Vec::new() };
    assert_eq!(fixture.notes(), kept);
    assert_eq!(refused.is_ok(), !kept.is_empty(), "the units of a group are saved together or not at all");
}

#[tokio::test]
async fn units_run_in_the_order_they_queued() {
    let fixture = Fixture::new();
    let holder = fixture.writer.begin_unit().await.unwrap();
    let mut units = Vec::new();
    for number in 0..20 {
        let writer = Arc::clone(&fixture.writer);
        units.push(tokio::spawn(async move {
            let mut unit = writer.begin_unit().await.unwrap();
            write(&mut unit, number);
            unit.commit().await.unwrap();
        }));
        fixture.wait_for_queue(units.len()).await;
    }
    drop(holder);
    for unit in units {
        unit.await.unwrap();
    }
    assert_eq!(fixture.notes(), (0..20).collect::<Vec<_>>());
}

#[tokio::test]
async fn units_that_wait_share_commits_up_to_a_limit() {
    const UNITS: i64 = 200;
    let fixture = Fixture::new();
    let holder = fixture.writer.begin_unit().await.unwrap();
    let units = (0..UNITS).map(|number| {
        let writer = Arc::clone(&fixture.writer);
        tokio::spawn(async move {
            let mut unit = writer.begin_unit().await.unwrap();
            write(&mut unit, number);
            unit.commit().await.unwrap();
        })
    });
    let units = units.collect::<Vec<_>>();
    fixture.wait_for_queue(200).await;
    drop(holder);
    for unit in units {
        unit.await.unwrap();
    }
    assert_eq!(fixture.notes().len(), 200);
    let groups = fixture.writer.slot.lock().await.groups_begun;
    assert!((4..100).contains(&groups), "{groups} groups of 201 units, at most {LARGEST_GROUP} in each");
}

#[tokio::test]
async fn an_abandoned_wait_delays_nobody() {
    let fixture = Fixture::new();
    let mut first = fixture.writer.begin_unit().await.unwrap();
    write(&mut first, 1);
    let second = fixture.queued().await;
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    first.commit().await.unwrap();
    assert_eq!(fixture.writer.waiting.load(Ordering::SeqCst), 0);
    fixture.works().await;
}

/// An operator's command runs on its own runtime, which ends before the store does.
#[test]
fn a_group_whose_runtime_ended_is_committed_by_the_next_unit() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fixture = Fixture::new();
    runtime().block_on(async {
        let mut unit = fixture.writer.begin_unit().await.unwrap();
        write(&mut unit, 1);
        assert_eq!(unit.commit().now_or_never(), None, "nobody has committed the group");
    });
    assert_eq!(fixture.notes(), Vec::<i64>::new());
    runtime().block_on(async {
        let mut unit = fixture.writer.begin_unit().await.unwrap();
        write(&mut unit, 2);
        unit.commit().await.unwrap();
    });
    assert_eq!(fixture.notes(), [1, 2]);
}

#[tokio::test]
async fn a_writer_that_is_dropped_with_an_open_group_acknowledges_nothing() {
    let fixture = Fixture::new();
    let mut unit = fixture.writer.begin_unit().await.unwrap();
    write(&mut unit, 1);
    let slot = unit.slot.as_mut().unwrap();
    slot.group.as_ref().unwrap().flusher.abort();
    let mut outcome = slot.end_unit("RELEASE unit").unwrap();
    unit.slot = None;
    let Fixture { writer, file, _folder } = fixture;
    while Arc::strong_count(&writer) > 1 {
        yield_now().await;
    }
    drop(writer);
    assert!(outcome.wait_for(Option::is_some).await.is_err());
    let mut conn = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
    let left = sql_query("SELECT count(*) AS number FROM notes").get_result::<Number>(&mut conn).unwrap();
    assert_eq!(left.number, 0);
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_file_is_removed() {
    let fixture = Fixture::new();
    let mut unit = fixture.writer.begin_unit().await.unwrap();
    write(&mut unit, 1);
    let aside = fixture.file.with_extension("aside");
    std::fs::rename(&fixture.file, &aside).unwrap();
    assert_eq!(unit.commit().await, Err(StoreError::Unavailable));
    std::fs::copy(&aside, &fixture.file).unwrap();
    let refused = fixture.writer.begin_unit().await.err();
    assert_eq!(refused, Some(StoreError::Unavailable), "another file stands in its place");
    std::fs::rename(&aside, &fixture.file).unwrap();
    assert_eq!(fixture.notes(), Vec::<i64>::new());
    fixture.works().await;
}
