//! Share links.

use super::{
    Scope,
    dialect::{ListType, among, list, one_of},
    directory::ENTRIES_AT_ONCE,
};
use crate::{
    prepared::{Columns, Prepare},
    rows::{
        directory::DirectoryRow,
        pages::PageRow,
        share_links::{PublicPageRow, ShareLinkRow},
    },
    schema::{directory, pages, share_links as links, workspaces},
    stored::{AFTER_EVERY_ID, Stored, token_word},
};
use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Bool, Text},
};
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    id::{PageId, ShareLinkId, WorkspaceId},
    page::{Page, PublicAccess},
    share_link::{ShareLink, ShareStatus, Viewed},
};
use octavo_ports::{
    share_links::{ShareLinkFilter, ShareLinkReads, ShareLinks},
    store::StoreResult,
};
use octavo_storage_macros::area;

const SHARE_LINK: &str = token_word(TokenKind::ShareLink);

/// The links that are valid at a time.
macro_rules! live {
    ($query:expr, $now:expr) => {
        $query
            .filter(links::revoked_at.is_null())
            .filter(links::expires_at.is_null().or(links::expires_at.gt($now.millis())))
    };
}

#[area]
impl ShareLinkReads for Scope {
    async fn find_workspace(&mut self, token: &TokenHash) -> StoreResult<Option<WorkspaceId>> {
        let owner = directory::table.find((SHARE_LINK, Stored(*token))).select(directory::owner_id);
        Ok(self.optional::<Stored<WorkspaceId>, _>(owner).await?.map(|owner| owner.0))
    }

    async fn find_opened(
        &mut self,
        workspace: WorkspaceId,
        token: &TokenHash,
    ) -> StoreResult<Option<(ShareLink, Page)>> {
        let its_page = pages::workspace_id.eq(links::workspace_id).and(pages::id.eq(links::resource_id));
        let found = links::table
            .inner_join(pages::table.on(its_page))
            .inner_join(workspaces::table.on(workspaces::id.eq(links::workspace_id)))
            .filter(links::workspace_id.eq(Stored(workspace)))
            .filter(links::token_hash.eq(Stored(*token)))
            .filter(workspaces::purge_at.is_null())
            .select((ShareLinkRow::as_select(), PageRow::as_select()));
        Ok(self.optional::<(ShareLinkRow, PageRow), _>(found).await?.map(|(link, page)| (link.into(), page.into())))
    }

    async fn find(&mut self, workspace: WorkspaceId, id: ShareLinkId) -> StoreResult<Option<ShareLink>> {
        let link = links::table.find((Stored(workspace), Stored(id))).select(ShareLinkRow::as_select());
        Ok(self.optional(link).await?.map(ShareLink::from))
    }

    async fn list_of(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Vec<ShareLink>> {
        let list = links::table
            .filter(links::workspace_id.eq(Stored(workspace)))
            .filter(links::resource_id.eq(Stored(page)))
            .order(links::id.desc())
            .select(ShareLinkRow::as_select());
        Ok(self.all::<ShareLinkRow, _>(list).await?.into_iter().map(ShareLink::from).collect())
    }

    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: ShareLinkFilter,
        now: Timestamp,
        before: Option<ShareLinkId>,
        limit: u32,
    ) -> StoreResult<Vec<ShareLink>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let mut list = links::table
            .filter(links::workspace_id.eq(Stored(workspace)))
            .filter(links::id.lt(before))
            .order(links::id.desc())
            .limit(limit.into())
            .select(ShareLinkRow::as_select())
            .into_boxed();
        list = match filter.status {
            None => list,
            Some(ShareStatus::Active) => live!(list, now),
            Some(ShareStatus::Revoked) => list.filter(links::revoked_at.is_not_null()),
            Some(ShareStatus::Expired) => {
                list.filter(links::revoked_at.is_null()).filter(links::expires_at.le(now.millis()))
            }
        };
        if let Some(page) = filter.page {
            list = list.filter(links::resource_id.eq(Stored(page)));
        }
        if let Some(user) = filter.created_by {
            list = list.filter(links::created_by.eq(Stored(user)));
        }
        Ok(self.all::<ShareLinkRow, _>(list).await?.into_iter().map(ShareLink::from).collect())
    }

    async fn list_linked_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, bool)>> {
        let of_pages = links::table
            .filter(links::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(links::resource_id, pages.iter().copied().map(Stored)));
        let found = live!(of_pages, now).select((links::resource_id, links::include_children));
        let found = self.all::<(Stored<PageId>, bool), _>(found).await?;
        Ok(found.into_iter().map(|(page, below)| (page.0, below)).collect())
    }

    async fn list_public_access(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, PublicAccess)>> {
        let climb = sql_query(climb_to_links())
            .bind::<Text, _>(Stored(workspace))
            .bind::<BigInt, _>(now.millis())
            .bind::<ListType, _>(list(pages.iter().copied()));
        let found = self.all::<PublicPageRow, _>(climb.columns::<(Text, Bool)>().prepared()).await?;
        Ok(found.into_iter().map(<(PageId, PublicAccess)>::from).collect())
    }

    async fn list_pages_of_link(
        &mut self,
        link: &ShareLink,
        pages: &[PageId],
        now: Timestamp,
    ) -> StoreResult<Vec<PageId>> {
        let reached = pages.iter().copied().filter(|page| link.include_children || *page == link.page);
        let climb = sql_query(climb_to_one())
            .bind::<Text, _>(Stored(link.workspace))
            .bind::<BigInt, _>(now.millis())
            .bind::<ListType, _>(list(reached))
            .bind::<Text, _>(Stored(link.page));
        let found = self.all::<Stored<PageId>, _>(climb.columns::<Text>().prepared()).await?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }
}

/// Whether a link above that shows the container of page `p` also shows `p`: the page inherits and excludes nobody.
/// The parameters are the workspace and the time. SQLite numbers parameters in the order in which a statement first
/// names them.
const LETS_LINKS_IN: &str = "p.inherit AND (p.access_id <> p.id OR NOT EXISTS ( \
             SELECT 1 FROM access_grants AS g \
             WHERE g.workspace_id = $1 AND g.resource_id = p.id AND g.level = 'NONE' \
                 AND (g.expires_at IS NULL OR g.expires_at > $2)))";

/// Climbs from active pages to the page of a link, or to the next page above that cuts inheritance. The parameters
/// are the workspace, the time, the pages, the page of the link.
fn climb_to_one() -> String {
    let among = among(3);
    format!(
        "WITH RECURSIVE climb (origin, id, container_id, lets_in) AS ( \
             SELECT p.id, p.id, p.container_id, {LETS_LINKS_IN} FROM pages AS p \
             WHERE p.workspace_id = $1 AND p.id {among} AND p.trashed_at IS NULL \
             UNION ALL \
             SELECT c.origin, p.id, p.container_id, {LETS_LINKS_IN} FROM climb AS c \
             JOIN pages AS p ON p.workspace_id = $1 AND p.id = c.container_id WHERE c.lets_in AND c.id <> $4) \
         SELECT origin FROM climb WHERE id = $4"
    )
}

/// Climbs from active pages to the next page above that cuts inheritance, looking for valid links on the way. The
/// parameters are the workspace, the time, the pages.
fn climb_to_links() -> String {
    let among = among(3);
    format!(
        "WITH RECURSIVE climb (origin, id, container_id, lets_in, at_origin) AS ( \
             SELECT p.id, p.id, p.container_id, {LETS_LINKS_IN}, TRUE FROM pages AS p \
             WHERE p.workspace_id = $1 AND p.id {among} AND p.trashed_at IS NULL \
             UNION ALL \
             SELECT c.origin, p.id, p.container_id, {LETS_LINKS_IN}, FALSE FROM climb AS c \
             JOIN pages AS p ON p.workspace_id = $1 AND p.id = c.container_id WHERE c.lets_in) \
         SELECT c.origin, MAX(CASE WHEN c.at_origin THEN 1 ELSE 0 END) = 1 FROM climb AS c \
         JOIN share_links AS s ON s.workspace_id = $1 AND s.resource_id = c.id \
         WHERE s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > $2) \
             AND (c.at_origin OR s.include_children) \
         GROUP BY c.origin"
    )
}

#[area]
impl ShareLinks for Scope {
    async fn insert(&mut self, link: &ShareLink) -> StoreResult<()> {
        self.enter_share_link(link).await?;
        let row = ShareLinkRow::from(link);
        self.execute(diesel::insert_into(links::table).values(&row)).await.map(drop)
    }

    async fn save(&mut self, link: &ShareLink) -> StoreResult<()> {
        let row = || links::table.find((Stored(link.workspace), Stored(link.id)));
        let before = self.optional::<Stored<TokenHash>, _>(row().select(links::token_hash)).await?;
        if let Some(Stored(before)) = before.filter(|before| before.0 != link.token.hash) {
            self.forget_share_tokens(&[before.hex()]).await?;
            self.enter_share_link(link).await?;
        }
        self.execute(diesel::update(row()).set(ShareLinkRow::from(link)).prepared()).await.map(drop)
    }

    async fn count(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<u32> {
        let counted = links::table
            .filter(links::workspace_id.eq(Stored(workspace)))
            .filter(links::resource_id.eq(Stored(page)))
            .filter(links::revoked_at.is_null())
            .count();
        Ok(u32::try_from(self.one::<i64, _>(counted).await?).unwrap_or(u32::MAX))
    }

    async fn count_views(&mut self, viewed: &[Viewed]) -> StoreResult<()> {
        for Viewed { workspace, link, count, last_at } in viewed {
            let update = sql_query(
                "UPDATE share_links SET view_count = view_count + $1, last_viewed_at = \
                 CASE WHEN last_viewed_at IS NULL OR last_viewed_at < $2 THEN $2 ELSE last_viewed_at END \
                 WHERE workspace_id = $3 AND id = $4",
            )
            .bind::<BigInt, _>(i64::try_from(*count).unwrap_or(i64::MAX))
            .bind::<BigInt, _>(last_at.millis())
            .bind::<Text, _>(Stored(*workspace))
            .bind::<Text, _>(Stored(*link));
            self.execute(update.prepared()).await?;
        }
        Ok(())
    }
}

impl Scope {
    /// Writes the entry from a token to its link. Two random tokens of 256 bits never collide in practice.
    async fn enter_share_link(&mut self, link: &ShareLink) -> StoreResult<()> {
        let (owner_id, target_id) = (link.workspace.to_string(), link.id.to_string());
        let entry = DirectoryRow { kind: SHARE_LINK, key: link.token.hash.hex(), owner_id, target_id };
        self.execute(diesel::insert_into(directory::table).values(&entry)).await.map(drop)
    }

    /// Removes the directory entries of a workspace's links. The links themselves are deleted with its row.
    pub(super) async fn forget_share_links(&mut self, workspace: WorkspaceId) -> StoreResult<()> {
        let hashes = links::table.filter(links::workspace_id.eq(Stored(workspace))).select(links::token_hash);
        let hashes = self.all::<String, _>(hashes).await?;
        self.forget_share_tokens(&hashes).await
    }

    pub(super) async fn forget_share_tokens(&mut self, hashes: &[String]) -> StoreResult<()> {
        for some in hashes.chunks(ENTRIES_AT_ONCE) {
            let entries = directory::table.filter(directory::kind.eq(SHARE_LINK)).filter(directory::key.eq_any(some));
            self.execute(diesel::delete(entries)).await?;
        }
        Ok(())
    }
}
