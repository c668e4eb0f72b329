//! Information about the service itself, for clients and operators.

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    gate::{BucketState, Subject, peek},
    refusal::Refusal,
    route::routes,
    wire::{Data, reply},
};
use octavo_app::{Call, access};
use octavo_core_model::{
    Fault, Timestamp,
    event::{EventType, Reach},
};
use std::sync::Arc;

routes! {
    /// Lists the caller's rate-limit buckets.
    ///
    /// Reading this is free. Buckets that count by something in the body of a call, such as the address of a sign-in,
    /// are not listed. A bucket that is turned off shows a limit of 1000000.
    GET "/rate-limit" as listRateLimits => rate_limit {
        caller: Known,
        limits: [],
        takes: (),
        answers: { 200: Data<Vec<BucketShown>> },
        refusals: [],
        events: [],
        free: true,
    }

    /// Lists the types of events.
    ///
    /// The catalog, by name; no events. A deployment may turn it off; then the answer is 501.
    GET "/debug/events" as listEventTypes => events {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Data<Vec<EventShown>> },
        refusals: [],
        events: [],
    }
}

reply! {
    /// The state of one bucket.
    pub BucketShown {
        /// The name of the bucket.
        bucket "bucket": required &'static str = "generic",
        /// How many calls its window lets through.
        limit "limit": required u32 = 100,
        /// How many of them are left.
        remaining "remaining": required u32 = 99,
        /// The Unix second at which another call becomes possible.
        reset "reset": required i64 = 1763720400,
    }
}

reply! {
    /// A type of event.
    pub EventShown {
        /// Its name.
        kind "type": required &'static str = "workspace.created",
        /// Whether it is written to the event log, which subscribers follow.
        delivered "delivered": required bool = true,
        /// Whether it is written to the audit trail.
        audit "audit": required bool = false,
        /// What it means.
        description "description": required &'static str = "A workspace was created.",
    }
}

async fn rate_limit(dispatcher: Dispatcher, call: Call) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    dispatcher
        .flow(call, |engine, call| async move {
            let (now, address) = (call.now, call.client.as_ref().map(|client| client.address));
            let caller = call.caller.clone();
            engine.read(call, |view| Box::pin(access::anybody(view))).await?;
            let address = address.ok_or(Fault::Internal("a call over HTTP has a client"))?;
            let subject = Subject::of(&caller, address, None);
            let states = peek(&*backend.counters, &backend.settings.rate_limits, subject, now).await?;
            Ok(ok(states.iter().map(|state| bucket_shown(state, now)).collect::<Vec<_>>()))
        })
        .await
}

fn bucket_shown(state: &BucketState, now: Timestamp) -> BucketShown {
    BucketShown {
        bucket: state.bucket.name(),
        limit: state.limit,
        remaining: state.remaining,
        reset: state.reset_second(now),
    }
}

async fn events(dispatcher: Dispatcher, _: Call) -> Answer {
    if !dispatcher.backend().settings.debug_events {
        return Refusal::NotEnabled("debug_events").into();
    }
    ok(EventType::all().into_iter().map(event_shown).collect::<Vec<_>>()).into()
}

fn event_shown(kind: EventType) -> EventShown {
    let (delivered, audit) = match kind.reach() {
        Reach::Log => (true, false),
        Reach::Audit => (false, true),
        Reach::Both => (true, true),
    };
    EventShown { kind: kind.name(), delivered, audit, description: kind.description() }
}
