//! Listing versions, and reading one with its blocks.

use super::{enter_to_read, find_version};
use crate::{
    blocks::{Branch, show_blocks, tree},
    outcome::{AppResult, Draft},
    page_memory::bytes_of_version,
    scope::View,
};
use octavo_core_model::{
    id::{PageId, PageVersionId},
    page::{PageVersion, VersionKind},
};

/// Which versions of a page to list.
#[derive(Clone, Copy, Debug)]
pub struct VersionList {
    pub kind: Option<VersionKind>,
    /// Only versions before this one.
    pub before: Option<(i64, PageVersionId)>,
    pub limit: u32,
}

/// Lists the versions of a page, newest first.
pub async fn list(view: &mut View, page: Draft<PageId>, asked: Draft<VersionList>) -> AppResult<Vec<PageVersion>> {
    let (_, page) = enter_to_read(view, &page).await?;
    let VersionList { kind, before, limit } = asked?;
    Ok(view.tx.histories().list_versions(page.workspace, page.id, kind, before, limit).await?)
}

/// Returns a version with its blocks.
pub async fn get(
    view: &mut View,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
) -> AppResult<(PageVersion, Vec<Branch>)> {
    let (authority, page) = enter_to_read(view, &page).await?;
    let version = find_version(view, &page, id).await?;
    let owner = view.call.work_owner();
    let bytes = bytes_of_version(view, &version).await?;
    view.call.content.hold(owner, bytes)?;
    let blocks = view.tx.histories().list_blocks_at(page.workspace, page.id, version.page_version).await?;
    let shown = show_blocks(view, &authority, owner, (page.workspace, page.id), blocks).await?;
    Ok((version, tree(shown, None)))
}
