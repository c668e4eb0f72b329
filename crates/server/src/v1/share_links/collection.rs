//! `/pages/{pageId}/share-links` and `/workspaces/{workspaceId}/share-links`

use super::link::ShareLinkReply;
use crate::{
    answer::{Answer, created},
    dispatcher::Dispatcher,
    refusal::Refusal,
    route::{Body, Path, Query, routes},
    wire::{Data, Page, body, query},
};
use octavo_app::{
    Call, Draft, Engine, Reply,
    access::RouteAccess,
    pages::NodeId,
    share_links::{self, NewShareLink, ShareLinkDetails, ShareLinkList},
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    fault::{Conflict, Denial},
    id::{PageId, ShareLinkId, UserId},
    page::ResourceId,
    share_link::{MAX_LINKS, ShareLevel, SharePassword, ShareStatus},
};
use std::sync::Arc;

body! {
    /// The properties of a new link. All fields are optional.
    pub(crate) NewShareLinkBody {
        example: { "level": "VIEW" };
        /// The level for users who join through it; `VIEW` by default.
        level "level": optional ShareLevel = "VIEW",
        /// Whether it includes the descendants of the page; true by default.
        include_children "includeChildren": optional bool = true,
        /// The password that opens it.
        password "password": nullable SharePassword,
        /// When it expires.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether holders may copy what it shows.
        allow_duplicate "allowDuplicate": optional bool = false,
        /// Whether search engines may index it.
        allow_indexing "allowIndexing": optional bool = false,
    }
}

query! {
    /// Which links to list.
    pub(crate) ShareLinksQuery {
        page: ShareLinkId, 20 up to 100;
        /// Only links in this state.
        status "status": optional ShareStatus = "ACTIVE",
        /// Only links to this page or database.
        resource_id "resourceId": optional ResourceId,
        /// Only links that this user created.
        created_by "createdBy": optional UserId,
    }
}

routes! {
    /// Creates a link to a page.
    ///
    /// Requires full access. Holders of the link can see the page without an account, and its descendants if
    /// `includeChildren` is true, except pages that do not inherit and those below them. A page can have at most 20
    /// links that are not revoked. If the workspace does not allow share links, owners, admins and API keys can still
    /// create them.
    POST "/pages/{pageId}/share-links" as createShareLink => create {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (page: Path<PageId>, body: Body<NewShareLinkBody>),
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

    /// Lists the links of a page.
    ///
    /// Requires full access. All of them, newest first, in one answer.
    GET "/pages/{pageId}/share-links" as listShareLinks => list_of {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (page: Path<PageId>),
        answers: { 200: Page<ShareLinkReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess))],
        events: [],
    }

    /// Lists the links of a workspace.
    ///
    /// For owners, admins and API keys with the scope `ADMIN`: the links to all of its pages and databases, newest
    /// first.
    GET "/workspaces/{workspaceId}/share-links" as listWorkspaceShareLinks => list {
        caller: Inside(RouteAccess::ADMINS),
        limits: [],
        takes: (query: Query<ShareLinksQuery>),
        answers: { 200: Page<ShareLinkReply> },
        refusals: [],
        events: [],
    }
}

pub(crate) async fn create<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    body: Draft<NewShareLinkBody>,
) -> Answer {
    let draft = body.map(|body| NewShareLink {
        level: body.level.unwrap_or(ShareLevel::View),
        include_children: body.include_children.unwrap_or(true),
        password: body.password.flatten(),
        expires_at: body.expires_at.flatten(),
        allow_duplicate: body.allow_duplicate.unwrap_or(false),
        allow_indexing: body.allow_indexing.unwrap_or(false),
    });
    let shape = shape(&dispatcher, &call);
    let flow = |engine: Arc<Engine>, call| async move {
        share_links::create(&engine, call, id, draft, move |shown| created(shape(shown))).await
    };
    dispatcher.flow(call, flow).await
}

pub(crate) async fn list_of<I: NodeId>(dispatcher: Dispatcher, call: Call, id: Draft<I>) -> Answer {
    if let Err(refusal) = write_views(&dispatcher, &call).await {
        return refusal.into();
    }
    let shape = shape(&dispatcher, &call);
    let shape = move |found: Vec<ShareLinkDetails>| {
        let data = found.into_iter().map(shape).collect();
        Reply::json(200, &Page { data, next_cursor: None })
    };
    dispatcher.read(call, move |view| Box::pin(share_links::list_of(view, id)), shape).await
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<ShareLinksQuery>) -> Answer {
    if let Err(refusal) = write_views(&dispatcher, &call).await {
        return refusal.into();
    }
    let asked = query.map(|query| ShareLinkList {
        status: query.status,
        resource: query.resource_id,
        created_by: query.created_by,
        limit: query.page.fetch(),
        before: query.page.after,
    });
    let shape = shape(&dispatcher, &call);
    dispatcher.list(call, move |view| Box::pin(share_links::list(view, asked)), |shown| shown.link.id, shape).await
}

/// Shows links in the answer of a call.
pub(super) fn shape(
    dispatcher: &Dispatcher,
    call: &Call,
) -> impl Fn(ShareLinkDetails) -> ShareLinkReply + Send + 'static {
    let (rules, now) = (dispatcher.rules(), call.now);
    move |shown| ShareLinkReply::new(shown, &rules.origin, now)
}

/// Stores the openings of links that this node has collected, because the answer must include them.
async fn write_views(dispatcher: &Dispatcher, call: &Call) -> Result<(), Refusal> {
    let (views, now) = (dispatcher.backend().activity.take_views(), call.now);
    if views.is_empty() {
        return Ok(());
    }
    let write = move |engine: Arc<Engine>, _| async move { share_links::note_views(&engine, now, views).await };
    dispatcher.ask(call.clone(), write).await
}
