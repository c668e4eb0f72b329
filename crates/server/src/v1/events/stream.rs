//! `/events/stream`: the log as it grows.

use crate::{
    answer::{Answer, FileBody, FileBytes},
    dispatcher::Dispatcher,
    event_reply::{EventReply, Types},
    head_guard::ConnectionState,
    live::{StreamBody, StreamPlaces},
    request::{AdmittedRequest, Inputs},
    route::{Part, Query, RouteReply, routes},
    wire::{Documented, Named, ParameterDoc, Text, query},
};
use actix_web::http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use octavo_app::{
    Call, Caller, Draft, Engine,
    access::RouteAccess,
    events::{self, EventFilter, StreamRequest},
    notifications,
};
use octavo_core_model::{
    Bucket, Fault, Timestamp,
    fault::Denial,
    id::{DatabaseId, EventId, PageId},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Tells proxies to pass on each piece at once.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

query! {
    /// Which events to follow, and from where on.
    pub(crate) StreamQuery {
        /// Exact types or `<area>.*`, separated by commas.
        types "types": optional Types,
        /// Only events on this page.
        page_id "pageId": optional PageId,
        /// With `pageId`: also events on the pages that are below it when they happen.
        subtree "subtree": optional bool = true,
        /// Only events in this database.
        database_id "databaseId": optional DatabaseId,
        /// Only events about the resource with this id.
        resource_id "resourceId": optional Text<1, 100> = "wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Also the caller's new and changed notifications of this workspace; only for users in person.
        notifications "notifications": optional bool = true,
        /// The id of the last event that was received, for clients that cannot send `Last-Event-ID`, which comes first.
        last_event_id "lastEventId": optional Text<0, 8192> = "evn_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

/// The id of the last event that the client received, which browsers send when they connect again. An id that the log
/// does not know is no flaw of the call.
#[derive(Debug)]
pub(crate) struct LastEventId;

impl Part for LastEventId {
    type Extracted = Option<String>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<String> {
        let value = admitted.headers().get("last-event-id")?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "Last-Event-ID",
            about: "The id of the last event that was received. All later ones that fit follow first.".to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: EventId::example(),
        });
    }
}

/// A ticket in the query, which the gate reads in place of a credential in a header.
#[derive(Debug)]
pub(crate) struct Ticket;

impl Part for Ticket {
    type Extracted = ();

    fn extract(_: &mut AdmittedRequest) {}

    fn describe(inputs: &mut Inputs) {
        inputs.query.push(ParameterDoc {
            name: "ticket",
            about: "A ticket, for clients that cannot send a credential in a header.".to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: Value::Null,
        });
    }
}

/// The connection, which shows when the client hangs up.
#[derive(Debug)]
pub(crate) struct Connection;

impl Part for Connection {
    type Extracted = Option<ConnectionState>;

    fn extract(admitted: &mut AdmittedRequest) -> Option<ConnectionState> {
        admitted.request.conn_data::<ConnectionState>().cloned()
    }

    fn describe(_: &mut Inputs) {}
}

/// Events, one after the other.
#[derive(Debug)]
pub(crate) struct EventFrames;

impl Documented for EventFrames {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        let event = EventReply::example();
        let id = event["id"].as_str().unwrap_or_default();
        let kind = event["type"].as_str().unwrap_or_default();
        format!("retry: 3000\n\nid: {id}\nevent: {kind}\ndata: {event}\n\nevent: heartbeat\ndata: {{}}\n\n").into()
    }

    fn collect(named: &mut Named) {
        EventReply::collect(named);
    }
}

impl RouteReply for EventFrames {
    const MEDIA: &'static str = "text/event-stream";
}

routes! {
    /// Follows the events of a workspace.
    ///
    /// Server-sent events that do not end: after `retry: 3000`, each event has its `id`, its type as `event` and itself as
    /// `data`, in one line. With the id of the last event that was received, all later ones follow first, in order and
    /// without a gap; without it, the stream has what happens from now on. Whether the caller may see an event is checked
    /// when it is sent. If the log does not know the id any more, or more than 10,000 fitting events are behind it, `reset`
    /// says so, with `{ "reason": "history_lost" }`: read the state again. `heartbeat` comes after 15 seconds without
    /// anything else. `close` ends the stream, with one of these reasons: `token_expired`; `revoked`, if the key, the
    /// grant of the app or the membership is gone; `slow_consumer`, if more than 1,000 frames were not read; `shutdown`.
    /// With `notifications`, each new or changed notification of the caller in this workspace comes as
    /// `notification.upserted`, without an id and whatever the stream filters; API keys are refused. After a break, read
    /// the list again.
    /// A user can have 10 streams at the same time, a key 50, a workspace 1,000.
    GET "/events/stream" as streamEvents => open {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (query: Query<StreamQuery>, ticket: Ticket, last_event: LastEventId, connection: Connection),
        answers: { 200: EventFrames },
        refusals: [
            Fault::Forbidden(Denial::RequiresUser),
            Fault::TooManyStreams { bucket: Bucket::Generic, retry_after: 5 },
        ],
        events: [],
        takes_ticket: true,
    }
}

async fn open(
    dispatcher: Dispatcher,
    call: Call,
    query: Draft<StreamQuery>,
    (): (),
    last_event: Option<String>,
    connection: Option<ConnectionState>,
) -> Answer {
    let with_notifications = query.as_ref().is_ok_and(|query| query.notifications.unwrap_or(false));
    let wanted = query.map(|query| StreamRequest {
        filter: EventFilter {
            types: query.types.map(|types| types.0),
            page: query.page_id,
            subtree: query.subtree.unwrap_or(false),
            database: query.database_id,
            resource: query.resource_id.map(|text| text.0),
        },
        last_event: last_event.or_else(|| query.last_event_id.map(|text| text.0)),
    });
    let filter = wanted.as_ref().map(|wanted| wanted.filter.clone()).unwrap_or_default();
    let expires = expires_at(&call.caller);
    let run = move |engine: Arc<Engine>, call: Call| async move {
        let open = engine.read(call, move |view| {
            Box::pin(async move {
                let opened = events::open_stream(view, wanted).await?;
                let known = if with_notifications {
                    Some(notifications::list_known(view, opened.workspace).await?)
                } else {
                    None
                };
                Ok((opened, known))
            })
        });
        open.await
    };
    let (opened, known) = match dispatcher.ask(call, run).await {
        Ok(opened) => opened,
        Err(refusal) => return refusal.into(),
    };
    let live = Arc::clone(&dispatcher.backend().live_streams);
    let place = match StreamPlaces::of(&opened.call.caller, opened.workspace).take(&live).await {
        Ok(place) => place,
        Err(refusal) => return refusal.into(),
    };
    let body = StreamBody::new(live, opened, filter, known, expires, connection, place);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    Answer::File(FileBytes { status: StatusCode::OK, headers, body: FileBody::Streamed(body.into_stream()) })
}

/// When the credential is past its time.
fn expires_at(caller: &Caller) -> Option<Timestamp> {
    let seconds = |seconds: i64| Some(Timestamp::from_millis(seconds.saturating_mul(1000)));
    match caller {
        Caller::User(claims) => seconds(claims.expires_at_seconds()),
        Caller::App(app) => seconds(app.claims.expires_at_seconds()),
        Caller::Key(presented) => presented.key.expires_at,
        Caller::Nobody | Caller::Job(_) | Caller::System => None,
    }
}
