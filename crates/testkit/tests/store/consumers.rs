//! How far consumers of the event log have come.

use crate::support::{owner, read, write};
use octavo_core_model::{
    Timestamp,
    consumer::{ConsumerName, Cursor, SetAside},
    id::WorkspaceId,
};
use octavo_ports::store::{Record, Store};
use octavo_testkit::{Database, make};

const NAME: ConsumerName = ConsumerName::Notifications;

async fn emit(store: &dyn Store, number: u64, workspace: WorkspaceId) {
    let unit = store.writer().await.unwrap();
    let events = vec![make::event(number, workspace)];
    unit.commit(Record { events, ..Record::default() }).await.unwrap();
    store.number_events().await.unwrap();
}

async fn behind(store: &dyn Store, now: Timestamp) -> Vec<WorkspaceId> {
    read!(store, view => view.consumers().list_behind(NAME, None, now, 10).await)
}

pub(crate) async fn workspaces_with_unhandled_events_are_found(database: &Database) {
    let store = database.store().await;
    let (_, first) = owner(&*store, 1).await;
    let (_, second) = owner(&*store, 2).await;
    assert_eq!(behind(&*store, make::NOW).await, []);
    emit(&*store, 1, first.id).await;
    emit(&*store, 2, second.id).await;
    let mut both = [first.id, second.id];
    both.sort_unstable();
    assert_eq!(behind(&*store, make::NOW).await, both);
    let rest = read!(store, view => view.consumers().list_behind(NAME, Some(both[0]), make::NOW, 10).await);
    assert_eq!(rest, both[1..]);
    let health = store.health(make::NOW).await;
    assert!(health.database && health.events_set_aside == [0]);
    write!(store, unit => async {
        let mut cursor = unit.consumers().lock(both[0], NAME).await?.unwrap();
        assert_eq!(cursor, Cursor::start(both[0], NAME));
        cursor.advance(1, None);
        unit.consumers().save(&cursor).await
    }.await);
    assert_eq!(behind(&*store, make::NOW).await, both[1..]);
    let later = Timestamp::from_millis(make::NOW.millis() + 5);
    write!(store, unit => async {
        let mut cursor = unit.consumers().lock(both[1], NAME).await?.unwrap();
        (cursor.retry_at, cursor.place) = (Some(later), Some("half".to_owned()));
        unit.consumers().save(&cursor).await
    }.await);
    assert_eq!(behind(&*store, make::NOW).await, [], "it waits for its next attempt");
    assert_eq!(behind(&*store, later).await, both[1..]);
    let failed = async |now| read!(store, view => view.consumers().list_failed(NAME, now, 10).await);
    assert_eq!((failed(make::NOW).await, failed(later).await), (vec![], both[1..].to_vec()));
    let kept = write!(store, unit => unit.consumers().lock(both[1], NAME).await).unwrap();
    assert_eq!((kept.retry_at, kept.place.as_deref()), (Some(later), Some("half")));
}

pub(crate) async fn a_rewound_consumer_begins_again(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    emit(&*store, 1, workspace.id).await;
    let event = SetAside {
        workspace: workspace.id,
        consumer: NAME,
        sequence: 1,
        error: "broken".to_owned(),
        attempts: 3,
        at: make::NOW,
    };
    write!(store, unit => async {
        let mut cursor = unit.consumers().lock(workspace.id, NAME).await?.unwrap();
        cursor.advance(1, None);
        unit.consumers().save(&cursor).await?;
        unit.consumers().set_aside(&event).await
    }.await);
    let aside = async || read!(store, view => view.consumers().list_set_aside(workspace.id, NAME, 10).await);
    assert_eq!(aside().await, [event]);
    assert_eq!(store.health(make::NOW).await.events_set_aside, [1]);
    assert_eq!(behind(&*store, make::NOW).await, []);
    assert_eq!(write!(store, unit => unit.consumers().rewind(NAME).await), 1);
    assert_eq!(aside().await, []);
    assert_eq!(behind(&*store, make::NOW).await, [workspace.id]);
    let cursor = write!(store, unit => unit.consumers().lock(workspace.id, NAME).await).unwrap();
    assert_eq!((cursor.sequence, cursor.handled_up_to), (0, 1), "what was handled is known");
}

/// On SQLite units run one after the other, so nobody else can hold a cursor.
pub(crate) async fn a_cursor_that_another_unit_holds_is_skipped(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    write!(store, unit => unit.consumers().lock(workspace.id, NAME).await);
    let mut first = store.writer().await.unwrap();
    assert!(first.consumers().lock(workspace.id, NAME).await.unwrap().is_some());
    let mut second = store.writer().await.unwrap();
    assert_eq!(second.consumers().lock(workspace.id, NAME).await.unwrap(), None);
    second.abandon().await.unwrap();
    first.abandon().await.unwrap();
    assert!(write!(store, unit => unit.consumers().lock(workspace.id, NAME).await).is_some());
}
