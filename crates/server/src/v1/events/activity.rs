//! `/activity`: what happened lately.

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    event_reply::{EventReply, Types},
    route::{Query, routes},
    wire::{Documented, Page, Readable, Text, query},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    events::{self, ActivityPage, ActivityRequest, EventFilter},
};
use octavo_core_model::{
    fault::Issue,
    id::{DatabaseId, PageId},
};
use octavo_databases::value::Moment;
use serde_json::{Value, json};

impl Documented for Moment {
    fn schema() -> Value {
        json!({ "type": "string", "anyOf": [{ "format": "date" }, { "format": "date-time" }] })
    }

    fn example() -> Value {
        "2026-11-21".into()
    }
}

impl Readable for Moment {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(value.as_str().ok_or(Issue::InvalidType)?).ok_or(Issue::InvalidFormat)
    }
}

query! {
    /// Which events to show.
    pub(crate) ActivityQuery {
        page: i64, 20 up to 100;
        /// Only events on this page.
        page_id "pageId": optional PageId,
        /// With `pageId`: also events on the pages that are now below it.
        subtree "subtree": optional bool = true,
        /// Only events in this database.
        database_id "databaseId": optional DatabaseId,
        /// Only events about the resource with this id.
        resource_id "resourceId": optional Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Only events that this user, key or app caused.
        actor_id "actorId": optional Text<1, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Exact types or `<area>.*`, separated by commas.
        types "types": optional Types,
        /// Only events from this day or time on. A day begins in the time zone of the user; for keys in UTC.
        since "since": optional Moment,
        /// Only events before this day or time.
        until "until": optional Moment,
    }
}

routes! {
    /// Shows what happened lately.
    ///
    /// Newest first: the events that the caller may see now, by the same rule as in the event log. What a change was
    /// about is in `data`, without the values before and after it. A page or database that the caller may not see is
    /// 404. An answer can have fewer events than `limit`, even none, although there are more: `nextCursor` says so.
    GET "/activity" as listActivity => list {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<ActivityQuery>),
        answers: { 200: Page<EventReply> },
        refusals: [],
        events: [],
    }
}

async fn list(mut dispatcher: Dispatcher, call: Call, query: Draft<ActivityQuery>) -> Answer {
    let pager = dispatcher.take_pager();
    let wanted = query.map(|query| ActivityRequest {
        filter: EventFilter {
            types: query.types.map(|types| types.0),
            page: query.page_id,
            subtree: query.subtree.unwrap_or(false),
            database: query.database_id,
            resource: query.resource_id.map(|text| text.0),
        },
        actor: query.actor_id.map(|text| text.0),
        since: query.since,
        until: query.until,
        looked_through: query.page.after,
        limit: query.page.limit,
    });
    let shape = move |page: ActivityPage| {
        let next_cursor = page.next.and_then(|place| pager.map(|pager| pager.seal.seal(&place)));
        Reply::json(200, &Page { data: page.events.into_iter().map(EventReply::from).collect(), next_cursor })
    };
    dispatcher.read(call, move |view| Box::pin(events::list_activity(view, wanted)), shape).await
}
