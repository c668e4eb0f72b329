//! `/public/shares/{token}`: the JSON that a link gives access to, without a credential.

use super::key::{LinkKey, LinkToken};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Indexing, Path, routes},
    v1::blocks::block::BlockReply,
    v1::pages::page::AncestorReply,
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft, Engine, Reply,
    share_links::{self, Key, Node, Opened, SharedPage, Unlocked},
};
use octavo_core_model::{
    Fault, Secret, Timestamp, Token,
    fault::{ComputeFault, Unknown},
    id::PageId,
    page::{Page, ResourceId},
    share_link::{ShareLevel, ShareLink, UNLOCKED_FOR},
    text::{PageIcon, PageTitle, WebAddress},
};
use std::sync::Arc;

reply! {
    /// The page or database of a link.
    pub(crate) SharedResourceReply {
        /// The id of the page or database.
        id "id": required ResourceId,
        /// The kind of resource: `page` or `database`.
        kind "type": required &'static str | ["page", "database"] = "page",
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
        /// The address of its cover.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A link as its holders see it.
    pub(crate) ShareReply {
        /// The page or database of the link.
        resource "resource": required SharedResourceReply,
        /// The level for users who join through it.
        level "level": required ShareLevel = "VIEW",
        /// Whether holders may copy what it shows.
        allow_duplicate "allowDuplicate": required bool = false,
        /// Whether it includes the descendants of its page.
        include_children "includeChildren": required bool = true,
    }
}

reply! {
    /// The public fields of a page.
    pub(crate) SharedFieldsReply {
        /// The id of the page.
        id "id": required PageId,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
        /// The address of its cover.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A page as a link shows it.
    pub(crate) SharedPageReply {
        /// The page.
        page "page": required SharedFieldsReply,
        /// The pages and databases above it, starting with the page of the link.
        ancestors "ancestors": required Vec<AncestorReply>,
        /// The pages and databases in it that the link shows too, in their order.
        children "children": required Vec<AncestorReply>,
        /// Its blocks as a tree, without authors. Instances of blocks on pages that the link does not show are empty.
        blocks "blocks": required Vec<BlockReply>,
        /// `true` if the page has more than 2000 blocks: then these are its first top-level blocks, without children.
        blocks_truncated "blocksTruncated": optional bool = false,
    }
}

body! {
    /// The password of a link.
    pub(crate) UnlockBody {
        /// The password.
        password "password": required Secret<String> = "open sesame",
    }
}

reply! {
    /// Proof of the password.
    pub(crate) UnlockReply {
        /// Send it as `X-Share-Access`.
        access_token "accessToken": required Secret<String> = "sha_AAABnTn-",
        /// How many seconds it is valid.
        expires_in "expiresIn": required u64 = 3600,
    }
}

routes! {
    /// Opens a share link.
    ///
    /// Requires no credential but the token in the address; any other one is ignored. Refusals, in this order: an
    /// unknown or revoked token, or a page in the trash (404); an expired link (410); a missing proof of the password
    /// (401).
    GET "/public/shares/{token}" as openShare => share {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey),
        answers: { 200: Data<ShareReply> },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
        ],
        events: [],
        indexing: Indexing::Excluded,
    }

    /// Unlocks a share link.
    ///
    /// For a link with a password: the answer contains a proof that opens it for an hour, or until its password or
    /// token changes. A link without a password needs no unlocking.
    POST "/public/shares/{token}/unlock" as unlockShare => unlock {
        caller: Anyone,
        limits: [Share, ShareUnlock],
        takes: (token: LinkToken, body: Body<UnlockBody>),
        answers: { 200: Data<UnlockReply> },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordWrong),
            Fault::HasherBusy,
        ],
        events: [],
        indexing: Indexing::Excluded,
    }

    /// Shows a page through a share link.
    ///
    /// The page of the link, or a descendant that the link includes; every record has a page. Comments, grants and users
    /// are not shown, and neither is what is archived.
    GET "/public/shares/{token}/pages/{pageId}" as getSharedPage => show_page {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, page: Path<PageId>),
        answers: { 200: Data<SharedPageReply> },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
            Fault::Compute(ComputeFault::MemoryFull),
        ],
        events: [],
        indexing: Indexing::Excluded,
    }
}

async fn share(dispatcher: Dispatcher, call: Call, key: Key) -> Answer {
    let (backend, now) = (Arc::clone(dispatcher.backend()), call.now);
    let shape = move |Opened { link, page }| {
        backend.activity.note_view(&link, now);
        listed(&link, ok(ShareReply::new(&link, page)))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::share(view, key)), shape).await
}

async fn unlock(dispatcher: Dispatcher, call: Call, token: Draft<Token>, body: Draft<UnlockBody>) -> Answer {
    let password = body.map(|body| body.password);
    let shape = |Unlocked { link, access }| {
        listed(&link, ok(UnlockReply { access_token: access, expires_in: UNLOCKED_FOR.as_secs() }))
    };
    let flow = move |engine: Arc<Engine>, call| async move {
        share_links::unlock(&engine, call, token, password).await.map(shape)
    };
    dispatcher.flow(call, flow).await
}

async fn show_page(dispatcher: Dispatcher, call: Call, key: Key, page: Draft<PageId>) -> Answer {
    let shape = |SharedPage { link, page, ancestors, children, content, .. }| {
        let nodes = |nodes: Vec<Node>| nodes.into_iter().map(AncestorReply::from).collect();
        let reply = SharedPageReply {
            page: page.into(),
            ancestors: nodes(ancestors),
            children: nodes(children),
            blocks: content.blocks.into_iter().map(|branch| BlockReply::from(branch).anonymous()).collect(),
            blocks_truncated: content.is_truncated.then_some(true),
        };
        listed(&link, ok(reply))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::page(view, key, page)), shape).await
}

/// Adds to an answer whether search engines may index it.
pub(super) fn listed(link: &ShareLink, reply: Reply) -> Reply {
    Reply { indexable: link.allow_indexing, ..reply }
}

impl ShareReply {
    fn new(link: &ShareLink, page: Page) -> Self {
        let id = page.resource();
        let Page { title, icon, cover_url, updated_at, .. } = page;
        Self {
            resource: SharedResourceReply { id, kind: id.kind(), title, icon, cover_url, updated_at },
            level: link.level,
            allow_duplicate: link.allow_duplicate,
            include_children: link.include_children,
        }
    }
}

impl From<Page> for SharedFieldsReply {
    fn from(Page { id, title, icon, cover_url, updated_at, .. }: Page) -> Self {
        Self { id, title, icon, cover_url, updated_at }
    }
}

impl From<Node> for AncestorReply {
    fn from(Node { id, title, icon }: Node) -> Self {
        Self { id, kind: id.kind(), title, icon }
    }
}
