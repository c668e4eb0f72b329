//! `/events/tickets`: for clients that cannot send a credential in a header.

use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    live::StreamPlaces,
    route::routes,
    wire::{Confidential, Data, reply},
};
use octavo_app::{
    Call, Engine,
    access::RouteAccess,
    events::{self, IssuedTicket},
};
use octavo_core_model::{Bucket, Fault, Timestamp};
use std::sync::Arc;

reply! {
    /// A ticket, which is shown only here.
    pub(crate) StreamTicketReply {
        /// Send it as `ticket` to `/events/stream`.
        ticket "ticket": required Confidential<String> = "stk_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA",
        /// When it stops working.
        expires_at "expiresAt": required Timestamp,
    }
}

routes! {
    /// Makes a ticket for one stream.
    ///
    /// For clients that cannot send a credential in a header, like `EventSource` in browsers. It opens one stream of the
    /// workspace of this call within 60 seconds, with the rights that its maker has by then, and nothing else. The stream
    /// ends when the access token expires that made the ticket.
    POST "/events/tickets" as createStreamTicket => create {
        caller: Inside(RouteAccess::ANYBODY),
        limits: [],
        takes: (),
        answers: { 201: Data<StreamTicketReply> },
        refusals: [Fault::TooManyStreams { bucket: Bucket::Generic, retry_after: 5 }],
        events: [],
    }
}

async fn create(dispatcher: Dispatcher, call: Call) -> Answer {
    let find = |engine: Arc<Engine>, call: Call| async move {
        engine.read(call, |view| Box::pin(events::find_followed(view))).await
    };
    let workspace = match dispatcher.ask(call.clone(), find).await {
        Ok(workspace) => workspace,
        Err(refusal) => return refusal.into(),
    };
    let places = StreamPlaces::of(&call.caller, workspace);
    if let Err(refusal) = places.require_room(&dispatcher.backend().live_streams).await {
        return refusal.into();
    }
    let shape = |IssuedTicket { ticket, expires_at }: IssuedTicket| {
        created(StreamTicketReply { ticket: Confidential(ticket.reveal().to_owned()), expires_at })
    };
    dispatcher.write(call, |unit| Box::pin(events::issue_ticket(unit)), shape).await
}
