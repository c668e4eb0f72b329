//! The activity feed: the log from the newest event on, for people.

use super::{
    CHUNK, EventFilter, EventScope, FoundEvents, LOOKED_AT, ReadEvent, data, linked_records, mark,
    visibility::EventVisibility,
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller},
    outcome::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    Timestamp,
    event::LoggedEvent,
    id::{EventId, WorkspaceId},
};
use octavo_databases::value::Moment;
use octavo_ports::events::LogPart;
use octavo_query_engine::beginning;
use std::time::Duration;

/// Events are numbered in the order of their commits, and their time is when their call began. No call takes longer than
/// this, so events that lie further apart in time are in the same order in the log.
const OUT_OF_ORDER: Duration = Duration::from_mins(10);

/// Which events a feed shows.
#[derive(Clone, Debug, Default)]
pub struct ActivityRequest {
    pub filter: EventFilter,
    /// Only events that the actor with this id caused.
    pub actor: Option<String>,
    /// Only events from then on.
    pub since: Option<Moment>,
    /// Only events before then.
    pub until: Option<Moment>,
    /// The number of the last event that the previous page of results examined.
    pub looked_through: Option<i64>,
    pub limit: u32,
}

/// A part of the feed.
#[derive(Clone, Debug)]
pub struct ActivityPage {
    /// Newest first, without the values before and after a change.
    pub events: Vec<ReadEvent>,
    /// The number before which the feed continues, if there may be more.
    pub next: Option<i64>,
}

/// Lists what happened, newest first, as far as the caller may see it now.
pub async fn list_activity(view: &mut View, wanted: Draft<ActivityRequest>) -> AppResult<ActivityPage> {
    let caller = access::enter(view, RouteAccess::ANYBODY).await?;
    let wanted = wanted?;
    let span = Span::of(&caller, &wanted);
    let scope = EventScope::of(view, &caller, &wanted.filter).await?;
    let mut visibility = EventVisibility::of(view, caller).await?;
    let start = start(view, visibility.workspace(), &wanted, span).await?;
    let found = find(view, &mut visibility, &wanted, &scope, span, start).await?;
    let mut slice = data::load(view, visibility.workspace(), found).await?;
    linked_records::hide(view, visibility.caller(), &mut slice.events).await?;
    for event in &mut slice.events {
        if let Some(data) = event.data.as_object_mut() {
            data.remove("before");
            data.remove("after");
        }
    }
    let next = slice.head.filter(|_| slice.goes_on).map(|head| head.sequence);
    Ok(ActivityPage { events: slice.events, next })
}

/// The time that a feed is about.
#[derive(Clone, Copy)]
struct Span {
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl Span {
    fn of(caller: &WorkspaceCaller, wanted: &ActivityRequest) -> Self {
        let zone = caller.user().and_then(|user| user.timezone.as_str().parse().ok()).unwrap_or_default();
        let time = |moment: Option<Moment>| moment.map(|moment| beginning(moment, zone));
        Self { since: time(wanted.since), until: time(wanted.until) }
    }

    fn holds(self, event: &LoggedEvent) -> bool {
        self.since.is_none_or(|since| event.occurred_at >= since)
            && self.until.is_none_or(|until| event.occurred_at < until)
    }

    /// Whether every event before this one is too old.
    fn begins_after(self, event: &LoggedEvent) -> bool {
        self.since.is_some_and(|since| event.occurred_at.plus(OUT_OF_ORDER) < since)
    }
}

/// The number before which to read.
async fn start(view: &mut View, workspace: WorkspaceId, wanted: &ActivityRequest, span: Span) -> AppResult<i64> {
    if let Some(before) = wanted.looked_through {
        return Ok(before);
    }
    let Some(until) = span.until else { return Ok(i64::MAX) };
    let first_after = EventId::new(until.plus(OUT_OF_ORDER).millis().max(0), [0; 10]);
    Ok(view.tx.events().find_sequence_from(workspace, first_after).await?.unwrap_or(i64::MAX))
}

/// The narrowest part of the log that an index finds.
fn part(wanted: &ActivityRequest, scope: &EventScope) -> LogPart {
    match (&scope.part, &wanted.filter.resource, &wanted.actor) {
        (LogPart::Whole, Some(resource), _) => LogPart::OfResource(resource.clone()),
        (LogPart::Whole, None, Some(actor)) => LogPart::OfActor(actor.clone()),
        (part, _, _) => part.clone(),
    }
}

async fn find(
    view: &mut View,
    visibility: &mut EventVisibility,
    wanted: &ActivityRequest,
    scope: &EventScope,
    span: Span,
    start: i64,
) -> AppResult<FoundEvents> {
    let part = part(wanted, scope);
    let mut found = FoundEvents { events: Vec::new(), head: None, goes_on: true };
    let (mut before, mut looked_at) = (start, 0);
    while looked_at < LOOKED_AT {
        let chunk = view.tx.events().list_newest(visibility.workspace(), &part, before, CHUNK).await?;
        let is_last = chunk.len() < CHUNK as usize;
        visibility.look_up_nodes(view, &chunk).await?;
        for event in chunk {
            if span.begins_after(&event) {
                found.goes_on = false;
                return Ok(found);
            }
            before = event.sequence;
            let is_actor = wanted.actor.as_ref().is_none_or(|actor| event.actor_id.as_ref() == Some(actor));
            let is_wanted = is_actor && span.holds(&event) && scope.holds(&event, &wanted.filter);
            if is_wanted && visibility.shows(&event) {
                if found.events.len() >= wanted.limit as usize {
                    return Ok(found);
                }
                found.events.push(event.clone());
            }
            found.head = Some(mark(&event));
        }
        if is_last {
            found.goes_on = false;
            return Ok(found);
        }
        looked_at += CHUNK;
    }
    Ok(found)
}
