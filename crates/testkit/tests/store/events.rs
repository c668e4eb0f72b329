//! The event log.

use crate::support::{owner, read, write};
use octavo_core_model::{
    database::Database as Typed,
    event::{
        Actor, Event, EventMark, EventPayload, Location, Resource,
        pages::{OfPage, PageCreated, PageDeleted, PageVersionCreated},
        records::{NoDetails, OfRecord},
    },
    id::{DatabaseId, PageVersionId, RecordId, WorkspaceId},
    page::{Node, Page},
    workspace::Workspace,
};
use octavo_ports::{
    events::{ChangedNodes, ChangedRecords, LogEnds, LogPart},
    store::{NumberedEvents, Record, Store},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
    wait,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

async fn emit(store: &dyn Store, workspace: WorkspaceId, numbers: impl IntoIterator<Item = u64>) {
    let events = numbers.into_iter().map(|number| make::event(number, workspace)).collect();
    store.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
}

/// The log of a workspace as a reader sees it: numbers and ids.
async fn log(database: &Database, workspace: WorkspaceId) -> Vec<(i64, String)> {
    let sql = format!("SELECT sequence, id FROM events WHERE workspace_id = '{workspace}' ORDER BY sequence");
    let rows = database.rows(&sql).await.into_iter();
    rows.map(|row| (row[0].parse().unwrap(), row[1].clone())).collect()
}

fn numbers(log: &[(i64, String)]) -> Vec<i64> {
    log.iter().map(|(number, _)| *number).collect()
}

pub(crate) async fn events_are_numbered_in_order_per_workspace(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let events = vec![
        make::event(3, first.id),
        make::event(1, second.id),
        make::event(2, first.id),
        make::event(4, second.id),
        make::event(5, first.id),
    ];
    let expected = |numbers: &[usize]| {
        (1..).zip(numbers).map(|(sequence, index)| (sequence, events[*index].id.to_string())).collect::<Vec<_>>()
    };
    let record = Record { events: events.clone(), ..Record::default() };
    store.writer().await.unwrap().commit(record).await.unwrap();
    let numbered = store.number_events().await.unwrap();
    if database.is_postgres() {
        assert_eq!(numbered, NumberedEvents { events: 5, workspaces: [first.id, second.id].into() });
    }
    assert_eq!(log(database, first.id).await, expected(&[0, 2, 4]));
    assert_eq!(log(database, second.id).await, expected(&[1, 3]));
    emit(&*store, first.id, [6]).await;
    store.number_events().await.unwrap();
    assert_eq!(numbers(&log(database, first.id).await), [1, 2, 3, 4]);
    assert_eq!(store.number_events().await, Ok(NumberedEvents::default()));
}

pub(crate) async fn readers_never_see_a_gap_under_sixteen_writers(database: &Database) {
    const EACH: u64 = 25;
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let (over, id) = (Arc::new(AtomicBool::new(false)), workspace.id);
    let worker = tokio::spawn({
        let (store, over) = (Arc::clone(&store), Arc::clone(&over));
        async move {
            while !over.load(Ordering::SeqCst) {
                store.number_events().await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    });
    let writers = (0..16).map(|writer| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for number in 0..EACH {
                let first = (writer * EACH + number) * 2;
                emit(&*store, id, [first, first + 1]).await;
            }
        })
    });
    let writers = writers.collect::<Vec<_>>();
    let total = usize::try_from(16 * EACH * 2).unwrap();
    let mut held = Vec::new();
    wait::until("all events can be read", async || {
        let now = log(database, id).await;
        let gapless = 1..=i64::try_from(now.len()).unwrap();
        assert_eq!(numbers(&now), gapless.collect::<Vec<_>>());
        assert_eq!(now[..held.len()], held, "what was read once stays");
        held = now;
        held.len() == total
    })
    .await;
    for writer in writers {
        writer.await.unwrap();
    }
    over.store(true, Ordering::SeqCst);
    worker.await.unwrap();
    let mut ids: Vec<_> = held.iter().map(|(_, id)| id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), total, "no event twice");
    for pair in 0..16 * EACH {
        let place = |number| held.iter().position(|(_, id)| *id == make::event(number, workspace.id).id.to_string());
        assert!(place(pair * 2) < place(pair * 2 + 1), "the events of a unit keep their order");
    }
}

pub(crate) async fn an_undone_unit_leaves_no_number_out(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    emit(&*store, workspace.id, [1]).await;
    // A unit that fails when it commits, after its events were written.
    let mut unit = store.writer().await.unwrap();
    unit.chores().insert(&make::chore(1, octavo_core_model::chore::Queue::Mail)).await.unwrap();
    let audits = vec![make::audit_entry(1, octavo_core_model::event::Chain::Deployment); 2];
    let events = vec![make::event(2, workspace.id)];
    unit.commit(Record { events, audits }).await.unwrap_err();
    emit(&*store, workspace.id, [3]).await;
    store.number_events().await.unwrap();
    let expected = [(1, make::event(1, workspace.id).id.to_string()), (2, make::event(3, workspace.id).id.to_string())];
    assert_eq!(log(database, workspace.id).await, expected);
}

pub(crate) async fn three_workers_share_the_work(database: &Database) {
    const EVENTS: u64 = 300;
    let store = database.store().await;
    let nodes = [database.store().await, database.store().await, database.store().await];
    let (_, first) = owner(&*store, 1).await;
    let (_, second) = owner(&*store, 2).await;
    let writer = tokio::spawn({
        let (store, ids) = (Arc::clone(&store), [first.id, second.id]);
        async move {
            for number in 0..EVENTS {
                emit(&*store, ids[usize::from(number % 3 == 0)], [number]).await;
            }
        }
    });
    let workers = nodes.map(|node| {
        tokio::spawn(async move {
            let mut moved = 0;
            for _ in 0..200 {
                moved += node.number_events().await.unwrap().events;
                tokio::task::yield_now().await;
            }
            moved
        })
    });
    writer.await.unwrap();
    let mut moved = 0;
    for worker in workers {
        moved += worker.await.unwrap();
    }
    moved += store.number_events().await.unwrap().events;
    let expected = if database.is_postgres() { EVENTS } else { 0 };
    assert_eq!(moved, usize::try_from(expected).unwrap(), "each event is counted by one worker");
    for (workspace, count, has) in [(first.id, 200, 1), (second.id, 100, 0)] {
        let log = log(database, workspace).await;
        assert_eq!(numbers(&log), (1..=count).collect::<Vec<_>>());
        let written = (0..EVENTS).filter(|number| u64::from(number % 3 != 0) == has);
        let ids: Vec<_> = written.map(|number| make::event(number, workspace).id.to_string()).collect();
        assert_eq!(log.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), ids, "in the order of their commits");
    }
    assert_eq!(store.health(NOW).await.event_lag_millis, 0);
}

pub(crate) async fn the_events_of_a_removed_workspace_go_with_it(database: &Database) {
    let store = database.store().await;
    let (_, gone) = owner(&*store, 1).await;
    let (_, other) = owner(&*store, 2).await;
    emit(&*store, gone.id, [1]).await;
    write!(store, unit => unit.workspaces().remove(gone.id).await);
    emit(&*store, gone.id, [2]).await;
    emit(&*store, other.id, [3]).await;
    store.number_events().await.unwrap();
    assert_eq!(log(database, gone.id).await, []);
    assert_eq!(numbers(&log(database, other.id).await), [1]);
    assert_eq!(store.number_events().await, Ok(NumberedEvents::default()), "nothing stays behind unnumbered");
}

pub(crate) async fn an_event_keeps_what_it_says(database: &Database) {
    let store = database.store().await;
    let (ada, workspace) = owner(&*store, 1).await;
    let mut event = make::event(1, workspace.id);
    event.actor = Actor::User(ada.id);
    let page = make::page(1, workspace.id, Node::Workspace(workspace.id), Node::Workspace(workspace.id));
    let label = make::name("\u{1F98A} \"quoted\", {braced}, \\ 'text'");
    let created = PageVersionCreated { version_id: PageVersionId::EXAMPLE, label: Some(label) };
    event.payload = EventPayload::PageVersionCreated(OfPage::new(&Page { version: 7, ..page }, created));
    let events = vec![event.clone(), make::event(2, workspace.id)];
    store.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
    store.number_events().await.unwrap();
    let columns = "id, type, occurred_at, actor_type, actor_id, resource_type, resource_id, version, details";
    let rows = database.rows(&format!("SELECT {columns} FROM events ORDER BY sequence")).await;
    let (id, ada) = (event.id.to_string(), ada.id.to_string());
    let expected =
        [&id, "page.version_created", "1790000000000", "USER", &ada, "page", &make::page_id(1).to_string(), "7"];
    assert_eq!(rows[0][..8], expected);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&rows[0][8]).unwrap(), event.payload.data());
    assert_eq!((rows[1][3].as_str(), rows[1][4].as_str(), rows[1][7].as_str()), ("SYSTEM", "", ""));
}

pub(crate) async fn the_log_is_read_by_number_and_by_id(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let ends = async |workspace| read!(store, view => view.events().find_log_ends(workspace).await);
    assert_eq!(ends(first.id).await, LogEnds { oldest: None, last_sequence: 0 });
    emit(&*store, first.id, 1..=4).await;
    emit(&*store, second.id, [9]).await;
    store.number_events().await.unwrap();
    let id = |number| make::event(number, first.id).id;
    let oldest = Some(EventMark { id: id(1), sequence: 1 });
    assert_eq!(ends(first.id).await, LogEnds { oldest, last_sequence: 4 });
    let list = async |workspace, after, limit| -> Vec<(i64, String)> {
        let found = read!(store, view => view.events().list(workspace, &LogPart::Whole, after, limit).await);
        found.into_iter().map(|event| (event.sequence, event.id.to_string())).collect()
    };
    let expected = |numbers: &[u64]| -> Vec<(i64, String)> {
        numbers.iter().map(|number| (i64::try_from(*number).unwrap(), id(*number).to_string())).collect()
    };
    assert_eq!(list(first.id, 0, 9).await, expected(&[1, 2, 3, 4]));
    assert_eq!(list(first.id, 1, 2).await, expected(&[2, 3]));
    assert_eq!(list(first.id, 4, 9).await, []);
    assert_eq!(list(second.id, 0, 9).await.len(), 1);
    let place = async |workspace, id| read!(store, view => view.events().find_sequence(workspace, id).await);
    assert_eq!(place(first.id, id(3)).await, Some(3));
    assert_eq!(place(second.id, id(3)).await, None, "an event of somebody else");
    let at = async |workspace, sequence| read!(store, view => view.events().find_up_to(workspace, sequence).await);
    assert_eq!(at(first.id, 2).await, Some(EventMark { id: id(2), sequence: 2 }));
    assert_eq!(at(second.id, 9).await.map(|mark| mark.sequence), Some(1), "the newest up to there");
    assert_eq!(at(second.id, 0).await, None);
    database.execute("DELETE FROM events WHERE sequence < 3").await;
    assert_eq!(at(first.id, 2).await, None, "what is there comes later");
    let oldest = Some(EventMark { id: id(3), sequence: 3 });
    assert_eq!(ends(first.id).await, LogEnds { oldest, last_sequence: 4 }, "numbers are not given anew");
}

/// Every type of event is read back with its type, resource, version, data and place.
pub(crate) async fn every_type_of_event_reads_back(database: &Database) {
    let store = database.store().await;
    let (_, workspace) = owner(&*store, 1).await;
    let event = |(number, payload)| Event { payload, ..make::event(number, workspace.id) };
    let events: Vec<_> = (1..).zip(EventPayload::examples()).map(event).collect();
    store.writer().await.unwrap().commit(Record { events: events.clone(), ..Record::default() }).await.unwrap();
    store.number_events().await.unwrap();
    let found = read!(store, view => view.events().list(workspace.id, &LogPart::Whole, 0, 500).await);
    assert_eq!(found.len(), events.len());
    let ids: Vec<_> = found.iter().map(|event| event.id).collect();
    let sizes = read!(store, view => view.events().measure_data(workspace.id, &ids).await);
    let data = read!(store, view => view.events().load_data(workspace.id, &ids).await);
    for (number, (read, written)) in found.iter().zip(&events).enumerate() {
        let payload = &written.payload;
        let resource: Resource = payload.resource();
        assert_eq!((read.kind.as_str(), read.version), (payload.kind().name(), payload.version()));
        assert_eq!((read.resource_type.as_str(), &read.resource_id), (resource.kind(), &resource.id()));
        assert_eq!((&read.location, &data[number]), (&payload.location(), &(read.id, payload.data())));
        assert_eq!(sizes[number], (read.id, payload.data().to_string().len() as u64));
        assert_eq!(read.audience(), payload.kind().audience());
    }
}

pub(crate) async fn a_part_of_the_log_is_read_by_page_and_by_database(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let of_page = |number: u64, page: u64, workspace: WorkspaceId| {
        let page = make::page(page, workspace, Node::Workspace(workspace), Node::Workspace(workspace));
        let created = PageVersionCreated { version_id: PageVersionId::EXAMPLE, label: None };
        let payload = EventPayload::PageVersionCreated(OfPage::new(&page, created));
        Event { payload, ..make::event(number, workspace) }
    };
    let events = vec![
        of_page(1, 1, first.id),
        make::event(2, first.id),
        of_page(3, 2, first.id),
        of_page(4, 1, first.id),
        of_page(5, 1, first.id),
        of_page(6, 1, second.id),
    ];
    store.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
    store.number_events().await.unwrap();
    let list = async |part: LogPart, after, limit| -> Vec<i64> {
        let found = read!(store, view => view.events().list(first.id, &part, after, limit).await);
        found.into_iter().map(|event| event.sequence).collect()
    };
    let page = |number| LogPart::OfPage(make::page_id(number));
    assert_eq!(list(page(1), 0, 9).await, [1, 4, 5]);
    assert_eq!(list(page(1), 1, 1).await, [4]);
    assert_eq!(list(page(1), 5, 9).await, [0; 0]);
    assert_eq!(list(page(2), 0, 9).await, [3]);
    assert_eq!(list(page(3), 0, 9).await, [0; 0]);
    let (database_id, record_id) = (DatabaseId::EXAMPLE, RecordId::EXAMPLE);
    let columns = format!("database_id = '{database_id}', record_id = '{record_id}'");
    let one = format!("workspace_id = '{}' AND sequence IN (2, 4)", first.id);
    database.execute(&format!("UPDATE events SET {columns} WHERE {one}")).await;
    assert_eq!(list(LogPart::OfDatabase(database_id), 0, 9).await, [2, 4]);
    assert_eq!(list(LogPart::OfDatabase(database_id), 2, 9).await, [4]);
    let found = read!(store, view => view.events().list(first.id, &LogPart::OfDatabase(database_id), 0, 1).await);
    let expected = Location { database: Some(database_id), record: Some(record_id), ..Location::WORKSPACE };
    assert_eq!(found[0].location, expected);
    let newest = async |part: LogPart, before, limit| -> Vec<i64> {
        let found = read!(store, view => view.events().list_newest(first.id, &part, before, limit).await);
        found.into_iter().map(|event| event.sequence).collect()
    };
    assert_eq!(newest(LogPart::Whole, i64::MAX, 9).await, [5, 4, 3, 2, 1]);
    assert_eq!(newest(LogPart::Whole, 4, 2).await, [3, 2]);
    assert_eq!(newest(page(1), i64::MAX, 2).await, [5, 4]);
    assert_eq!(newest(LogPart::OfDatabase(database_id), 4, 9).await, [2]);
    let (actor, resource) = ("usr_1", "pg_1");
    let columns = format!("actor_id = '{actor}', resource_id = '{resource}'");
    let one = format!("workspace_id = '{}' AND sequence IN (1, 3)", first.id);
    database.execute(&format!("UPDATE events SET {columns} WHERE {one}")).await;
    for part in [LogPart::OfActor(actor.to_owned()), LogPart::OfResource(resource.to_owned())] {
        assert_eq!(newest(part.clone(), i64::MAX, 9).await, [3, 1]);
        assert_eq!(list(part, 1, 9).await, [3]);
    }
}

pub(crate) async fn changed_records_are_listed_with_and_without_a_number(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let (tasks, people) = (make::database(1, first.id), make::database(2, first.id));
    let of_record = |number: u64, workspace: WorkspaceId, database: &Typed, record: u64| {
        let deleted = OfRecord::new(&make::record(record, database), None, NoDetails::default());
        Event { payload: EventPayload::RecordDeleted(deleted), ..make::event(number, workspace) }
    };
    let events = vec![
        of_record(1, first.id, &tasks, 1),
        of_record(2, first.id, &people, 2),
        of_record(3, first.id, &tasks, 3),
        make::event(4, first.id),
        of_record(5, first.id, &tasks, 1),
        of_record(6, second.id, &tasks, 6),
    ];
    let list = async |database: &Typed, after, limit| read!(store, view => view.events().list_changed_records(first.id, database.id, after, limit).await);
    let changed = |numbers: &[u64], up_to, is_cut| {
        let ids = numbers.iter().map(|number| make::record_id(*number)).collect();
        ChangedRecords { ids, up_to, is_cut }
    };
    assert_eq!(list(&tasks, 7, 9).await, changed(&[], 7, false));
    store.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
    let unnumbered = if database.is_postgres() { changed(&[1, 3], 0, false) } else { changed(&[1, 3], 5, false) };
    assert_eq!(list(&tasks, 0, 9).await, unnumbered, "as soon as they are committed");
    store.number_events().await.unwrap();
    assert_eq!(list(&tasks, 0, 9).await, changed(&[1, 3], 5, false));
    assert_eq!(list(&tasks, 0, 2).await, changed(&[1, 3], 3, true));
    assert_eq!(list(&tasks, 3, 2).await, changed(&[1], 5, false));
    assert_eq!(list(&tasks, 5, 2).await, changed(&[], 5, false));
    assert_eq!(list(&people, 0, 1).await, changed(&[2], 2, true));
}

pub(crate) async fn changed_nodes_are_listed_with_and_without_a_number(database: &Database) {
    let store = database.store().await;
    let ((_, first), (_, second)) = (owner(&*store, 1).await, owner(&*store, 2).await);
    let of_page = |number: u64, workspace: &Workspace, payload: fn(&Page) -> EventPayload| {
        let page = make::page(number, workspace.id, Node::Workspace(workspace.id), Node::Workspace(workspace.id));
        Event { payload: payload(&page), ..make::event(number, workspace.id) }
    };
    let created = |page: &Page| EventPayload::PageCreated(OfPage::new(page, PageCreated::copy_of(page.id, 1)));
    let deleted =
        |page: &Page| EventPayload::PageDeleted(OfPage::new(page, PageDeleted { via: "user", page_count: 1 }));
    let events = vec![
        of_page(1, &first, created),
        make::event(2, first.id),
        of_page(3, &first, deleted),
        of_page(4, &second, created),
        make::event(5, first.id),
    ];
    let list =
        async |after, limit| read!(store, view => view.events().list_changed_nodes(first.id, after, limit).await);
    store.writer().await.unwrap().commit(Record { events, ..Record::default() }).await.unwrap();
    let changed = |nodes: &[u64], created: &[u64], last_sequence, up_to, is_cut| ChangedNodes {
        nodes: nodes.iter().map(|number| make::page_id(*number)).collect(),
        created: created.iter().map(|number| make::page_id(*number)).collect(),
        are_incomplete: false,
        last_sequence,
        up_to,
        is_cut,
    };
    let end = if database.is_postgres() { 0 } else { 4 };
    assert_eq!(list(0, 9).await, changed(&[1, 3], &[1], end, end, false), "as soon as they are committed");
    store.number_events().await.unwrap();
    assert_eq!(list(0, 9).await, changed(&[1, 3], &[1], 4, 4, false), "up to the end of the log");
    assert_eq!(list(0, 1).await, changed(&[1], &[1], 4, 1, true));
    assert_eq!(list(1, 9).await, changed(&[3], &[], 4, 4, false));
    assert_eq!(list(4, 9).await, changed(&[], &[], 4, 4, false));
}
