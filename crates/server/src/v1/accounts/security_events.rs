//! `/users/me/security-events`

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Query, routes},
    v1::audit::entry::AuditEntryReply,
    wire::{Page, query},
};
use octavo_app::{
    Call, Draft,
    accounts::security_events::{self, AuditPage},
};
use octavo_core_model::audit::{AuditPosition, AuditRecord};

query! {
    /// Which entries to list.
    pub(crate) SecurityEventsQuery {
        page: AuditPosition, 20 up to 100;
    }
}

routes! {
    /// Lists events about the caller's account.
    ///
    /// Successful and failed sign-ins and changes of password, address and sessions, newest first.
    GET "/users/me/security-events" as listSecurityEvents => list {
        caller: SignedIn,
        limits: [],
        takes: (query: Query<SecurityEventsQuery>),
        answers: { 200: Page<AuditEntryReply> },
        refusals: [],
        events: [],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<SecurityEventsQuery>) -> Answer {
    let page = query.map(|query| AuditPage { behind: query.page.after, limit: query.page.fetch() });
    let position = AuditRecord::position;
    dispatcher
        .list(call, move |view| Box::pin(security_events::list(view, page)), position, AuditEntryReply::from)
        .await
}
