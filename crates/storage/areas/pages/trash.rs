//! Moving pages to the trash, restoring them, and removing them.

use super::super::{Db, Scope, dialect::one_of};
use crate::{
    prepared::{Columns, Prepare},
    rows::pages::PageRow,
    schema::pages,
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    dsl::count_star,
    prelude::*,
    query_builder::QueryFragment,
    sql_query,
    sql_types::{BigInt, Nullable, Text},
};
use octavo_core_model::{
    Timestamp,
    id::{PageId, UserId, WorkspaceId},
    page::{Node, Page, PageKind, Trash},
};
use octavo_ports::{pages::TrashFilter, store::StoreResult};

/// A page and all pages below it, whatever their state.
const SUBTREE: &str = "WITH RECURSIVE subtree (id) AS ( \
     SELECT id FROM pages WHERE workspace_id = $1 AND id = $2 \
     UNION ALL \
     SELECT p.id FROM subtree AS s JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = s.id)";

const DAY_MILLIS: i64 = 86_400_000;

impl Scope {
    pub(super) async fn put_into_trash(&mut self, page: &Page, trash: &Trash) -> StoreResult<Vec<(PageId, Node)>> {
        let update = sql_query(
            "WITH RECURSIVE active (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND id = $2 \
                 UNION ALL \
                 SELECT p.id FROM active AS a \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = a.id AND p.trashed_at IS NULL) \
             UPDATE pages SET trashed_at = $3, trash_root_id = $2, trashed_by = $4, purge_at = $5, \
                 version = version + 1, updated_at = $3, updated_by = $4 \
             WHERE workspace_id = $1 AND id IN (SELECT id FROM active) RETURNING id, access_id, kind",
        )
        .bind::<Text, _>(Stored(page.workspace))
        .bind::<Text, _>(Stored(page.id))
        .bind::<BigInt, _>(trash.at.millis())
        .bind::<Nullable<Text>, _>(trash.by.map(Stored))
        .bind::<BigInt, _>(trash.purge_at.millis());
        self.changed_pages(update).await
    }

    pub(super) async fn take_out_of_trash(
        &mut self,
        page: &Page,
        by: Option<UserId>,
        now: Timestamp,
    ) -> StoreResult<Vec<(PageId, Node)>> {
        let Some(trash) = page.trash else { return Ok(Vec::new()) };
        let update = sql_query(
            "WITH RECURSIVE along (id) AS ( \
                 SELECT id FROM pages WHERE workspace_id = $1 AND id = $2 \
                 UNION ALL \
                 SELECT p.id FROM along AS a \
                 JOIN pages AS p ON p.workspace_id = $1 AND p.container_id = a.id AND p.trash_root_id = $3) \
             UPDATE pages SET trashed_at = NULL, trash_root_id = NULL, trashed_by = NULL, purge_at = NULL, \
                 version = version + 1, updated_at = $4, updated_by = $5 \
             WHERE workspace_id = $1 AND id IN (SELECT id FROM along) RETURNING id, access_id, kind",
        )
        .bind::<Text, _>(Stored(page.workspace))
        .bind::<Text, _>(Stored(page.id))
        .bind::<Text, _>(Stored(trash.root))
        .bind::<BigInt, _>(now.millis())
        .bind::<Nullable<Text>, _>(by.map(Stored));
        self.changed_pages(update).await
    }

    /// Runs an update that returns id, access node and kind of each node, and returns the pages among them. Databases and
    /// pages of records go along with the page above them, and callers do not report them one by one.
    async fn changed_pages<Q>(&mut self, update: Q) -> StoreResult<Vec<(PageId, Node)>>
    where
        Q: QueryFragment<Db> + Send,
    {
        let changed = update.columns::<(Text, Text, Text)>().prepared();
        let changed = self.all::<(Stored<PageId>, Stored<Node>, Stored<PageKind>), _>(changed).await?.into_iter();
        let pages = changed.filter(|(_, _, kind)| kind.0 == PageKind::Page);
        Ok(pages.map(|(id, access, _)| (id.0, access.0)).collect())
    }

    /// Deletes what leads to the pages first, because it is found through them.
    pub(super) async fn remove_subtree(&mut self, workspace: WorkspaceId, id: PageId) -> StoreResult<u64> {
        for (table, column) in [
            ("access_grants", "resource_id"),
            ("access_requests", "resource_id"),
            ("dashboards", "host_id"),
            ("favorites", "resource_id"),
            ("page_visits", "page_id"),
        ] {
            let sql = format!(
                "{SUBTREE} DELETE FROM {table} WHERE workspace_id = $1 AND {column} IN (SELECT id FROM subtree)"
            );
            self.delete_below(sql, workspace, id).await?;
        }
        // A database is followed by its own id, whose body is that of its node.
        let sql = format!(
            "{SUBTREE} DELETE FROM follows WHERE workspace_id = $1 AND target_id IN \
             (SELECT id FROM subtree UNION ALL SELECT 'db_' || substr(id, 4) FROM subtree)"
        );
        self.delete_below(sql, workspace, id).await?;
        let sql = format!(
            "{SUBTREE} DELETE FROM share_links WHERE workspace_id = $1 AND resource_id IN (SELECT id FROM subtree) \
             RETURNING token_hash"
        );
        let links = sql_query(sql).bind::<Text, _>(Stored(workspace)).bind::<Text, _>(Stored(id));
        let links = self.all::<String, _>(links.columns::<Text>().prepared()).await?;
        self.forget_share_tokens(&links).await?;
        let sql = format!("{SUBTREE} DELETE FROM pages WHERE workspace_id = $1 AND id IN (SELECT id FROM subtree)");
        let gone = self.delete_below(sql, workspace, id).await?;
        Ok(u64::try_from(gone).unwrap_or(u64::MAX))
    }

    async fn delete_below(&mut self, sql: String, workspace: WorkspaceId, id: PageId) -> StoreResult<usize> {
        let delete = sql_query(sql).bind::<Text, _>(Stored(workspace)).bind::<Text, _>(Stored(id));
        self.execute(delete.prepared()).await
    }

    pub(super) async fn reschedule(&mut self, workspace: WorkspaceId, retention_days: u32) -> StoreResult<()> {
        let kept_for = i64::from(retention_days) * DAY_MILLIS;
        let trashed =
            pages::table.filter(pages::workspace_id.eq(Stored(workspace))).filter(pages::trashed_at.is_not_null());
        let update = diesel::update(trashed).set(pages::purge_at.eq(pages::trashed_at + kept_for));
        self.execute(update.prepared()).await.map(drop)
    }

    pub(super) async fn due_roots(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, PageId)>> {
        let due = pages::table
            .filter(pages::trash_root_id.eq(pages::id.nullable()))
            .filter(pages::purge_at.le(now.millis()))
            .order((pages::purge_at, pages::id))
            .limit(limit.into())
            .select((pages::workspace_id, pages::id));
        Ok(self
            .all::<(Stored<WorkspaceId>, Stored<PageId>), _>(due)
            .await?
            .into_iter()
            .map(|(workspace, id)| (workspace.0, id.0))
            .collect())
    }

    pub(super) async fn trash_roots(&mut self, workspace: WorkspaceId) -> StoreResult<Vec<PageId>> {
        let roots = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(pages::trash_root_id.eq(pages::id.nullable()))
            .select(pages::id);
        Ok(self.all::<Stored<PageId>, _>(roots).await?.into_iter().map(|id| id.0).collect())
    }

    pub(super) async fn pages_in_trash(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        before: Option<(Timestamp, PageId)>,
        limit: u32,
    ) -> StoreResult<Vec<Page>> {
        let (time, id) =
            before.map_or((i64::MAX, AFTER_EVERY_ID.to_owned()), |(time, id)| (time.millis(), id.to_string()));
        let mut list = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(pages::kind.eq(Stored(PageKind::Page)))
            .filter(pages::trashed_at.le(time))
            .filter(pages::trashed_at.lt(time).or(pages::id.lt(id)))
            .order((pages::trashed_at.desc(), pages::id.desc()))
            .limit(limit.into())
            .select(PageRow::as_select())
            .into_boxed::<Db>();
        list = match filter.root {
            Some(root) => list.filter(pages::trash_root_id.eq(Stored(root))),
            None => list.filter(pages::trash_root_id.eq(pages::id.nullable())),
        };
        if let Some(user) = filter.trashed_by {
            list = list.filter(pages::trashed_by.eq(Stored(user)));
        }
        if let Some(nodes) = &filter.within {
            list = list.filter(one_of!(pages::access_id, nodes.iter().copied().map(Stored)));
        }
        Ok(self.all::<PageRow, _>(list).await?.into_iter().map(Page::from).collect())
    }

    pub(super) async fn trashed_along(
        &mut self,
        workspace: WorkspaceId,
        roots: &[PageId],
    ) -> StoreResult<Vec<(PageId, u64)>> {
        let counts = pages::table
            .filter(pages::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(pages::trash_root_id, roots.iter().copied().map(Stored)))
            .filter(pages::trash_root_id.ne(pages::id.nullable()))
            .filter(pages::kind.eq(Stored(PageKind::Page)))
            .group_by(pages::trash_root_id)
            .select((pages::trash_root_id, count_star()));
        let counts = self.all::<(Option<Stored<PageId>>, i64), _>(counts).await?.into_iter();
        Ok(counts.filter_map(|(root, count)| Some((root?.0, count.unsigned_abs()))).collect())
    }
}
