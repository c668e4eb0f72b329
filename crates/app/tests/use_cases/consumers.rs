//! Consumers of the event log: each event has its effect once, whatever fails and however many work.

use crate::world::{Person, World};
use octavo_app::{
    Interrupt, Unit,
    consumers::{self, Advance, Batch, Consumer, Handled},
    engine::Fut,
};
use octavo_core_model::{
    Fault, StoreError,
    consumer::{ConsumerName, SetAside},
    event::EventType,
    id::{NotificationId, UserId, WorkspaceId},
    notification::{Notification, NotificationType, Subject},
};
use octavo_ports::{notifications::NotificationFilter, store::Record};
use octavo_testkit::make;
use std::time::Duration;

/// Writes down each event that it handles, as a notification of one user.
struct Clerk {
    reader: UserId,
    /// It cannot handle this event.
    stumbles_over: Option<i64>,
    /// What the stumbling is.
    stone: Fault,
    /// It handles an event in this many units.
    portions: usize,
}

impl Clerk {
    /// A consumer lives as long as its process.
    fn employ(reader: &Person, stumbles_over: Option<i64>, portions: usize) -> &'static dyn Consumer {
        let stone = Fault::Internal("a stone");
        Box::leak(Box::new(Self { reader: reader.id, stumbles_over, stone, portions }))
    }

    /// One that takes too long for an event.
    fn slow(reader: &Person, event: i64) -> &'static dyn Consumer {
        let stone = StoreError::Timeout.into();
        Box::leak(Box::new(Self { reader: reader.id, stumbles_over: Some(event), stone, portions: 1 }))
    }

    async fn write_down(&self, unit: &mut Unit, batch: &Batch) -> Result<Handled, Interrupt> {
        for (number, event) in batch.events.iter().enumerate() {
            let sequence = event.logged.sequence;
            if self.stumbles_over == Some(sequence) {
                return Err(self.stone.clone().into());
            }
            let part: usize = if number == 0 { batch.place.as_deref().unwrap_or("0").parse().unwrap() } else { 0 };
            let id = NotificationId::new(sequence * 100 + i64::try_from(part).unwrap(), rand_bits(unit));
            unit.tx.notifications().insert(&[line(self.reader, event.logged.workspace, id)]).await?;
            if part + 1 < self.portions {
                return Ok(Handled::Until { events: number, place: Some((part + 1).to_string()) });
            }
        }
        Ok(Handled::Everything)
    }
}

/// Different in each unit, so that an event that is handled twice leaves two lines.
fn rand_bits(unit: &Unit) -> [u8; 10] {
    use std::sync::atomic::{AtomicU64, Ordering};
    static UNITS: AtomicU64 = AtomicU64::new(0);
    let mut bits = [0; 10];
    bits[..8].copy_from_slice(&UNITS.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    bits[8] = u8::from(unit.call.key.is_some());
    bits
}

fn line(user: UserId, workspace: WorkspaceId, id: NotificationId) -> Notification {
    Notification {
        id,
        user,
        workspace,
        kind: NotificationType::System,
        action: id.to_string(),
        actor: None,
        subject: Subject::Workspace(workspace),
        count: 1,
        read_at: None,
        archived_at: None,
        created_at: make::NOW,
        updated_at: make::NOW,
    }
}

impl Consumer for Clerk {
    fn name(&self) -> ConsumerName {
        ConsumerName::Notifications
    }

    fn wants(&self, kind: EventType) -> bool {
        kind == EventType::UserProfileUpdated
    }

    fn handle<'a>(&'a self, unit: &'a mut Unit, batch: &'a Batch) -> Fut<'a, Handled> {
        Box::pin(self.write_down(unit, batch))
    }
}

/// Adds events to the log.
async fn emit(world: &World, workspace: WorkspaceId, numbers: std::ops::Range<u64>) {
    let events = numbers.map(|number| make::event(number, workspace)).collect();
    let unit = world.engine.store.writer().await.unwrap();
    unit.commit(Record { events, ..Record::default() }).await.unwrap();
    world.engine.store.number_events().await.unwrap();
}

/// How many lines there are.
async fn lines(world: &World, reader: &Person) -> usize {
    let mut view = world.engine.store.reader().await.unwrap();
    view.notifications().list(reader.id, &NotificationFilter::default(), None, 10_000).await.unwrap().len()
}

async fn advance(world: &World, consumer: &'static dyn Consumer, workspace: WorkspaceId) -> Advance {
    consumers::advance(&world.engine, consumer, workspace, world.now).await.unwrap()
}

async fn finish(world: &World, consumer: &'static dyn Consumer, workspace: WorkspaceId) {
    while advance(world, consumer, workspace).await != Advance::AtEnd {}
}

#[tokio::test]
async fn each_event_is_handled_once() {
    let mut world = World::new().await;
    let reader = world.person().await;
    let clerk = Clerk::employ(&reader, None, 1);
    emit(&world, reader.workspace, 1..151).await;
    assert_eq!(advance(&world, clerk, reader.workspace).await, Advance::Moved, "a batch is limited");
    finish(&world, clerk, reader.workspace).await;
    assert_eq!(lines(&world, &reader).await, 150);
    assert_eq!(advance(&world, clerk, reader.workspace).await, Advance::AtEnd);
    emit(&world, reader.workspace, 151..152).await;
    finish(&world, clerk, reader.workspace).await;
    assert_eq!(lines(&world, &reader).await, 151);
}

#[tokio::test]
async fn a_long_event_goes_on_where_it_stopped() {
    let mut world = World::new().await;
    let reader = world.person().await;
    let clerk = Clerk::employ(&reader, None, 3);
    emit(&world, reader.workspace, 1..5).await;
    assert_eq!(advance(&world, clerk, reader.workspace).await, Advance::Moved);
    assert_eq!(lines(&world, &reader).await, 1, "a unit has one portion");
    finish(&world, clerk, reader.workspace).await;
    assert_eq!(lines(&world, &reader).await, 12);
}

#[tokio::test]
async fn an_event_that_takes_too_long_is_tried_for_minutes_before_later_ones_go_on() {
    let mut world = World::new().await;
    let reader = world.person().await;
    emit(&world, reader.workspace, 1..4).await;
    let mut view = world.engine.store.reader().await.unwrap();
    let last = view.events().find_log_ends(reader.workspace).await.unwrap().last_sequence;
    drop(view);
    let clerk = Clerk::slow(&reader, last - 1);
    let begun = world.now;
    while advance(&world, clerk, reader.workspace).await != Advance::AtEnd {
        world.pass(Duration::from_secs(1));
    }
    assert_eq!(lines(&world, &reader).await, 2, "those before and behind it are handled");
    let waited = world.now.since(begun);
    assert!(waited > Duration::from_mins(4) && waited < Duration::from_mins(6), "{waited:?}");
}

#[tokio::test]
async fn an_event_that_cannot_be_handled_is_set_aside_and_holds_nothing_up() {
    let mut world = World::new().await;
    let reader = world.person().await;
    // The first events of the workspace come from its registration.
    let mut view = world.engine.store.reader().await.unwrap();
    let before = view.events().find_log_ends(reader.workspace).await.unwrap().last_sequence;
    drop(view);
    emit(&world, reader.workspace, 1..11).await;
    let stone = before + 4;
    let clerk = Clerk::employ(&reader, Some(stone), 1);
    assert!(matches!(advance(&world, clerk, reader.workspace).await, Advance::Failed(_)), "as a batch");
    assert_eq!(lines(&world, &reader).await, 0, "a failed batch has no effect");
    for expected in 1..=3 {
        assert_eq!(advance(&world, clerk, reader.workspace).await, Advance::Moved);
        assert_eq!(lines(&world, &reader).await, expected);
    }
    for attempt in 1..=3 {
        assert!(matches!(advance(&world, clerk, reader.workspace).await, Advance::Failed(_)), "attempt {attempt}");
        if attempt < 3 {
            assert_eq!(advance(&world, clerk, reader.workspace).await, Advance::NotNow, "after attempt {attempt}");
            world.pass(Duration::from_secs(5));
        }
    }
    finish(&world, clerk, reader.workspace).await;
    assert_eq!(lines(&world, &reader).await, 9, "all others are handled");
    let mut view = world.engine.store.reader().await.unwrap();
    let name = ConsumerName::Notifications;
    let aside = view.consumers().list_set_aside(reader.workspace, name, 10).await.unwrap();
    drop(view);
    let [SetAside { sequence, attempts: 3, error, .. }] = aside.as_slice() else { panic!("{aside:?}") };
    assert!(*sequence == stone && error.contains("a stone"), "{error}");
    consumers::rewind(&world.engine, name, world.now).await.unwrap();
    finish(&world, Clerk::employ(&reader, None, 1), reader.workspace).await;
    assert_eq!(lines(&world, &reader).await, 19, "a replay tries it again, with all others");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_workers_on_one_database_share_the_work() {
    let Some(mut world) = World::on_postgres().await else { return };
    let reader = world.person().await;
    emit(&world, reader.workspace, 1..41).await;
    let clerk = Clerk::employ(&reader, None, 2);
    let worker = || {
        let (engine, now, workspace) = (world.engine.clone(), world.now, reader.workspace);
        tokio::spawn(async move {
            let mut moved = 0;
            loop {
                match consumers::advance(&engine, clerk, workspace, now).await.unwrap() {
                    Advance::AtEnd => return moved,
                    Advance::Moved => moved += 1,
                    Advance::NotNow => tokio::task::yield_now().await,
                    Advance::Failed(error) => panic!("{error}"),
                }
            }
        })
    };
    let (first, second) = tokio::join!(worker(), worker());
    assert!(first.unwrap() + second.unwrap() >= 40);
    assert_eq!(lines(&world, &reader).await, 80, "each portion of each event once");
}
