//! `/events`: catching up with the event log.

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    event_reply::{EventReply, Types},
    route::{Query, RouteReply, routes},
    wire::{Documented, Readable, Text, Written, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    events::{self, After, CatchUp, EventFilter, LogSlice},
};
use octavo_core_model::{
    Fault,
    event::EventMark,
    fault::Issue,
    id::{DatabaseId, EventId, PageId},
};
use serde_json::{Value, json};

/// The id or the number of the event after which to continue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position(After);

impl Documented for Position {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^([0-9]+|evn_[0-7][0-9A-HJKMNP-TV-Z]{25})$" })
    }

    fn example() -> Value {
        EventId::example()
    }
}

impl Readable for Position {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        if let Ok(id) = text.parse() {
            return Ok(Self(After::Event(id)));
        }
        if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Issue::InvalidFormat);
        }
        // A number beyond the range is one that the log never had.
        Ok(Self(After::Sequence(text.parse().unwrap_or(i64::MAX))))
    }
}

query! {
    /// Which events to read.
    pub(crate) EventsQuery {
        page: i64, 100 up to 500;
        /// Only events after this one, by its id or its `sequence`; by default from the oldest on.
        after "after": optional Position,
        /// Exact types or `<area>.*`, separated by commas.
        types "types": optional Types,
        /// Only events on this page.
        page_id "pageId": optional PageId,
        /// With `pageId`: also events on the pages that are now below it.
        subtree "subtree": optional bool = true,
        /// Only events in this database.
        database_id "databaseId": optional DatabaseId,
        /// Only events about the resource with this id.
        resource_id "resourceId": optional Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

reply! {
    /// An event, by its id and its number.
    pub(crate) EventMarkReply {
        /// Its id.
        id "id": required EventId,
        /// Its number.
        sequence "sequence": required i64 = 17,
    }
}

reply! {
    /// A part of the event log.
    pub(crate) EventLogReply {
        /// The events, oldest first.
        data "data": required Vec<EventReply>,
        /// Send it as `cursor` to read on; null at the end of the log.
        next_cursor "nextCursor": nullable String = null,
        /// The newest event that was examined, whether visible or not: continuing with its id as `after` misses
        /// nothing. Null if the log is empty.
        head "head": nullable EventMarkReply,
    }
}

impl RouteReply for EventLogReply {}

routes! {
    /// Reads the event log.
    ///
    /// Oldest first: the events that the caller may see now. Owners, admins and keys with the scope `ADMIN` see
    /// everything. Others see events about the workspace, its members and invitations if they are members or keys;
    /// about a team if they see the team; about a page if they have `VIEW` on it (`EDIT` while it is in the trash);
    /// and about the grants of a page, its share links and requests for access if they have `EDIT`. If the page or
    /// team no longer exists, they see only their own events. An app sees events about pages only with a scope for
    /// pages. An event can be read within a second of its commit. One answer has about 1 MB of data, so it can have
    /// fewer events than `limit`; `nextCursor` says whether there are more. If the log no longer contains the given
    /// place, the answer is 410: start over, and read on from `oldest`.
    GET "/events" as listEvents => list {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<EventsQuery>),
        answers: { 200: EventLogReply },
        refusals: [Fault::HistoryLost { oldest: None }],
        events: [],
    }
}

async fn list(mut dispatcher: Dispatcher, call: Call, query: Draft<EventsQuery>) -> Answer {
    let pager = dispatcher.take_pager();
    let wanted = query.map(|query| CatchUp {
        after: query.after.map(|position| position.0),
        filter: EventFilter {
            types: query.types.map(|types| types.0),
            page: query.page_id,
            subtree: query.subtree.unwrap_or(false),
            database: query.database_id,
            resource: query.resource_id.map(|text| text.0),
        },
        looked_through: query.page.after,
        limit: query.page.limit,
    });
    let shape = move |caught: LogSlice| {
        let place = caught.head.filter(|_| caught.goes_on).map(|mark| mark.sequence);
        let log = EventLogReply {
            data: caught.events.into_iter().map(EventReply::from).collect(),
            next_cursor: place.and_then(|place| pager.map(|pager| pager.seal.seal(&place))),
            head: caught.head.map(EventMarkReply::from),
        };
        Reply::json(200, &Written(&log))
    };
    dispatcher.read(call, move |view| Box::pin(events::catch_up(view, wanted)), shape).await
}

impl From<EventMark> for EventMarkReply {
    fn from(mark: EventMark) -> Self {
        Self { id: mark.id, sequence: mark.sequence }
    }
}
