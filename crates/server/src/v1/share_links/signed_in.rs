//! `/public/shares/{token}/duplicate` and `/public/shares/{token}/join`: what signed-in users can do through a link.

use super::{key::LinkKey, public::listed};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Indexing, Located, routes},
    v1::pages::copies::CopyReply,
    wire::{Data, Parent, body, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    share_links::{self, Copy, Joined, Key},
};
use octavo_core_model::{
    Fault, Level,
    fault::{ComputeFault, Conflict, Denial, Unknown, Unprocessable},
    id::WorkspaceId,
    page::ResourceId,
};

body! {
    /// Where to put the copy.
    pub(crate) SharedCopyBody {
        /// A workspace of the caller; by default the call's workspace.
        workspace_id "workspaceId": optional WorkspaceId,
        /// The parent page; null or left out means the root.
        parent_id "parentId": nullable Parent = null,
    }
}

reply! {
    /// The result of joining.
    pub(crate) JoinReply {
        /// The workspace of the page.
        workspace_id "workspaceId": required WorkspaceId,
        /// The page.
        resource_id "resourceId": required ResourceId,
        /// The user's level on it.
        level "level": required Level = "COMMENT",
    }
}

routes! {
    /// Copies the pages behind a share link.
    ///
    /// For signed-in users, if the link allows it: copies its page and what it shows below, databases and records
    /// included, to a place where they may put pages.
    POST "/public/shares/{token}/duplicate" as duplicateShare => duplicate {
        caller: Inside(RouteAccess::MEMBERS_IN_PERSON),
        limits: [Share],
        takes: (key: LinkKey, body: Body<SharedCopyBody>),
        answers: { 201: Located<CopyReply> },
        refusals: [
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
            Fault::Forbidden(Denial::DuplicateNotAllowed),
            Fault::Forbidden(Denial::RequiresLevel(Level::Edit)),
            Fault::Forbidden(Denial::RequiresLogin),
            Fault::Forbidden(Denial::DatabaseQuota),
            Fault::Conflict(Conflict::PageTrashed),
            Fault::Conflict(Conflict::TooManyPages(50_000)),
            Fault::Compute(ComputeFault::MemoryFull),
            Fault::Unprocessable(Unprocessable::TooLarge),
            Fault::Unprocessable(Unprocessable::MaxDepth),
            Fault::Unprocessable(Unprocessable::DatabaseParent),
        ],
        events: [PageCreated],
        indexing: Indexing::Excluded,
    }

    /// Joins through a share link.
    ///
    /// For signed-in users, through a link of the level `COMMENT` or `EDIT`. Users who are not members of the
    /// workspace become guests; users with a lower level on the page are granted the level of the link by name.
    /// Nobody loses access. Users whom a grant of the level `NONE` on the page names are refused.
    POST "/public/shares/{token}/join" as joinShare => join {
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
        indexing: Indexing::Excluded,
    }
}

async fn duplicate(dispatcher: Dispatcher, call: Call, key: Key, body: Draft<SharedCopyBody>) -> Answer {
    let draft =
        body.map(|body| Copy { workspace: body.workspace_id, parent: body.parent_id.flatten().map(|parent| parent.0) });
    let shape = |(link, copied)| listed(&link, CopyReply::from(copied).into_reply());
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(share_links::duplicate(unit, key.clone(), draft.clone())), shape)
        .await
}

async fn join(dispatcher: Dispatcher, call: Call, key: Key) -> Answer {
    let limits = dispatcher.rules().limits;
    let shape = |Joined { link, workspace, resource, level }| {
        listed(&link, ok(JoinReply { workspace_id: workspace, resource_id: resource, level }))
    };
    dispatcher.write(call, move |unit| Box::pin(share_links::join(unit, key, limits)), shape).await
}
