//! How a share link is shown to those who manage it.

use super::screen;
use crate::wire::reply;
use octavo_app::share_links::ShareLinkDetails;
use octavo_core_model::{
    Secret, Timestamp,
    id::{PageId, ShareLinkId, UserId},
    share_link::{ShareLevel, ShareLink, ShareStatus},
};

reply! {
    /// A link that shows a page to its holder.
    pub(crate) ShareLinkReply {
        /// Identifies it.
        id "id": required ShareLinkId,
        /// The page it leads to.
        resource_id "resourceId": required PageId,
        /// The token for the public routes. Knowing it is holding the link.
        token "token": required Secret<String> = "shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Where the page is shown in a browser.
        url "url": required Secret<String> = "https://octavo.example.com/share/shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The level for people who join through it. Other holders can only read.
        level "level": required ShareLevel = "VIEW",
        /// Whether it shows what is below the page too.
        include_children "includeChildren": required bool = true,
        /// Whether it opens by a password.
        has_password "hasPassword": required bool = false,
        /// Until when it shows anything; null for good.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether people may copy what it shows into a workspace of theirs.
        allow_duplicate "allowDuplicate": required bool = false,
        /// Whether search engines may list it.
        allow_indexing "allowIndexing": required bool = false,
        /// Whether it shows anything.
        status "status": required ShareStatus = "ACTIVE",
        /// How often it was opened. Counts follow within seconds.
        view_count "viewCount": required u64 = 12,
        /// When it was opened last.
        last_viewed_at "lastViewedAt": nullable Timestamp,
        /// Who made it; for an API key, who made the key.
        created_by "createdBy": required UserId,
        /// When it was made.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

impl ShareLinkReply {
    /// A link as it is now; its address begins with the public origin.
    pub(super) fn new(ShareLinkDetails { link, token }: ShareLinkDetails, origin: &str, now: Timestamp) -> Self {
        let status = link.status(now);
        let ShareLink { id, page, level, include_children, password, expires_at, .. } = link;
        Self {
            id,
            resource_id: page,
            token: Secret::new(token.reveal().to_owned()),
            url: Secret::new(format!("{origin}{}", screen::address(token.reveal(), None))),
            level,
            include_children,
            has_password: password.is_some(),
            expires_at,
            allow_duplicate: link.allow_duplicate,
            allow_indexing: link.allow_indexing,
            status,
            view_count: link.views.count,
            last_viewed_at: link.views.last_at,
            created_by: link.created_by,
            created_at: link.created_at,
            updated_at: link.updated_at,
        }
    }
}
