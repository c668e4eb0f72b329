//! `/sessions`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Nothing, Path, Query, routes},
    v1::sessions::session::SessionReply,
    wire::{Data, Page, query, reply},
};
use octavo_app::{
    Call, Caller, Draft, Reply,
    sessions::{self, SessionPage},
};
use octavo_core_model::{
    Fault,
    id::SessionId,
    session::{Session, SessionStatus},
};

query! {
    /// Which sessions to list.
    pub(crate) SessionsQuery {
        page: SessionId, 20 up to 100;
        /// The state of the sessions; live ones by default.
        status "status": optional SessionStatus,
    }
}

reply! {
    /// How many sessions ended.
    pub(crate) RevokedReply {
        /// The number of sessions.
        revoked "revoked": required i64 = 2,
    }
}

routes! {
    /// Lists the caller's sessions.
    ///
    /// Live ones unless `status` says otherwise, newest first.
    GET "/sessions" as listSessions => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<SessionsQuery>),
        answers: { 200: Page<SessionReply> },
        refusals: [],
        events: [],
    }

    /// Revokes all other sessions.
    ///
    /// The caller's present session stays.
    DELETE "/sessions" as revokeOtherSessions => revoke_others {
        caller: SignedIn,
        limits: [],
        takes: (),
        answers: { 200: Data<RevokedReply> },
        refusals: [],
        events: [SessionRevoked],
    }

    /// Revokes a session.
    ///
    /// The caller's present session can be revoked too. A session that was revoked before stays as it is, with the
    /// same answer.
    DELETE "/sessions/{sessionId}" as revokeSession => revoke {
        caller: SignedIn,
        limits: [],
        takes: (id: Path<SessionId>),
        answers: { 204: Nothing },
        refusals: [Fault::NotFound],
        events: [SessionRevoked],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<SessionsQuery>) -> Answer {
    let now = call.now;
    let current = match &call.caller {
        Caller::User(claims) => Some(claims.session),
        Caller::Nobody | Caller::Key(_) | Caller::App(_) | Caller::Job(_) | Caller::System => None,
    };
    let page = query.map(|query| SessionPage {
        status: query.status.unwrap_or(SessionStatus::Active),
        before: query.page.after,
        limit: query.page.fetch(),
    });
    let position = |session: &Session| session.id;
    let shape = move |session| SessionReply::of(session, current, now);
    dispatcher.list(call, move |view| Box::pin(sessions::list(view, page)), position, shape).await
}

async fn revoke_others(dispatcher: Dispatcher, call: Call) -> Answer {
    let shape = |revoked| ok(RevokedReply { revoked: i64::try_from(revoked).unwrap_or(i64::MAX) });
    dispatcher.write(call, |unit| Box::pin(sessions::revoke_others(unit)), shape).await
}

async fn revoke(dispatcher: Dispatcher, call: Call, id: Draft<SessionId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(sessions::revoke(unit, id)), |()| Reply::nothing()).await
}
