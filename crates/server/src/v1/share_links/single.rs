//! `/share-links/{shareLinkId}`

use super::{collection::shape, link::ShareLinkReply};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, body},
};
use octavo_app::{
    Call, Draft, Engine, Reply,
    access::RouteAccess,
    share_links::{self, ShareUpdate},
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{Conflict, Denial},
    id::ShareLinkId,
    share_link::{ShareLevel, SharePassword},
};
use std::sync::Arc;

body! {
    /// A change of a link. What is left out stays.
    pub(crate) ShareLinkBody {
        /// What those get who join by it.
        level "level": optional ShareLevel = "COMMENT",
        /// Whether it shows what is below the page too.
        include_children "includeChildren": optional bool = true,
        /// The password that opens it; null removes it. Whatever an earlier password opened is closed.
        password "password": nullable SharePassword,
        /// Until when it shows anything; null for good.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether people may copy what it shows.
        allow_duplicate "allowDuplicate": optional bool = false,
        /// Whether search engines may list it.
        allow_indexing "allowIndexing": optional bool = false,
        /// Whether it gets another token; the one it has leads nowhere from then on.
        rotate_token "rotateToken": optional bool = false,
    }
}

routes! {
    /// Changes a share link.
    ///
    /// With full access to its page. A later `expiresAt` revives a link that has expired; a revoked one stays as it is. Where the workspace does not
    /// allow share links, members narrow them and only owners, admins and API keys widen them: more level, pages or time, copies, no password.
    PATCH "/share-links/{shareLinkId}" => update {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<ShareLinkId>, body: Body<ShareLinkBody>),
        answers: { 200: Data<ShareLinkReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Forbidden(Denial::ShareLinksDisabled),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::ShareLinkRevoked),
            Fault::HasherBusy,
        ],
        events: [ShareLinkUpdated],
    }

    /// Revokes a share link.
    ///
    /// With full access to its page. From the next call on it leads nowhere, for good. Revoking again changes nothing.
    DELETE "/share-links/{shareLinkId}" => revoke {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<ShareLinkId>),
        answers: { 204: Nothing },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [ShareLinkRevoked],
    }
}

async fn update(dispatcher: Dispatcher, call: Call, id: Draft<ShareLinkId>, body: Draft<ShareLinkBody>) -> Answer {
    let draft = body.map(|body| ShareUpdate {
        level: body.level,
        include_children: body.include_children,
        password: body.password,
        expires_at: body.expires_at,
        allow_duplicate: body.allow_duplicate,
        allow_indexing: body.allow_indexing,
        rotate_token: body.rotate_token.unwrap_or(false),
    });
    let shape = shape(&dispatcher, &call);
    let flow = |engine: Arc<Engine>, call| async move {
        share_links::update(&engine, call, id, draft, move |shown| ok(shape(shown))).await
    };
    dispatcher.flow(call, flow).await
}

async fn revoke(dispatcher: Dispatcher, call: Call, id: Draft<ShareLinkId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(share_links::revoke(unit, id)), |()| Reply::nothing()).await
}
