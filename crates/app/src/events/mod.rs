//! Reading the event log of a workspace.

mod activity;
mod data;
mod event_filter;
mod event_scope;
mod linked_records;
mod live;
mod tickets;
mod visibility;

use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft},
    scope::View,
};
pub use activity::{ActivityPage, ActivityRequest, list_activity};
pub use event_filter::EventFilter;
use event_scope::EventScope;
pub use live::{
    Distance, Missed, OpenedStream, Sight, StreamRequest, StreamStart, count_missed, is_admitted, list_paths,
    open_stream, read_behind, read_new, renew, see, sees_page,
};
use octavo_core_model::{
    Fault,
    event::{EventMark, LoggedEvent},
    id::{EventId, WorkspaceId},
};
use octavo_ports::events::LogPart;
use serde_json::Value;
pub use tickets::{IssuedTicket, find_followed, issue_ticket, redeem_ticket};
use visibility::EventVisibility;

/// How many events one statement reads.
const CHUNK: u32 = 500;

/// How many events one call examines. If few of them are visible, the caller continues from there.
const LOOKED_AT: u32 = 5000;

/// The event after which a reader continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Event(EventId),
    Sequence(i64),
}

/// Which events to read.
#[derive(Clone, Debug, Default)]
pub struct CatchUp {
    /// Events to read are those after this one; by default all from the oldest on.
    pub after: Option<After>,
    pub filter: EventFilter,
    /// The number up to which the previous page of results examined the log.
    pub looked_through: Option<i64>,
    pub limit: u32,
}

/// An event with its data, which is JSON. Its shape depends on the type of the event.
#[derive(Clone, Debug)]
pub struct ReadEvent {
    pub logged: LoggedEvent,
    pub data: Value,
}

/// A part of the log.
#[derive(Clone, Debug)]
pub struct LogSlice {
    pub events: Vec<ReadEvent>,
    /// The newest event that was examined.
    pub head: Option<EventMark>,
    /// Whether there are more events after it.
    pub goes_on: bool,
}

/// Reads the events that the caller may see now, in the order of their numbers.
pub async fn catch_up(view: &mut View, wanted: Draft<CatchUp>) -> AppResult<LogSlice> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let wanted = wanted?;
    let start = find_start(view, caller.workspace, &wanted).await?;
    let event_scope = EventScope::of(view, &caller, &wanted.filter).await?;
    let mut visibility = EventVisibility::of(view, caller).await?;
    let found = find(view, &mut visibility, &wanted, &event_scope, start).await?;
    let mut slice = data::load(view, visibility.workspace(), found).await?;
    linked_records::hide(view, visibility.caller(), &mut slice.events).await?;
    Ok(slice)
}

/// The visible events of a part of the log, without their data. The other fields as in [`LogSlice`].
struct FoundEvents {
    events: Vec<LoggedEvent>,
    head: Option<EventMark>,
    goes_on: bool,
}

/// The number after which to read. Refuses a place that the log no longer or never contained, because events could be
/// missing without anybody noticing.
async fn find_start(view: &mut View, workspace: WorkspaceId, wanted: &CatchUp) -> AppResult<i64> {
    let after = wanted.looked_through.map(After::Sequence).or(wanted.after);
    let Some(after) = after else { return Ok(0) };
    let ends = view.tx.events().find_log_ends(workspace).await?;
    let lost = || Fault::HistoryLost { oldest: ends.oldest };
    match after {
        After::Event(id) => Ok(view.tx.events().find_sequence(workspace, id).await?.ok_or_else(lost)?),
        After::Sequence(sequence) => {
            let before_oldest = ends.oldest.map_or(ends.last_sequence, |oldest| oldest.sequence - 1);
            if (before_oldest..=ends.last_sequence).contains(&sequence) { Ok(sequence) } else { Err(lost().into()) }
        }
    }
}

async fn find(
    view: &mut View,
    visibility: &mut EventVisibility,
    wanted: &CatchUp,
    event_scope: &EventScope,
    start: i64,
) -> AppResult<FoundEvents> {
    // Read the end before the events: events that are numbered meanwhile count as not examined.
    let end = if event_scope.part == LogPart::Whole {
        None
    } else {
        Some(view.tx.events().find_log_ends(visibility.workspace()).await?.last_sequence)
    };
    let mut found = FoundEvents { events: Vec::new(), head: None, goes_on: true };
    let (mut position, mut looked_at) = (start, 0);
    'log: while looked_at < LOOKED_AT {
        let mut chunk = view.tx.events().list(visibility.workspace(), &event_scope.part, position, CHUNK).await?;
        let is_last =
            chunk.len() < CHUNK as usize || chunk.last().is_some_and(|last| end.is_some_and(|end| last.sequence > end));
        chunk.retain(|event| end.is_none_or(|end| event.sequence <= end));
        let in_chunk = chunk.len();
        visibility.look_up_nodes(view, &chunk).await?;
        for (number, event) in (1..).zip(chunk) {
            position = event.sequence;
            found.head = Some(mark(&event));
            if event_scope.holds(&event, &wanted.filter) && visibility.shows(&event) {
                found.events.push(event);
                if found.events.len() >= wanted.limit as usize {
                    found.goes_on = !is_last || number < in_chunk;
                    break 'log;
                }
            }
        }
        if is_last {
            found.goes_on = false;
            break;
        }
        looked_at += CHUNK;
    }
    if let Some(end) = end.filter(|end| !found.goes_on && *end > start) {
        // Events elsewhere in the log were skipped, so they count as examined too.
        found.head = view.tx.events().find_up_to(visibility.workspace(), end).await?;
    } else if found.head.is_none() && start > 0 {
        // Nothing new: the reader continues from where it was.
        found.head = view.tx.events().find_up_to(visibility.workspace(), start).await?;
    }
    Ok(found)
}

const fn mark(event: &LoggedEvent) -> EventMark {
    EventMark { id: event.id, sequence: event.sequence }
}
