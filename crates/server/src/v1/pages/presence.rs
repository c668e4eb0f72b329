//! `/pages/{pageId}/presence`: where on a page somebody is.

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Whole, body},
};
use octavo_app::{
    Call, Draft, Engine,
    access::RouteAccess,
    pages::{self, SentPresence},
};
use octavo_core_model::{
    Fault,
    fault::Denial,
    id::{BlockId, PageId},
    presence::PresenceState,
};
use octavo_ports::log_signals::LogSignal;
use std::sync::Arc;

body! {
    /// Where on a page the caller is.
    pub(crate) PresenceBody {
        /// The block, if the caller is in one of the page.
        block_id "blockId": optional BlockId,
        /// The place in the text of the block, in UTF-16 code units.
        offset "offset": optional Whole<0, 1_000_000>,
        /// What the caller does; `left` when they leave the page.
        state "state": required PresenceState,
    }
}

routes! {
    /// Tells others where on a page the caller is.
    ///
    /// For users in person, with `VIEW` on the page. Nothing is stored: streams of events with this `pageId` get
    /// `presence.updated`, those of the caller too. Send it again at least every 30 seconds: without another call the
    /// state becomes `left`.
    PUT "/pages/{pageId}/presence" as updatePresence => put {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [Presence],
        takes: (page: Path<PageId>, body: Body<PresenceBody>),
        answers: { 204: Nothing },
        refusals: [Fault::UnknownId("blockId"), Fault::Forbidden(Denial::RequiresLevel(octavo_core_model::Level::Edit))],
        events: [],
    }
}

async fn put(dispatcher: Dispatcher, call: Call, page: Draft<PageId>, body: Draft<PresenceBody>) -> Answer {
    let sent = body.map(|body| SentPresence {
        block: body.block_id,
        offset: body.offset.map(Whole::count),
        state: body.state,
    });
    let find = |engine: Arc<Engine>, call: Call| async move {
        engine.read(call, move |view| Box::pin(pages::presence(view, page, sent))).await
    };
    let presence = match dispatcher.ask(call, find).await {
        Ok(presence) => Arc::new(presence),
        Err(refusal) => return refusal.into(),
    };
    let backend = dispatcher.backend();
    backend.log_changes.notify(LogSignal::Present(Arc::clone(&presence)));
    if let Some(signals) = backend.signals.clone() {
        backend.executor.spawn(async move {
            // Nodes that are not reached learn it from the next call.
            let _ = signals.send_presence(&presence).await;
        });
    }
    octavo_app::Reply::nothing().into()
}
