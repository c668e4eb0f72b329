//! Removes the content of pages that are gone, and of workspaces that are about to be removed, in parts.
//!
//! The content of a page can have millions of rows: blocks, their earlier states, versions, the records of a database.
//! Removing them at once would make all other writers of SQLite wait, and keep every page of the database that changes
//! in memory. So a part has a limited number of rows and bytes, and the caller removes the next part in another unit.
//! Standard SQL has no limit for `DELETE`, so a subquery picks the rows by their keys.

mod databases;

use super::{
    Scope,
    dialect::{ListType, among, list},
};
use crate::{
    parts::Remaining,
    prepared::{Columns, Prepare},
    stored::Stored,
};
use diesel::{
    sql_query,
    sql_types::{BigInt, Integer, Text},
};
use octavo_core_model::id::{DatabaseId, PageId, WorkspaceId};
use octavo_ports::{pages::RemovedContent, store::StoreResult};

/// How many pages one statement names. A list of pages is worked off in groups of so many, so that later parts do not
/// search the earlier groups again.
const PAGES_AT_ONCE: usize = 100;

/// One kind of rows that belong to a page.
struct ContentRows {
    table: &'static str,
    /// The columns of the primary key after the workspace.
    key: &'static str,
    /// A further condition, which leads to an index.
    condition: &'static str,
    has_bodies: bool,
}

const REFERENCES: ContentRows = plain("block_references", "block_id, target_id, kind");

/// Everything except references. The histories are last: as long as a page has one, its id is taken.
const OTHERS: [ContentRows; 9] = [
    plain("comment_reactions", "comment_id, target_id, emoji, user_id"),
    plain("comment_references", "comment_id, source_id, target_id"),
    with_bodies("comment_replies", "comment_id, id", ""),
    with_bodies("comments", "id", ""),
    with_bodies("block_states", "page_id, last_version, since, block_id", ""),
    plain("page_versions", "page_id, id"),
    with_bodies("blocks", "id", " AND deleted_at IS NULL"),
    with_bodies("blocks", "id", " AND deleted_at IS NOT NULL"),
    plain("page_histories", "page_id"),
];

const fn plain(table: &'static str, key: &'static str) -> ContentRows {
    ContentRows { table, key, condition: "", has_bodies: false }
}

const fn with_bodies(table: &'static str, key: &'static str, condition: &'static str) -> ContentRows {
    ContentRows { table, key, condition, has_bodies: true }
}

impl Scope {
    pub(super) async fn remove_content_of_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        limit: u32,
    ) -> StoreResult<RemovedContent> {
        let mut part = Remaining::new(limit);
        for group in pages.chunks(PAGES_AT_ONCE) {
            if !self.remove_rows(&REFERENCES, workspace, group, &mut part).await? {
                return Ok(RemovedContent { references_left: true, complete: 0 });
            }
        }
        let mut complete = 0;
        for group in pages.chunks(PAGES_AT_ONCE) {
            let databases: Vec<_> = group.iter().map(|page| page.as_database()).collect();
            if !self.remove_databases(workspace, &databases, &mut part).await? {
                return Ok(RemovedContent { references_left: false, complete });
            }
            for rows in &OTHERS {
                if !self.remove_rows(rows, workspace, group, &mut part).await? {
                    return Ok(RemovedContent { references_left: false, complete });
                }
            }
            complete += group.len();
        }
        Ok(RemovedContent { references_left: false, complete })
    }

    /// Also removes the pages and the event log, of which a workspace can have any number of rows as well. Returns
    /// whether nothing is left.
    pub(super) async fn remove_content_of_workspace(
        &mut self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> StoreResult<bool> {
        // Each page with content has a history, and pages that are gone have one until their content is gone too.
        let sql = format!("SELECT page_id FROM page_histories WHERE workspace_id = $1 LIMIT {PAGES_AT_ONCE}");
        let pages = sql_query(sql).bind::<Text, _>(Stored(workspace)).columns::<Text>();
        let pages = self.all::<Stored<PageId>, _>(pages.prepared()).await?;
        if !pages.is_empty() {
            let pages: Vec<_> = pages.into_iter().map(|page| page.0).collect();
            self.remove_content_of_pages(workspace, &pages, limit).await?;
            return Ok(false);
        }
        // Databases whose nodes are gone have a row until their records are gone too.
        let sql = format!("SELECT id FROM databases WHERE workspace_id = $1 LIMIT {PAGES_AT_ONCE}");
        let databases = sql_query(sql).bind::<Text, _>(Stored(workspace)).columns::<Text>();
        let databases = self.all::<Stored<DatabaseId>, _>(databases.prepared()).await?;
        if !databases.is_empty() {
            let databases: Vec<_> = databases.into_iter().map(|database| database.0).collect();
            self.remove_databases(workspace, &databases, &mut Remaining::new(limit)).await?;
            return Ok(false);
        }
        // Pages without a history can have comments too.
        for (table, key) in [
            ("comment_reactions", "comment_id, target_id, emoji, user_id"),
            ("comment_references", "comment_id, source_id, target_id"),
            ("comment_replies", "comment_id, id"),
            ("comments", "id"),
            ("pages", "id"),
            ("events", "sequence"),
        ] {
            let sql = picked(table, key, "workspace_id = $1 LIMIT $2");
            let delete = sql_query(sql).bind::<Text, _>(Stored(workspace)).bind::<BigInt, _>(i64::from(limit));
            if self.execute(delete.prepared()).await? > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes rows of these pages until there are no more or the part is full. Returns whether there are no more.
    async fn remove_rows(
        &mut self,
        rows: &ContentRows,
        workspace: WorkspaceId,
        pages: &[PageId],
        part: &mut Remaining,
    ) -> StoreResult<bool> {
        if part.is_used_up() {
            return Ok(false);
        }
        let most = part.rows;
        let mut limit = most;
        let mut is_end = false;
        if rows.has_bodies {
            let sizes = self.sizes_of_bodies(rows, workspace, pages, most).await?;
            limit = part.count_fitting(&sizes);
            is_end = sizes.len() < most as usize && sizes.len() == limit as usize;
        }
        if limit > 0 {
            let delete = sql_query(picked(rows.table, rows.key, &condition(rows)))
                .bind::<Text, _>(Stored(workspace))
                .bind::<ListType, _>(list(pages.iter().copied()))
                .bind::<BigInt, _>(i64::from(limit));
            is_end |= part.count_removed(self.execute(delete.prepared()).await?) < limit;
        }
        Ok(is_end)
    }

    /// How many bytes the bodies of the next rows have.
    async fn sizes_of_bodies(
        &mut self,
        rows: &ContentRows,
        workspace: WorkspaceId,
        pages: &[PageId],
        most: u32,
    ) -> StoreResult<Vec<i32>> {
        let sizes = sql_query(format!("SELECT octet_length(body) FROM {} WHERE {}", rows.table, condition(rows)))
            .bind::<Text, _>(Stored(workspace))
            .bind::<ListType, _>(list(pages.iter().copied()))
            .bind::<BigInt, _>(i64::from(most));
        self.all::<i32, _>(sizes.columns::<Integer>().prepared()).await
    }
}

/// Picks the next rows ($3 of them) of pages ($2) of a workspace ($1).
fn condition(rows: &ContentRows) -> String {
    format!("workspace_id = $1 AND page_id {}{} LIMIT $3", among(2), rows.condition)
}

/// Deletes the rows of a workspace ($1) that fulfil a condition. They are picked separately from the deletion, so that
/// PostgreSQL picks them once.
fn picked(table: &str, key: &str, condition: &str) -> String {
    format!(
        "WITH picked AS MATERIALIZED (SELECT {key} FROM {table} WHERE {condition}) \
         DELETE FROM {table} WHERE workspace_id = $1 AND ({key}) IN (SELECT {key} FROM picked)"
    )
}
