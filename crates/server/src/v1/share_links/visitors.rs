//! `/public/shares/{token}/duplicate` and `/public/shares/{token}/join`: what people with an account can do by a link.

use super::{key::LinkKey, public::listed};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Engines, routes},
    v1::pages::copies::CopyReply,
    wire::{Data, Parent, Written, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    share_links::{self, Copy, Joined, Key},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial, Unknown, Unprocessable},
    id::{PageId, WorkspaceId},
};

body! {
    /// Where a copy is to go.
    pub(crate) SharedCopyBody {
        /// A workspace of the caller; by default the call's workspace.
        workspace_id "workspaceId": optional WorkspaceId,
        /// The parent page; null or left out means the root.
        parent_id "parentId": nullable Parent = null,
    }
}

reply! {
    /// What somebody has who joined.
    pub(crate) JoinReply {
        /// The workspace of the page.
        workspace_id "workspaceId": required WorkspaceId,
        /// The page.
        resource_id "resourceId": required PageId,
        /// What they may do with it.
        level "level": required Level = "COMMENT",
    }
}

routes! {
    /// Copies what a share link shows.
    ///
    /// For people with an account, where the link allows it: its page, and what it shows below, to a place where they may put pages.
    POST "/public/shares/{token}/duplicate" => duplicate {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [Share],
        takes: (key: LinkKey, body: Body<SharedCopyBody>),
        answers: { 201: CopyReply },
        refusals: [
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
            Fault::Forbidden(Denial::DuplicateNotAllowed),
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLogin),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Unprocessable(Unprocessable::TooLarge),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
        ],
        events: [PageCreated],
        engines: Engines::KeptOut,
    }

    /// Joins by a share link.
    ///
    /// For people with an account, by a link of the level `COMMENT` or `EDIT`. Whoever does not belong to the workspace becomes a guest of it; whoever has
    /// less on the page gets the level of the link by name. Nobody loses anything by it. Whom a grant of the level `NONE` on the page names is refused.
    POST "/public/shares/{token}/join" => join {
        caller: SignedIn,
        limits: [Share],
        takes: (key: LinkKey),
        answers: { 200: Data<JoinReply> },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
            Fault::Forbidden(Denial::Excluded),
            Fault::Forbidden(Denial::MemberQuota),
            Fault::Forbidden(Denial::RequiresLogin),
            Fault::Conflict(Conflict::LimitReached(200)),
            Fault::Unprocessable(Unprocessable::ViewOnlyLink),
        ],
        events: [ShareLinkJoined, WorkspaceMemberAdded, PermissionChanged],
        engines: Engines::KeptOut,
    }
}

async fn duplicate(dispatcher: Dispatcher, call: Call, key: Key, body: Draft<SharedCopyBody>) -> Answer {
    let draft =
        body.map(|body| Copy { workspace: body.workspace_id, parent: body.parent_id.flatten().map(|parent| parent.0) });
    let shape = |(link, copied)| listed(&link, Reply::json(201, &Written(&CopyReply::from(copied))));
    dispatcher.write(call, move |unit| Box::pin(share_links::duplicate(unit, key, draft)), shape).await
}

async fn join(dispatcher: Dispatcher, call: Call, key: Key) -> Answer {
    let limits = dispatcher.rules().limits;
    let shape = |Joined { link, workspace, page, level }| {
        listed(&link, ok(JoinReply { workspace_id: workspace, resource_id: page, level }))
    };
    dispatcher.write(call, move |unit| Box::pin(share_links::join(unit, key, limits)), shape).await
}
