//! Keeping versions of a page.

use crate::{outcome::AppResult, page_memory::size_with, scope::Unit};
use octavo_core_model::{
    id::{PageVersionId, UserId},
    page::{ContentEffect, History, Page, VersionKind},
};

/// How many unlabelled versions a page keeps.
const KEPT_VERSIONS: u32 = 200;

/// Keeps the present state of a page as a version if one is due before this change, and records who changes it. One
/// statement; two to seven more if a version is due. The caller saves the returned history together with the change.
pub(crate) async fn keep_version(
    unit: &mut Unit,
    page: &Page,
    effect: ContentEffect,
    by: UserId,
) -> AppResult<History> {
    let mut history = unit.tx.histories().find(page.workspace, page.id).await?.unwrap_or_else(|| History::of_new(page));
    if history.is_due(page, effect, unit.call.now) {
        count_bytes(unit, page, &mut history).await?;
        let id = unit.id(PageVersionId::new);
        let version = history.keep(page, id, VersionKind::Auto, None, unit.call.now);
        unit.tx.histories().insert_version(&version).await?;
        thin_out(unit, page).await?;
    }
    history.editors.insert(by);
    Ok(history)
}

/// Corrects the recorded bytes of a page that seems to be large, so that a version of it does not seem to be larger than
/// it is.
pub(crate) async fn count_bytes(unit: &mut Unit, page: &Page, history: &mut History) -> AppResult<()> {
    history.bytes_at_most = size_with(unit, page, history).await?.bytes;
    Ok(())
}

/// Removes unlabelled versions that are older than the newest [`KEPT_VERSIONS`].
pub(crate) async fn thin_out(unit: &mut Unit, page: &Page) -> AppResult<()> {
    let old = unit.tx.histories().list_thinned_versions(page.workspace, page.id, KEPT_VERSIONS).await?;
    if !old.is_empty() {
        unit.tx.histories().remove_versions(page.workspace, page.id, &old).await?;
    }
    Ok(())
}
