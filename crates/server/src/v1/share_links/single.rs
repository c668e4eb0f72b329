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
    /// A change of a link. Fields that are left out stay as they are.
    pub(crate) ShareLinkBody {
        example: { "level": "COMMENT" };
        /// The level for users who join through it.
        level "level": optional ShareLevel = "COMMENT",
        /// Whether it includes the descendants of the page.
        include_children "includeChildren": optional bool = true,
        /// The password that opens it; null removes it. Ends all access through an earlier password.
        password "password": nullable SharePassword,
        /// When it expires; null for never.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether holders may copy what it shows.
        allow_duplicate "allowDuplicate": optional bool = false,
        /// Whether search engines may index it.
        allow_indexing "allowIndexing": optional bool = false,
        /// Whether to replace its token; the present one stops working.
        rotate_token "rotateToken": optional bool = false,
    }
}

routes! {
    /// Changes a share link.
    ///
    /// Requires full access to its page. A later `expiresAt` revives an expired link; a revoked one cannot be
    /// changed. If the workspace does not allow share links, members can only restrict them, and only owners, admins
    /// and API keys can extend them: a higher level, more pages, a later expiry, copies, or no password.
    PATCH "/share-links/{shareLinkId}" as updateShareLink => update {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<ShareLinkId>, body: Body<ShareLinkBody>),
        answers: { 200: Data<ShareLinkReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Forbidden(Denial::ShareLinksDisabled),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::ShareLinkRevoked),
            Fault::HasherBusy,
        ],
        events: [ShareLinkUpdated],
    }

    /// Revokes a share link.
    ///
    /// Requires full access to its page. The link stops working with the next call, permanently. Repeating this
    /// changes nothing.
    DELETE "/share-links/{shareLinkId}" as revokeShareLink => revoke {
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
