//! Keeping versions of a page.

use crate::{engine::AppResult, scope::Unit};
use octavo_core_model::{
    id::{PageVersionId, UserId},
    page::{History, Page, Reach, VersionKind},
};

/// How many versions without a label a page keeps.
const KEPT_VERSIONS: u32 = 200;

/// Keeps the page as it is before a change where that is due, and notes who changes it. One statement, two to five more where it is due. What
/// comes back is to be saved with the change.
pub(crate) async fn keep_version(unit: &mut Unit, page: &Page, reach: Reach, by: UserId) -> AppResult<History> {
    let mut history = unit.tx.histories().find(page.workspace, page.id).await?.unwrap_or_else(|| History::of_new(page));
    if history.is_due(page, reach, unit.call.now) {
        let id = unit.id(PageVersionId::new);
        let version = history.keep(page, id, VersionKind::Auto, None, unit.call.now);
        unit.tx.histories().insert_version(&version).await?;
        thin_out(unit, page).await?;
    }
    history.editors.insert(by);
    Ok(history)
}

/// Lets go of what is older than the newest versions, but for those with a label.
pub(crate) async fn thin_out(unit: &mut Unit, page: &Page) -> AppResult<()> {
    let old = unit.tx.histories().list_thinned_versions(page.workspace, page.id, KEPT_VERSIONS).await?;
    if !old.is_empty() {
        unit.tx.histories().remove_versions(page.workspace, page.id, &old).await?;
    }
    Ok(())
}
