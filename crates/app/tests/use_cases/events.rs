//! Reading the event log: the effects of age, filters and long logs on readers.

use crate::world::{Calling, Device, World};
use octavo_app::{
    Call, chores,
    events::{self, After, CatchUp, EventFilter, LogSlice},
};
use octavo_core_model::{
    Fault, Role,
    event::{Event, EventPayload, EventType},
    id::{PageId, WorkspaceId},
    page::{Node, Page},
    time::days,
};
use octavo_ports::store::Record;
use octavo_testkit::make;

async fn read(world: &World, call: Call, wanted: CatchUp) -> Result<LogSlice, Fault> {
    world.read(call, move |view| Box::pin(events::catch_up(view, Ok(wanted)))).await
}

fn all() -> CatchUp {
    CatchUp { limit: 500, ..CatchUp::default() }
}

/// Adds this many events with the present time.
async fn emit(world: &World, workspace: WorkspaceId, numbers: std::ops::Range<u64>) {
    let event = |number| Event { occurred_at: world.now, ..make::event(number, workspace) };
    let numbers: Vec<_> = numbers.collect();
    for some in numbers.chunks(1000) {
        let events = some.iter().copied().map(event).collect();
        let unit = world.engine.store.writer().await.unwrap();
        unit.commit(Record { events, ..Record::default() }).await.unwrap();
    }
}

fn home(device: &Device) -> WorkspaceId {
    device.claims.workspace
}

#[tokio::test]
async fn a_reader_behind_the_retention_learns_that_events_are_lost() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let first = read(&world, world.by(&device), all()).await.unwrap().head.unwrap();
    world.pass(days(89));
    emit(&world, home(&device), 1..3).await;
    world.pass(days(2));
    chores::sweep(&world.engine, world.now).await.unwrap();
    let left = read(&world, world.by(&device), all()).await.unwrap();
    assert_eq!(left.events.len(), 2, "what is kept is read from the oldest on");
    let oldest =
        octavo_core_model::event::EventMark { id: left.events[0].logged.id, sequence: left.events[0].logged.sequence };
    for (after, is_lost) in [
        (After::Event(first.id), true),
        (After::Sequence(first.sequence), false),
        (After::Sequence(first.sequence - 1), true),
    ] {
        let answer = read(&world, world.by(&device), CatchUp { after: Some(after), ..all() }).await;
        if is_lost {
            assert_eq!(answer.err(), Some(Fault::HistoryLost { oldest: Some(oldest) }), "{after:?}");
        } else {
            assert_eq!(answer.unwrap().events.len(), 2, "nothing is missing between");
        }
    }
    world.pass(days(91));
    chores::sweep(&world.engine, world.now).await.unwrap();
    let end = After::Sequence(oldest.sequence + 1);
    let nothing = read(&world, world.by(&device), CatchUp { after: Some(end), ..all() }).await.unwrap();
    assert_eq!((nothing.events.len(), nothing.goes_on), (0, false), "who had read all has missed nothing");
}

#[tokio::test]
async fn a_place_between_numbers_has_a_head() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    emit(&world, home(&device), 1..3).await;
    let all = read(&world, world.by(&device), all()).await.unwrap();
    let [.., kept, last] = all.events.as_slice() else { panic!("{all:?}") };
    let gone =
        format!("DELETE FROM events WHERE workspace_id = '{}' AND sequence = {}", home(&device), last.logged.sequence);
    world.database.execute(&gone).await;
    let after = CatchUp { after: Some(After::Sequence(last.logged.sequence)), limit: 9, ..CatchUp::default() };
    let nothing = read(&world, world.by(&device), after).await.unwrap();
    assert_eq!(nothing.head.map(|mark| (mark.id, mark.sequence)), Some((kept.logged.id, kept.logged.sequence)));
    assert!(nothing.events.is_empty() && !nothing.goes_on);
}

#[tokio::test]
async fn one_call_looks_at_so_many_events_and_no_more() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    emit(&world, home(&device), 100..5600).await;
    let wanted = CatchUp {
        filter: EventFilter { types: Some(vec!["team.*".parse().unwrap()]), ..EventFilter::default() },
        ..all()
    };
    let first = read(&world, world.by(&device), wanted.clone()).await.unwrap();
    assert_eq!((first.events.len(), first.goes_on), (0, true));
    let head = first.head.unwrap();
    assert_eq!(head.sequence, 5000);
    let next = CatchUp { looked_through: Some(head.sequence), ..wanted };
    let rest = read(&world, world.by(&device), next).await.unwrap();
    assert_eq!((rest.events.len(), rest.goes_on), (0, false));
    assert!(rest.head.unwrap().sequence > head.sequence);
}

#[tokio::test]
async fn a_full_page_says_whether_it_is_the_last() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let count = u32::try_from(read(&world, world.by(&device), all()).await.unwrap().events.len()).unwrap();
    let page = async |limit| {
        let caught = read(&world, world.by(&device), CatchUp { limit, ..all() }).await.unwrap();
        (caught.events.len(), caught.goes_on)
    };
    assert_eq!(page(count).await, (count as usize, false));
    assert_eq!(page(count - 1).await, (count as usize - 1, true));
}

/// An event about a page that no longer exists.
fn page_gone() -> EventPayload {
    let is_of_a_page = |payload: &EventPayload| payload.kind() == EventType::PageDeleted;
    EventPayload::examples().into_iter().find(is_of_a_page).unwrap()
}

#[tokio::test]
async fn guests_see_what_they_did_and_nothing_else() {
    let mut world = World::new().await;
    let (host, hosts) = world.newcomer().await;
    let (guest, guests) = world.newcomer().await;
    world.joins(&guest, &host, Role::Guest).await;
    let mut own = make::event(1, host.workspace);
    own.actor = octavo_core_model::event::Actor::User(guest.id);
    own.payload = page_gone();
    let events = vec![own.clone(), make::event(2, host.workspace)];
    let unit = world.engine.store.writer().await.unwrap();
    unit.commit(Record { events, ..Record::default() }).await.unwrap();
    let seen = read(&world, world.by(&guests).at(host.workspace), all()).await.unwrap();
    assert_eq!(seen.events.iter().map(|event| event.logged.id).collect::<Vec<_>>(), [own.id]);
    let all_of_it = read(&world, world.by(&hosts), all()).await.unwrap();
    assert_eq!(seen.head, all_of_it.head, "what is not shown was looked at");
}

#[tokio::test]
async fn events_of_a_page_are_found_at_once_however_long_the_log_is() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    emit(&world, home(&device), 100..5600).await;
    let of_page = Event { payload: page_gone(), ..make::event(1, home(&device)) };
    let mut unit = world.engine.store.writer().await.unwrap();
    let place = Node::Workspace(home(&device));
    let page = Page { id: PageId::EXAMPLE, ..make::page(1, home(&device), place, place) };
    assert!(unit.pages().insert(&page).await.unwrap());
    unit.commit(Record { events: vec![of_page.clone()], ..Record::default() }).await.unwrap();
    emit(&world, home(&device), 6000..6010).await;
    let wanted = |after| CatchUp {
        filter: EventFilter { page: Some(PageId::EXAMPLE), ..EventFilter::default() },
        after,
        ..all()
    };
    let found = read(&world, world.by(&device), wanted(None)).await.unwrap();
    assert_eq!(found.events.iter().map(|event| event.logged.id).collect::<Vec<_>>(), [of_page.id]);
    let end =
        read(&world, world.by(&device), CatchUp { after: Some(After::Event(of_page.id)), ..all() }).await.unwrap();
    assert!(!found.goes_on);
    assert_eq!(found.head, end.head, "what lies elsewhere was looked at");
    let next = read(&world, world.by(&device), wanted(found.head.map(|head| After::Event(head.id)))).await.unwrap();
    assert_eq!((next.events.len(), next.goes_on, next.head), (0, false, found.head));
}

#[tokio::test]
async fn an_answer_has_only_so_much_data_and_the_next_one_continues_there() {
    let mut world = World::new().await;
    let (_, device) = world.newcomer().await;
    let before = read(&world, world.by(&device), all()).await.unwrap();
    let start = before.head.unwrap().sequence;
    emit(&world, home(&device), 1..8).await;
    let padded = "SET details = json_set(details, '$.padding', hex(zeroblob(200000)))";
    world.database.execute(&format!("UPDATE events {padded} WHERE sequence > {start}")).await;
    let (mut after, mut counts) = (start, Vec::new());
    loop {
        let wanted = CatchUp { after: Some(After::Sequence(after)), ..all() };
        let part = read(&world, world.by(&device), wanted).await.unwrap();
        counts.push(part.events.len());
        if !part.goes_on {
            break;
        }
        after = part.head.unwrap().sequence;
        assert_eq!(part.events.last().unwrap().logged.sequence, after);
    }
    assert_eq!(counts, [3, 3, 1], "an answer ends with the event that exceeds 1 MB");
    let of_no_type = CatchUp {
        filter: EventFilter { types: Some(vec!["member.added".parse().unwrap()]), ..EventFilter::default() },
        ..all()
    };
    let nothing = read(&world, world.by(&device), of_no_type).await.unwrap();
    assert_eq!((nothing.events.len(), nothing.goes_on), (0, false), "the data of other events is not counted");
}
