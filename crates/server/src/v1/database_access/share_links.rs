//! `/databases/{databaseId}/share-links`

use crate::{
    route::{Body, Path, routes},
    v1::share_links::{
        collection::{NewShareLinkBody, create, list_of},
        link::ShareLinkReply,
    },
    wire::{Data, Page},
};
use octavo_app::access::RouteAccess;
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial},
    id::DatabaseId,
    share_link::MAX_LINKS,
};

routes! {
    /// Creates a link to a database.
    ///
    /// Requires full access. Holders of the link can see the database without an account, and its records if
    /// `includeChildren` is true, except records whose pages do not inherit. A database can have at most 20 links that
    /// are not revoked. If the workspace does not allow share links, owners, admins and API keys can still create them.
    POST "/databases/{databaseId}/share-links" as createDatabaseShareLink => create {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (database: Path<DatabaseId>, body: Body<NewShareLinkBody>),
        answers: { 201: Data<ShareLinkReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Forbidden(Denial::ShareLinksDisabled),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::LimitReached(MAX_LINKS)),
            Fault::HasherBusy,
        ],
        events: [ShareLinkCreated],
    }

    /// Lists the links of a database.
    ///
    /// Requires full access. All of them, newest first, in one answer.
    GET "/databases/{databaseId}/share-links" as listDatabaseShareLinks => list_of {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (database: Path<DatabaseId>),
        answers: { 200: Page<ShareLinkReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [],
    }
}
