//! `/public/shares/{token}`: what a link shows to programs, without a credential.

use super::key::{LinkKey, LinkToken};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Engines, Path, routes},
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
    fault::Unknown,
    id::PageId,
    page::Page,
    share_link::{ShareLevel, ShareLink, UNLOCKED_FOR},
    text::{PageIcon, PageTitle, WebAddress},
};
use std::sync::Arc;

reply! {
    /// What a link leads to.
    pub(crate) SharedResourceReply {
        /// Identifies it.
        id "id": required PageId,
        /// What it is: `page`.
        kind "type": required &'static str = "page",
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// What stands before the title.
        icon "icon": nullable PageIcon,
        /// Where its cover is.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A link as its holders see it.
    pub(crate) ShareReply {
        /// What it leads to.
        resource "resource": required SharedResourceReply,
        /// What those get who join by it.
        level "level": required ShareLevel = "VIEW",
        /// Whether they may copy what it shows.
        allow_duplicate "allowDuplicate": required bool = false,
        /// Whether it shows what is below its page too.
        include_children "includeChildren": required bool = true,
    }
}

reply! {
    /// The fields of a page that everybody sees.
    pub(crate) SharedFieldsReply {
        /// Identifies it.
        id "id": required PageId,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// What stands before the title.
        icon "icon": nullable PageIcon,
        /// Where its cover is.
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
        /// The pages above it, from the one the link leads to.
        ancestors "ancestors": required Vec<AncestorReply>,
        /// The pages in it that the link shows too, in their order.
        children "children": required Vec<AncestorReply>,
        /// Its blocks as a tree, without names of people. Instances of blocks on pages that the link does not cover are empty.
        blocks "blocks": required Vec<BlockReply>,
    }
}

body! {
    /// What opens a link.
    pub(crate) UnlockBody {
        /// The password of the link.
        password "password": required Secret<String> = "open sesame",
    }
}

reply! {
    /// What a password gave.
    pub(crate) UnlockReply {
        /// To be sent as `X-Share-Access`.
        access_token "accessToken": required Secret<String> = "sha_AAABnTn-",
        /// For how many seconds.
        expires_in "expiresIn": required u64 = 3600,
    }
}

routes! {
    /// Opens a share link.
    ///
    /// No credential but the token in the address; one that is sent is not looked at. What is refused first: an unknown or revoked token and a page in
    /// the trash (404), a link that has expired (410), a password that was not given (401).
    GET "/public/shares/{token}" => share {
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
        engines: Engines::KeptOut,
    }

    /// Unlocks a share link.
    ///
    /// For a link with a password: what this answers opens it for an hour, or until its password or its token changes. One without a password is open
    /// anyway.
    POST "/public/shares/{token}/unlock" => unlock {
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
        engines: Engines::KeptOut,
    }

    /// Shows a page by a share link.
    ///
    /// The page of the link, or a page below it that the link also shows. Comments, grants and people are not shown.
    GET "/public/shares/{token}/pages/{pageId}" => show_page {
        caller: Anyone,
        limits: [Share],
        takes: (key: LinkKey, page: Path<PageId>),
        answers: { 200: Data<SharedPageReply> },
        refusals: [
            Fault::NotFound,
            Fault::ShareExpired,
            Fault::Unauthenticated(Unknown::SharePasswordRequired),
        ],
        events: [],
        engines: Engines::KeptOut,
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
    let shape = |SharedPage { link, page, ancestors, children, content }| {
        let nodes = |nodes: Vec<Node>| nodes.into_iter().map(AncestorReply::from).collect();
        let reply = SharedPageReply {
            page: page.into(),
            ancestors: nodes(ancestors),
            children: nodes(children),
            blocks: content.blocks.into_iter().map(|branch| BlockReply::from(branch).anonymous()).collect(),
        };
        listed(&link, ok(reply))
    };
    dispatcher.read(call, move |view| Box::pin(share_links::page(view, key, Some(page))), shape).await
}

/// Says of an answer whether search engines may list it.
pub(super) fn listed(link: &ShareLink, reply: Reply) -> Reply {
    Reply { indexable: link.allow_indexing, ..reply }
}

impl ShareReply {
    fn new(link: &ShareLink, page: Page) -> Self {
        let Page { id, title, icon, cover_url, updated_at, .. } = page;
        Self {
            resource: SharedResourceReply { id, kind: "page", title, icon, cover_url, updated_at },
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
        Self { id, kind: "page", title, icon }
    }
}
