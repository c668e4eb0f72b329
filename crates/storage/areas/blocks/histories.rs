//! Kept versions of pages, and earlier states of blocks.

use super::{
    super::{
        Db, Scope,
        dialect::{ListType, among, for_each_row, list, one_of},
    },
    octet_length,
};
use crate::{
    prepared::{Columns, Prepare},
    rows::{
        blocks::{BlockRow, BlockStateRow},
        histories::{HistoryRow, PageVersionRow, merged},
    },
    schema::{block_states as states, blocks, page_histories, page_versions as versions},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    dsl::{AsSelect, SqlTypeOf, sum},
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_blocks_tree::Block;
use octavo_core_model::{
    id::{BlockId, PageId, PageVersionId, WorkspaceId},
    page::{History, PageVersion, VersionKind},
};
use octavo_ports::{
    blocks::{Histories, HistoryReads},
    store::StoreResult,
};
use octavo_storage_macros::area;
use std::collections::BTreeSet;

/// The kept versions of a page.
macro_rules! of_page {
    ($workspace:expr, $page:expr) => {
        versions::table
            .filter(versions::workspace_id.eq(Stored($workspace)))
            .filter(versions::page_id.eq(Stored($page)))
    };
}

/// The blocks that have not changed since a version of their page.
macro_rules! still_so {
    ($workspace:expr, $page:expr, $version:expr) => {
        blocks::table
            .filter(blocks::workspace_id.eq(Stored($workspace)))
            .filter(blocks::page_id.eq(Stored($page)))
            .filter(blocks::deleted_at.is_null())
            .filter(blocks::since.le($version))
    };
}

/// Reads these columns of the kept states of blocks that have changed since a version of their page.
macro_rules! once_so {
    ($columns:expr, $workspace:expr, $page:expr, $version:expr) => {
        sql_query(states_at($columns))
            .bind::<Text, _>(Stored($workspace))
            .bind::<Text, _>(Stored($page))
            .bind::<BigInt, _>($version)
    };
}

/// The columns of [`BlockStateRow`].
const STATE: &str = "workspace_id, page_id, block_id, since, parent_id, position, body, version, created_by, \
     updated_by, created_at, updated_at";

/// A state is stored under the newest version that shows it. So the states of a version are stored under this version
/// and the newer ones, and no state of another version is read: a page can have millions.
fn states_at(columns: &str) -> String {
    let shown = for_each_row(
        "block_states",
        "workspace_id = $1 AND page_id = $2 AND last_version = v.page_version AND since <= $3",
    );
    format!(
        "SELECT {columns} FROM (SELECT DISTINCT page_version FROM page_versions \
         WHERE workspace_id = $1 AND page_id = $2 AND page_version >= $3) AS v {shown}"
    )
}

#[area]
impl HistoryReads for Scope {
    async fn find(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Option<History>> {
        let row = page_histories::table.find((Stored(workspace), Stored(page))).select(HistoryRow::as_select());
        Ok(self.optional::<HistoryRow, _>(row).await?.map(History::from))
    }

    async fn count_blocks(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<u64> {
        let counts = page_histories::table
            .filter(page_histories::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(page_histories::page_id, pages.iter().copied().map(Stored)))
            .select(page_histories::block_count);
        Ok(self.all::<i64, _>(counts).await?.into_iter().map(i64::unsigned_abs).sum())
    }

    async fn find_version(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        id: PageVersionId,
    ) -> StoreResult<Option<PageVersion>> {
        let row = versions::table.find((Stored(workspace), Stored(page), Stored(id)));
        Ok(self.optional::<PageVersionRow, _>(row.select(PageVersionRow::as_select())).await?.map(PageVersion::from))
    }

    async fn list_versions(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        kind: Option<VersionKind>,
        before: Option<(i64, PageVersionId)>,
        limit: u32,
    ) -> StoreResult<Vec<PageVersion>> {
        let (number, id) =
            before.map_or((i64::MAX, AFTER_EVERY_ID.to_owned()), |(number, id)| (number, id.to_string()));
        let mut list = of_page!(workspace, page)
            .filter(versions::page_version.le(number))
            .filter(versions::page_version.lt(number).or(versions::id.lt(id)))
            .order((versions::page_version.desc(), versions::id.desc()))
            .limit(limit.into())
            .select(PageVersionRow::as_select())
            .into_boxed::<Db>();
        if let Some(kind) = kind {
            list = list.filter(versions::kind.eq(Stored(kind)));
        }
        Ok(self.all::<PageVersionRow, _>(list).await?.into_iter().map(PageVersion::from).collect())
    }

    async fn list_blocks_at(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        page_version: i64,
    ) -> StoreResult<Vec<Block>> {
        let still_so = still_so!(workspace, page, page_version).select(BlockRow::as_select());
        let still_so: Vec<Block> = self.all::<BlockRow, _>(still_so).await?.into_iter().map(Block::from).collect();
        let once_so = once_so!(STATE, workspace, page, page_version);
        let once_so = once_so.columns::<SqlTypeOf<AsSelect<BlockStateRow, Db>>>().prepared();
        let once_so = self.all::<BlockStateRow, _>(once_so).await?.into_iter().map(Block::from).collect();
        Ok(merged(still_so, once_so))
    }

    async fn count_bytes_at(&mut self, workspace: WorkspaceId, page: PageId, page_version: i64) -> StoreResult<u64> {
        let still_so = still_so!(workspace, page, page_version).select(sum(octet_length(blocks::body)));
        let still_so = self.one::<Option<i64>, _>(still_so).await?.unwrap_or_default().unsigned_abs();
        let bytes = "CAST(COALESCE(SUM(octet_length(body)), 0) AS BIGINT)";
        let once_so = once_so!(bytes, workspace, page, page_version);
        let once_so = self.one::<i64, _>(once_so.columns::<BigInt>().prepared()).await?.unsigned_abs();
        Ok(still_so.saturating_add(once_so))
    }
}

impl Scope {
    /// Removes the states that only this removed version showed, and stores the others under the version before it. One
    /// statement or two for each version: most often one version is removed, and PostgreSQL's planner would read all
    /// states of the page for a list of versions.
    async fn release_states(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        number: i64,
        before: Option<i64>,
    ) -> StoreResult<()> {
        let shown_last = || {
            states::table
                .filter(states::workspace_id.eq(Stored(workspace)))
                .filter(states::page_id.eq(Stored(page)))
                .filter(states::last_version.eq(number))
        };
        let Some(before) = before else { return self.execute(diesel::delete(shown_last())).await.map(drop) };
        self.execute(diesel::delete(shown_last().filter(states::since.gt(before)))).await?;
        let keep = diesel::update(shown_last()).set(states::last_version.eq(before));
        self.execute(keep.prepared()).await.map(drop)
    }
}

#[area]
impl Histories for Scope {
    async fn save(&mut self, workspace: WorkspaceId, page: PageId, history: &History) -> StoreResult<()> {
        let row = || HistoryRow::new(workspace, page, history);
        let save = diesel::insert_into(page_histories::table)
            .values(row())
            .on_conflict((page_histories::workspace_id, page_histories::page_id))
            .do_update()
            .set(row());
        self.execute(save.prepared()).await.map(drop)
    }

    async fn insert_version(&mut self, version: &PageVersion) -> StoreResult<()> {
        let insert = diesel::insert_into(versions::table).values(PageVersionRow::from(version));
        self.execute(insert).await.map(drop)
    }

    async fn save_version(&mut self, version: &PageVersion) -> StoreResult<()> {
        let row = versions::table.find((Stored(version.workspace), Stored(version.page), Stored(version.id)));
        self.execute(diesel::update(row).set(PageVersionRow::from(version)).prepared()).await.map(drop)
    }

    async fn keep_block_states(&mut self, workspace: WorkspaceId, ids: &[BlockId], kept: i64) -> StoreResult<u64> {
        let seen = blocks::table
            .filter(blocks::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(blocks::id, ids.iter().copied().map(Stored)))
            .filter(blocks::deleted_at.is_null())
            .filter(blocks::since.le(kept));
        let keep = seen
            .select((
                blocks::workspace_id,
                blocks::page_id,
                blocks::id,
                blocks::since,
                kept.into_sql::<BigInt>(),
                blocks::parent_id,
                blocks::position,
                blocks::body,
                blocks::version,
                blocks::created_by,
                blocks::updated_by,
                blocks::created_at,
                blocks::updated_at,
            ))
            .insert_into(states::table)
            .into_columns((
                states::workspace_id,
                states::page_id,
                states::block_id,
                states::since,
                states::last_version,
                states::parent_id,
                states::position,
                states::body,
                states::version,
                states::created_by,
                states::updated_by,
                states::created_at,
                states::updated_at,
            ))
            .returning(octet_length(states::body));
        Ok(self.all::<i32, _>(keep.prepared()).await?.into_iter().map(|size| u64::from(size.unsigned_abs())).sum())
    }

    async fn remove_versions(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[PageVersionId],
    ) -> StoreResult<()> {
        let remove = sql_query(format!(
            "DELETE FROM page_versions WHERE workspace_id = $1 AND page_id = $2 AND id {} RETURNING page_version",
            among(3)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(page))
        .bind::<ListType, _>(list(ids.iter().copied()));
        let removed = self.all::<i64, _>(remove.columns::<BigInt>().prepared()).await?;
        let left = self.all::<i64, _>(of_page!(workspace, page).select(versions::page_version)).await?;
        let (removed, left) = (BTreeSet::from_iter(removed), BTreeSet::from_iter(left));
        for number in removed.difference(&left) {
            self.release_states(workspace, page, *number, left.range(..*number).next_back().copied()).await?;
        }
        Ok(())
    }

    async fn list_thinned_versions(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        kept: u32,
    ) -> StoreResult<Vec<PageVersionId>> {
        let newest_first = of_page!(workspace, page)
            .order((versions::page_version.desc(), versions::id.desc()))
            .select((versions::id, versions::label.is_null()));
        let all = self.all::<(Stored<PageVersionId>, bool), _>(newest_first).await?;
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        Ok(all.into_iter().skip(kept).filter(|(_, is_bare)| *is_bare).map(|(id, _)| id.0).collect())
    }

    async fn count_labelled_versions(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<u32> {
        let count = of_page!(workspace, page).filter(versions::label.is_not_null()).count();
        Ok(u32::try_from(self.one::<i64, _>(count).await?).unwrap_or(u32::MAX))
    }
}
