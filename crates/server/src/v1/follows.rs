//! `/follows`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, Query, routes},
    wire::{Data, Page, body, query, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    follows::{self, FollowList},
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::Denial,
    follow::{Follow, FollowMode, FollowPlace, FollowTarget},
};

query! {
    /// Which follows to list.
    pub(crate) FollowsQuery {
        page: FollowPlace, 20 up to 100;
        /// Only those with this mode.
        mode "mode": optional FollowMode = "ALL",
    }
}

body! {
    /// How much to be told of.
    pub(crate) FollowBody {
        example: { "mode": "COMMENTS" };
        /// Comments and changes (`ALL`, the default), only comments, or nothing but what is meant for the caller in person.
        mode "mode": optional FollowMode = "COMMENTS",
    }
}

reply! {
    /// What the caller follows or has muted.
    pub(crate) FollowReply {
        /// The page, the database or the thread.
        resource_id "resourceId": required FollowTarget,
        /// How much of it the caller is told of.
        mode "mode": required FollowMode = "COMMENTS",
        /// When the caller began.
        created_at "createdAt": required Timestamp,
    }
}

routes! {
    /// Lists what the caller follows or has muted.
    ///
    /// Newest first. What is followed by default is not listed: pages that the caller created, and threads in which they
    /// wrote.
    GET "/follows" as listFollows => list {
        caller: Inside(RouteAccess::OWN_PAGES),
        limits: [],
        takes: (query: Query<FollowsQuery>),
        answers: { 200: Page<FollowReply> },
        refusals: [],
        events: [],
    }

    /// Follows or mutes a page, a database or a thread.
    ///
    /// What lies below a page or database is followed with it; the nearest decision counts. Open to users in person who may
    /// view it. Repeating it only changes the mode.
    PUT "/follows/{resourceId}" as putFollow => put {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (target: Path<FollowTarget>, body: Body<FollowBody>),
        answers: { 200: Data<FollowReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit))],
        events: [],
    }

    /// Returns to what is followed by default.
    ///
    /// Not an error if the caller has decided nothing about it.
    DELETE "/follows/{resourceId}" as deleteFollow => remove {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (target: Path<FollowTarget>),
        answers: { 204: Nothing },
        refusals: [],
        events: [],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<FollowsQuery>) -> Answer {
    let wanted =
        query.map(|query| FollowList { mode: query.mode, limit: query.page.fetch(), before: query.page.after });
    let place = |follow: &Follow| FollowPlace { created_at: follow.created_at, target: follow.target };
    dispatcher.list(call, move |view| Box::pin(follows::list(view, wanted)), place, FollowReply::from).await
}

async fn put(dispatcher: Dispatcher, call: Call, target: Draft<FollowTarget>, body: Draft<FollowBody>) -> Answer {
    let mode = body.map(|body| body.mode.unwrap_or(FollowMode::All));
    let shape = |follow| ok(FollowReply::from(follow));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(follows::follow(unit, target.clone(), mode.clone())), shape)
        .await
}

async fn remove(dispatcher: Dispatcher, call: Call, target: Draft<FollowTarget>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(follows::unfollow(unit, target)), |()| Reply::nothing()).await
}

impl From<Follow> for FollowReply {
    fn from(follow: Follow) -> Self {
        Self { resource_id: follow.target, mode: follow.mode, created_at: follow.created_at }
    }
}
