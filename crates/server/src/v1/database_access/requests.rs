//! `/databases/{databaseId}/access-requests`

use crate::{
    route::{Body, Ids, Path, routes},
    v1::access_requests::{AskedReply, NewAccessRequestBody, ask},
    wire::Data,
};
use octavo_app::access::RouteAccess;
use octavo_core_model::id::DatabaseId;

routes! {
    /// Requests access to a database, or a higher level on it.
    ///
    /// The answer is always the same, so that nobody learns about databases they may not see. A request is created if
    /// an active database of the workspace has this id and the caller's level is lower. Asking again while a request
    /// is pending changes its level and message, but not its expiry.
    POST "/databases/{databaseId}/access-requests" as requestDatabaseAccess => ask {
        caller: Inside(RouteAccess::ASKING),
        limits: [AccessRequest],
        takes: (database: Path<DatabaseId>, body: Body<NewAccessRequestBody>),
        answers: { 202: Data<AskedReply> },
        refusals: [],
        events: [AccessRequestCreated],
        ids: Ids::Concealed,
    }
}
