//! The representation of a share link for its managers.

use super::address::shared_page_address;
use crate::wire::reply;
use octavo_app::share_links::ShareLinkDetails;
use octavo_core_model::{
    Secret, Timestamp,
    id::{ShareLinkId, UserId},
    page::ResourceId,
    share_link::{ShareLevel, ShareLink, ShareStatus},
};

reply! {
    /// A link that shows a page or database to its holders.
    pub(crate) ShareLinkReply {
        /// The id of the link.
        id "id": required ShareLinkId,
        /// The page or database that it shows.
        resource_id "resourceId": required ResourceId,
        /// The token for the public routes. Everybody who knows it can use the link.
        token "token": required Secret<String> = "shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The address of the page for browsers.
        url "url": required Secret<String> = "https://octavo.example.com/share/shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// The level for users who join through it. Other holders can only read.
        level "level": required ShareLevel = "VIEW",
        /// Whether it includes the descendants of the page.
        include_children "includeChildren": required bool = true,
        /// Whether it requires a password.
        has_password "hasPassword": required bool = false,
        /// When it expires; null for never.
        expires_at "expiresAt": nullable Timestamp = null,
        /// Whether holders may copy what it shows to a workspace of theirs.
        allow_duplicate "allowDuplicate": required bool = false,
        /// Whether search engines may index it.
        allow_indexing "allowIndexing": required bool = false,
        /// The state of the link.
        status "status": required ShareStatus = "ACTIVE",
        /// How often it was opened, updated within seconds.
        view_count "viewCount": required u64 = 12,
        /// When it was last opened.
        last_viewed_at "lastViewedAt": nullable Timestamp,
        /// The user who created it; for an API key, the user who created the key.
        created_by "createdBy": required UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
    }
}

impl ShareLinkReply {
    /// The present state of a link; its address starts with the public origin.
    pub(super) fn new(
        ShareLinkDetails { link, resource, token }: ShareLinkDetails,
        origin: &str,
        now: Timestamp,
    ) -> Self {
        let status = link.status(now);
        let ShareLink { id, level, include_children, password, expires_at, .. } = link;
        Self {
            id,
            resource_id: resource,
            token: Secret::new(token.reveal().to_owned()),
            url: Secret::new(format!("{origin}{}", shared_page_address(token.reveal(), None))),
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
