//! What live streams read: new events of a workspace, once for all streams, and what each caller may see of them.

use super::{
    CHUNK, CatchUp, EventFilter, EventScope, FoundEvents, LogSlice, ReadEvent, data, linked_records, mark,
    visibility::EventVisibility,
};
use crate::{
    access::{self, RouteAccess},
    api_keys,
    call::{Call, Caller, NamedWorkspace},
    content_memory::HeldContent,
    engine::Engine,
    oauth,
    outcome::{AppResult, Draft, Interrupt},
    page_access::lineage,
    scope::View,
};
use octavo_core_model::{
    Fault, Timestamp,
    fault::Unknown,
    id::{EventId, PageId, WorkspaceId},
};
use octavo_ports::events::LogPart;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many events one read of the log loads.
const AT_ONCE: u32 = 200;

/// How many events a stream may be behind. Catching up with more is what reading the log is for.
const FARTHEST_BEHIND: u32 = 10_000;

/// How many events one call examines to find out how far behind a stream is.
const EXAMINED_AT_ONCE: u32 = 5_000;

/// Which stream to open.
#[derive(Clone, Debug, Default)]
pub struct StreamRequest {
    pub filter: EventFilter,
    /// The id of the last event that the client received, as it was sent.
    pub last_event: Option<String>,
}

/// A stream that may be opened.
#[derive(Clone, Debug)]
pub struct OpenedStream {
    /// The call, from now on in this workspace whatever becomes of the caller.
    pub call: Call,
    pub workspace: WorkspaceId,
    /// The number of the newest event.
    pub newest: i64,
    pub start: StreamStart,
}

/// Where a stream starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamStart {
    /// With what happens from now on.
    Now,
    /// Behind the event with this number.
    After(i64),
    /// There too, unless too many events match that happened since. They have to be counted first.
    FarBehind(i64),
    /// With what happens from now on, although the client asked for more: it has to read the state again.
    HistoryLost,
}

/// Checks who wants to follow the log and where the stream starts.
pub async fn open_stream(view: &mut View, wanted: Draft<StreamRequest>) -> AppResult<OpenedStream> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let wanted = wanted?;
    let workspace = caller.workspace;
    // Refuses a filter by something that the caller may not see.
    EventScope::of(view, &caller, &wanted.filter).await?;
    let newest = view.tx.events().find_log_ends(workspace).await?.last_sequence;
    let start = match &wanted.last_event {
        None => StreamStart::Now,
        Some(id) => match find_place(view, workspace, id).await? {
            None => StreamStart::HistoryLost,
            Some(place) if newest - place <= i64::from(FARTHEST_BEHIND) => StreamStart::After(place),
            Some(place) => StreamStart::FarBehind(place),
        },
    };
    let call = Call {
        path_workspace: None,
        named_workspace: Some(NamedWorkspace::Id(workspace)),
        key: None,
        content: HeldContent::uncounted(),
        ..view.call.clone()
    };
    Ok(OpenedStream { call, workspace, newest, start })
}

async fn find_place(view: &mut View, workspace: WorkspaceId, id: &str) -> AppResult<Option<i64>> {
    let Ok(id) = id.parse::<EventId>() else { return Ok(None) };
    Ok(view.tx.events().find_sequence(workspace, id).await?)
}

/// The events that a stream has missed, as far as they have been counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The number of the last event that was examined.
    position: i64,
    matching: usize,
}

impl Missed {
    /// Nothing has been examined behind this number.
    pub const fn after(place: i64) -> Self {
        Self { position: place, matching: 0 }
    }
}

/// How far behind a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    Near,
    TooFar,
    /// There are more events to examine.
    Unknown(Missed),
}

/// Goes on counting the events that a stream has missed.
pub async fn count_missed(view: &mut View, filter: EventFilter, mut missed: Missed) -> AppResult<Distance> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let scope = EventScope::of(view, &caller, &filter).await?;
    let mut visibility = EventVisibility::of(view, caller).await?;
    for _ in 0..EXAMINED_AT_ONCE / CHUNK {
        let chunk = view.tx.events().list(visibility.workspace(), &scope.part, missed.position, CHUNK).await?;
        visibility.look_up_nodes(view, &chunk).await?;
        missed.position = chunk.last().map_or(missed.position, |last| last.sequence);
        missed.matching += chunk.iter().filter(|event| scope.holds(event, &filter) && visibility.shows(event)).count();
        if missed.matching > FARTHEST_BEHIND as usize {
            return Ok(Distance::TooFar);
        }
        if chunk.len() < CHUNK as usize {
            return Ok(Distance::Near);
        }
    }
    Ok(Distance::Unknown(missed))
}

/// The next events behind a number, for a stream that has to catch up.
pub async fn read_behind(view: &mut View, filter: EventFilter, after: i64) -> AppResult<LogSlice> {
    let wanted = CatchUp { filter, looked_through: Some(after), limit: AT_ONCE, ..CatchUp::default() };
    super::catch_up(view, Ok(wanted)).await
}

/// The next events of a workspace, whoever may see them.
pub async fn read_new(view: &mut View, workspace: WorkspaceId, after: i64) -> AppResult<LogSlice> {
    let events = view.tx.events().list(workspace, &LogPart::Whole, after, AT_ONCE).await?;
    let (head, goes_on) = (events.last().map(mark), events.len() >= AT_ONCE as usize);
    data::load(view, workspace, FoundEvents { events, head, goes_on }).await
}

/// The pages and databases above each of these, with itself. One statement.
pub async fn list_paths(
    view: &mut View,
    workspace: WorkspaceId,
    nodes: BTreeSet<PageId>,
) -> AppResult<BTreeMap<PageId, BTreeSet<PageId>>> {
    let nodes: Vec<_> = nodes.into_iter().collect();
    let mut paths = BTreeMap::<_, BTreeSet<_>>::new();
    for (node, above) in view.tx.pages().list_ids_above(workspace, &nodes).await? {
        paths.entry(node).or_default().insert(above);
    }
    Ok(paths)
}

/// How a caller sees an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Sight {
    Hidden,
    Whole,
    /// With other data, because the caller may not see everything that the event names.
    Reduced(Value),
}

/// How the caller sees each of these events now.
pub async fn see(view: &mut View, events: Vec<Arc<ReadEvent>>) -> AppResult<Vec<Sight>> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    if caller.is_in_charge() {
        return Ok(vec![Sight::Whole; events.len()]);
    }
    let mut visibility = EventVisibility::of(view, caller).await?;
    let logged: Vec<_> = events.iter().map(|event| event.logged.clone()).collect();
    visibility.look_up_nodes(view, &logged).await?;
    let sight = |event: &Arc<ReadEvent>| if visibility.shows(&event.logged) { Sight::Whole } else { Sight::Hidden };
    let mut sights: Vec<_> = events.iter().map(sight).collect();
    // Only events that can have links are copied.
    let can_differ =
        |(event, sight): (&Arc<ReadEvent>, &Sight)| *sight == Sight::Whole && linked_records::can_have(event);
    let places: Vec<_> = (0..events.len()).filter(|place| can_differ((&events[*place], &sights[*place]))).collect();
    let mut shown: Vec<_> = places.iter().map(|place| (*events[*place]).clone()).collect();
    linked_records::hide(view, visibility.caller(), &mut shown).await?;
    for (place, shown) in places.into_iter().zip(shown) {
        if shown.data != events[place].data {
            sights[place] = Sight::Reduced(shown.data);
        }
    }
    Ok(sights)
}

/// Whether the caller may see a page now.
pub async fn sees_page(view: &mut View, page: PageId) -> AppResult<bool> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let authority = access::authority_in_teams(view, &caller).await?;
    match lineage::find(view, &caller, &authority, &Ok(page)).await {
        Ok(found) => Ok(found.is_some()),
        Err(Interrupt::Fault(Fault::Forbidden(_))) => Ok(false),
        Err(interrupt) => Err(interrupt),
    }
}

/// Whether the caller may still be in the workspace.
pub async fn is_admitted(view: &mut View) -> AppResult<()> {
    access::enter(view, RouteAccess::ANYBODY).await.map(drop)
}

/// The call with its credential in the present state, or why that is not valid any more. Users are looked up when they
/// enter.
pub async fn renew(engine: &Engine, call: &Call, now: Timestamp) -> AppResult<Result<Call, Unknown>> {
    let caller = match &call.caller {
        Caller::Key(presented) => {
            let (workspace, hash) = (presented.key.workspace, presented.secret.hash);
            match api_keys::present::again(engine, workspace, hash, now).await? {
                Ok(found) => Caller::Key(Box::new(found)),
                Err(unknown) => return Ok(Err(unknown)),
            }
        }
        Caller::App(app) => match oauth::presented::present(engine, app.claims.clone(), now).await? {
            Ok(found) => Caller::App(Box::new(found)),
            Err(unknown) => return Ok(Err(unknown)),
        },
        other => other.clone(),
    };
    Ok(Ok(Call { now, caller, ..call.clone() }))
}
