//! `/pages/{pageId}/access-requests` and `/access-requests`

use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, Ids, Path, Query, routes},
    wire::{Data, Page, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    access_requests::{self, AccessRequestDetails, AccessRequestList, NewAccessRequest},
    pages::NodeId,
};
use octavo_core_model::{
    Fault, Level, Timestamp,
    access_request::{AskedLevel, RequestStatus},
    fault::{Conflict, Denial},
    id::{AccessRequestId, PageId, UserId},
    member::Person,
    page::ResourceId,
    text::{Message, Name, WebAddress},
};

body! {
    /// A request for access.
    pub(crate) NewAccessRequestBody {
        example: { "level": "EDIT" };
        /// The level; `VIEW` by default.
        level "level": optional AskedLevel = "EDIT",
        /// A message for those who decide.
        message "message": nullable Message,
    }
}

body! {
    /// The level to grant.
    pub(crate) ApprovalBody {
        /// The level; by default the requested one.
        level "level": optional AskedLevel = "COMMENT",
    }
}

query! {
    /// Which requests to list.
    pub(crate) AccessRequestsQuery {
        page: AccessRequestId, 20 up to 100;
        /// Only requests in this state; `PENDING` by default.
        status "status": optional RequestStatus = "PENDING",
        /// Only requests for this page or database.
        resource_id "resourceId": optional ResourceId,
    }
}

reply! {
    /// The answer to a request, whether or not there was anything to request.
    pub(crate) AskedReply {
        /// Always true.
        requested "requested": required bool = true,
    }
}

reply! {
    /// A user who asks for access.
    pub(crate) RequesterReply {
        /// The account.
        id "id": required UserId,
        /// The full name.
        name "name": required Name,
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

reply! {
    /// A member's request for access to a page or database, or for a higher level on it.
    pub(crate) AccessRequestReply {
        /// The id of the request.
        id "id": required AccessRequestId,
        /// The page or database.
        resource_id "resourceId": required ResourceId,
        /// The user who asks.
        user "user": required RequesterReply,
        /// The requested level; after approval, the level that was granted.
        level "level": required AskedLevel = "EDIT",
        /// Their message.
        message "message": nullable Message,
        /// The state of the request.
        status "status": required RequestStatus = "PENDING",
        /// The user who decided; for an API key, the user who created the key.
        decided_by "decidedBy": nullable UserId = null,
        /// When it was decided.
        decided_at "decidedAt": nullable Timestamp = null,
        /// When the user first asked.
        created_at "createdAt": required Timestamp,
        /// When the request expires: after 30 days.
        expires_at "expiresAt": required Timestamp = "2026-12-21T09:30:00.000Z",
    }
}

routes! {
    /// Requests access to a page, or a higher level on it.
    ///
    /// The answer is always the same, so that nobody learns about pages they may not see. A request is created if an
    /// active page of the workspace has this id and the caller's level is lower. Asking again while a request is
    /// pending changes its level and message, but not its expiry.
    POST "/pages/{pageId}/access-requests" as requestAccess => ask {
        caller: Inside(RouteAccess::ASKING),
        limits: [AccessRequest],
        takes: (page: Path<PageId>, body: Body<NewAccessRequestBody>),
        answers: { 202: Data<AskedReply> },
        refusals: [],
        events: [AccessRequestCreated],
        ids: Ids::Concealed,
    }

    /// Lists requests for access.
    ///
    /// Lists the requests that the caller may decide, newest first: those for pages and databases to which they have full
    /// access.
    /// Owners, admins and API keys with the scope `ADMIN` have it everywhere. Requests for a page in the trash are
    /// left out until it is restored.
    GET "/access-requests" as listAccessRequests => list {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (query: Query<AccessRequestsQuery>),
        answers: { 200: Page<AccessRequestReply> },
        refusals: [],
        events: [],
    }

    /// Approves a request for access.
    ///
    /// Requires full access to the page or database. Grants the level to the requester by name, unless they already have it or
    /// more. Guests never get more than `EDIT` this way.
    POST "/access-requests/{requestId}/approve" as approveAccessRequest => approve {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<AccessRequestId>, body: Body<ApprovalBody>),
        answers: { 200: Data<AccessRequestReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::AlreadyDecided),
            Fault::Conflict(Conflict::LimitReached(200)),
        ],
        events: [PermissionChanged, AccessRequestApproved],
    }

    /// Denies a request for access.
    ///
    /// Requires full access to the page or database. Nothing changes for the requester, who may ask again.
    POST "/access-requests/{requestId}/deny" as denyAccessRequest => deny {
        caller: Inside(RouteAccess::MEMBERS),
        limits: [],
        takes: (id: Path<AccessRequestId>),
        answers: { 200: Data<AccessRequestReply> },
        refusals: [
            Fault::Forbidden(Denial::RequiresLevel(Level::FullAccess)),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::AlreadyDecided),
        ],
        events: [AccessRequestDenied],
    }
}

pub(crate) async fn ask<I: NodeId>(
    dispatcher: Dispatcher,
    call: Call,
    id: Draft<I>,
    body: Draft<NewAccessRequestBody>,
) -> Answer {
    let wish = body.map(|body| NewAccessRequest {
        level: body.level.unwrap_or(AskedLevel::View),
        message: body.message.flatten(),
    });
    let shape = |()| accepted(AskedReply { requested: true });
    dispatcher.write(call, move |unit| Box::pin(access_requests::ask(unit, id, wish)), shape).await
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<AccessRequestsQuery>) -> Answer {
    let asked = query.map(|query| AccessRequestList {
        status: query.status.unwrap_or(RequestStatus::Pending),
        resource: query.resource_id,
        limit: query.page.fetch(),
        before: query.page.after,
    });
    let shape = shape(&call);
    dispatcher
        .list(call, move |view| Box::pin(access_requests::list(view, asked)), |shown| shown.request.id, shape)
        .await
}

async fn approve(dispatcher: Dispatcher, call: Call, id: Draft<AccessRequestId>, body: Draft<ApprovalBody>) -> Answer {
    let level = body.map(|body| body.level);
    let shape = shape(&call);
    dispatcher
        .write(call, move |unit| Box::pin(access_requests::approve(unit, id, level)), move |shown| ok(shape(shown)))
        .await
}

async fn deny(dispatcher: Dispatcher, call: Call, id: Draft<AccessRequestId>) -> Answer {
    let shape = shape(&call);
    dispatcher.write(call, move |unit| Box::pin(access_requests::deny(unit, id)), move |shown| ok(shape(shown))).await
}

/// Shows a request in the answer of a call.
fn shape(call: &Call) -> impl Fn(AccessRequestDetails) -> AccessRequestReply + Send + 'static {
    let now = call.now;
    move |shown| AccessRequestReply::new(shown, now)
}

impl AccessRequestReply {
    /// A request in its present state.
    fn new(AccessRequestDetails { request, resource, person }: AccessRequestDetails, now: Timestamp) -> Self {
        Self {
            id: request.id,
            resource_id: resource,
            user: person.into(),
            level: request.level,
            status: request.status(now),
            message: request.message,
            decided_by: request.decision.map(|decision| decision.by),
            decided_at: request.decision.map(|decision| decision.at),
            created_at: request.created_at,
            expires_at: request.expires_at,
        }
    }
}

impl From<Person> for RequesterReply {
    fn from(person: Person) -> Self {
        Self { id: person.id, name: person.name, avatar_url: person.avatar_url }
    }
}
