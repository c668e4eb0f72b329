//! Rows of share links.

use crate::{schema::share_links, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Secret, Timestamp, TokenHash,
    id::{PageId, ShareLinkId, UserId, WorkspaceId},
    page::PublicAccess,
    share_link::{LinkToken, ShareLevel, ShareLink, Views},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = share_links, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, resource_id, created_by, created_at, view_count, last_viewed_at))] // what saving leaves alone
pub struct ShareLinkRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<ShareLinkId>,
    resource_id: Stored<PageId>,
    created_by: Stored<UserId>,
    created_at: i64,
    view_count: i64,
    last_viewed_at: Option<i64>,
    token_hash: Stored<TokenHash>,
    sealed_token: Vec<u8>,
    level: Stored<ShareLevel>,
    include_children: bool,
    password_hash: Option<String>,
    expires_at: Option<i64>,
    allow_duplicate: bool,
    allow_indexing: bool,
    revoked_at: Option<i64>,
    updated_at: i64,
}

impl From<&ShareLink> for ShareLinkRow {
    fn from(link: &ShareLink) -> Self {
        Self {
            workspace_id: Stored(link.workspace),
            id: Stored(link.id),
            resource_id: Stored(link.page),
            created_by: Stored(link.created_by),
            created_at: link.created_at.millis(),
            view_count: i64::try_from(link.views.count).unwrap_or(i64::MAX),
            last_viewed_at: link.views.last_at.map(Timestamp::millis),
            token_hash: Stored(link.token.hash),
            sealed_token: link.token.sealed.clone(),
            level: Stored(link.level),
            include_children: link.include_children,
            password_hash: link.password.as_ref().map(|hash| hash.expose().clone()),
            expires_at: link.expires_at.map(Timestamp::millis),
            allow_duplicate: link.allow_duplicate,
            allow_indexing: link.allow_indexing,
            revoked_at: link.revoked_at.map(Timestamp::millis),
            updated_at: link.updated_at.millis(),
        }
    }
}

impl From<ShareLinkRow> for ShareLink {
    fn from(row: ShareLinkRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.resource_id.0,
            token: LinkToken { hash: row.token_hash.0, sealed: row.sealed_token },
            level: row.level.0,
            include_children: row.include_children,
            password: row.password_hash.map(Secret::new),
            expires_at: row.expires_at.map(Timestamp::from_millis),
            allow_duplicate: row.allow_duplicate,
            allow_indexing: row.allow_indexing,
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
            views: Views {
                count: row.view_count.unsigned_abs(),
                last_at: row.last_viewed_at.map(Timestamp::from_millis),
            },
            created_by: row.created_by.0,
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

/// A publicly visible page: one with a share link of its own, or one below such a page.
#[derive(Debug, Queryable)]
pub struct PublicPageRow {
    id: Stored<PageId>,
    is_direct: bool,
}

impl From<PublicPageRow> for (PageId, PublicAccess) {
    fn from(row: PublicPageRow) -> Self {
        (row.id.0, if row.is_direct { PublicAccess::Direct } else { PublicAccess::Inherited })
    }
}
