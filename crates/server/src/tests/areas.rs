//! Routes that exist for tests only, declared like all others.

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Area, Body, Confirmation, Path, routes},
    wire::{Data, body, reply},
};
use octavo_app::{Call, Draft, access};
use octavo_core_model::{Fault, id::SessionId, text::Name};

pub(super) const AREA: Area =
    Area { name: "Tests", about: "Routes that exist for tests only.", files: &[ROUTES, super::streaming::ROUTES] };

routes! {
    /// Is deprecated.
    ///
    /// Every answer says so.
    POST "/test/old/{sessionId}" => old {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<SessionId>, confirmation: Confirmation, body: Body<NameBody>),
        answers: { 200: Data<NameReply> },
        refusals: [],
        events: [],
        deprecated: Some("2028-01-30"),
        published: false,
    }

    /// Panics in its use case.
    ///
    /// On purpose.
    GET "/test/panic" => panic {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: Data<CountReply> },
        refusals: [],
        events: [],
        published: false,
    }
}

body! {
    /// A name.
    pub(super) NameBody {
        /// The name.
        name "name": required Name,
    }
}

reply! {
    /// A name.
    pub(super) NameReply {
        /// The name.
        name "name": required Name,
        /// What was confirmed.
        confirmed "confirmed": nullable String,
    }
}

reply! {
    /// A number.
    pub(super) CountReply {
        /// The number.
        count "count": required u32,
    }
}

async fn old(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<SessionId>,
    confirmed: Option<String>,
    body: Draft<NameBody>,
) -> Answer {
    let shape = |(name, confirmed)| ok(NameReply { name, confirmed });
    dispatcher
        .read(
            call,
            move |view| {
                Box::pin(async move {
                    access::user(view).await?;
                    id?;
                    Ok((body?.name, confirmed))
                })
            },
            shape,
        )
        .await
}

async fn panic(dispatcher: Dispatcher, call: Call) -> Answer {
    let shape = |count| ok(CountReply { count });
    dispatcher
        .read(
            call,
            |_| {
                Box::pin(async {
                    if std::hint::black_box(true) { panic!("on purpose") } else { Err(Fault::NotFound.into()) }
                })
            },
            shape,
        )
        .await
}
