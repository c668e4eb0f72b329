//! Rows of kept versions of pages.

use crate::{
    schema::{page_histories, page_versions},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_blocks_tree::Block;
use octavo_core_model::{
    Timestamp,
    id::{PageId, PageVersionId, UserId, WorkspaceId},
    page::{History, LatestVersion, PageVersion, VersionKind},
    text::{Name, PageIcon, PageTitle, WebAddress},
};
use std::collections::BTreeSet;

/// Stands for "no version kept yet": no page ever has this version number.
const NEVER: i64 = 0;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = page_versions, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, page_id, id))]
pub struct PageVersionRow {
    workspace_id: Stored<WorkspaceId>,
    page_id: Stored<PageId>,
    id: Stored<PageVersionId>,
    page_version: i64,
    kind: Stored<VersionKind>,
    label: Option<Stored<Name>>,
    title: Stored<PageTitle>,
    icon: Option<Stored<PageIcon>>,
    cover_url: Option<Stored<WebAddress>>,
    block_count: i64,
    bytes_at_most: Option<i64>,
    editor_ids: String,
    created_at: i64,
}

impl From<&PageVersion> for PageVersionRow {
    fn from(version: &PageVersion) -> Self {
        Self {
            workspace_id: Stored(version.workspace),
            page_id: Stored(version.page),
            id: Stored(version.id),
            page_version: version.page_version,
            kind: Stored(version.kind),
            label: version.label.clone().map(Stored),
            title: Stored(version.title.clone()),
            icon: version.icon.clone().map(Stored),
            cover_url: version.cover_url.clone().map(Stored),
            block_count: i64::try_from(version.block_count).unwrap_or(i64::MAX),
            bytes_at_most: version.bytes_at_most.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            editor_ids: joined(&version.editors),
            created_at: version.created_at.millis(),
        }
    }
}

impl From<PageVersionRow> for PageVersion {
    fn from(row: PageVersionRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.page_id.0,
            page_version: row.page_version,
            kind: row.kind.0,
            label: row.label.map(|label| label.0),
            title: row.title.0,
            icon: row.icon.map(|icon| icon.0),
            cover_url: row.cover_url.map(|address| address.0),
            block_count: row.block_count.unsigned_abs(),
            bytes_at_most: row.bytes_at_most.map(i64::unsigned_abs),
            editors: split(&row.editor_ids),
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = page_histories)]
#[diesel(primary_key(workspace_id, page_id))]
pub struct HistoryRow {
    workspace_id: Stored<WorkspaceId>,
    page_id: Stored<PageId>,
    block_count: i64,
    bytes_at_most: i64,
    editor_ids: String,
    kept_version: i64,
    kept_at: i64,
}

impl HistoryRow {
    pub fn new(workspace: WorkspaceId, page: PageId, history: &History) -> Self {
        Self {
            workspace_id: Stored(workspace),
            page_id: Stored(page),
            block_count: i64::try_from(history.block_count).unwrap_or(i64::MAX),
            bytes_at_most: i64::try_from(history.bytes_at_most).unwrap_or(i64::MAX),
            editor_ids: joined(&history.editors),
            kept_version: history.newest.map_or(NEVER, |kept| kept.page_version),
            kept_at: history.newest.map_or(NEVER, |kept| kept.at.millis()),
        }
    }
}

impl From<HistoryRow> for History {
    fn from(row: HistoryRow) -> Self {
        let kept = LatestVersion { page_version: row.kept_version, at: Timestamp::from_millis(row.kept_at) };
        Self {
            block_count: row.block_count.unsigned_abs(),
            bytes_at_most: row.bytes_at_most.unsigned_abs(),
            editors: split(&row.editor_ids),
            newest: Some(kept).filter(|kept| kept.page_version != NEVER),
        }
    }
}

fn joined(users: &BTreeSet<UserId>) -> String {
    users.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn split(users: &str) -> BTreeSet<UserId> {
    users.split(' ').filter_map(|user| user.parse().ok()).collect()
}

/// The blocks of a version, from those that still are as they were then and from earlier states of others, which are read
/// separately. If a block changed between the two reads, it is in both of them.
pub fn merged(still_so: Vec<Block>, once_so: Vec<Block>) -> Vec<Block> {
    let changed: BTreeSet<_> = once_so.iter().map(|block| block.id).collect();
    still_so.into_iter().filter(|block| !changed.contains(&block.id)).chain(once_so).collect()
}
