//! Saving a version on request, and labelling versions.

use super::{
    super::{emit, require_current, require_writable},
    Editor, version_of,
};
use crate::{
    outcome::{AppResult, Draft},
    page_history::{count_bytes, thin_out},
    scope::Unit,
};
use octavo_core_model::{
    event::{EventPayload, pages::PageVersionCreated},
    fault::Conflict,
    id::{PageId, PageVersionId},
    page::{History, Page, PageVersion, VersionKind},
    text::Name,
    version::Expected,
};

/// How many versions of a page may have a label; labelled versions are never removed automatically.
pub const MAX_LABELLED: u32 = 100;

/// A version to be saved.
#[derive(Clone, Debug, Default)]
pub struct NewVersion {
    pub label: Option<Name>,
    /// The version of the page that the call is based on.
    pub expected: Option<Expected>,
}

/// A change of a version's label.
#[derive(Clone, Debug, Default)]
pub struct Relabelling {
    /// The new label; by default it stays.
    pub label: Option<Option<Name>>,
    /// The version of the page that the call is based on.
    pub expected: Option<Expected>,
}

/// Saves the present state of a page as a version. The page itself does not change.
pub async fn create(unit: &mut Unit, page: Draft<PageId>, draft: Draft<NewVersion>) -> AppResult<PageVersion> {
    let editor = Editor::enter(unit).await?;
    let page = editor.open(unit, &page).await?.page;
    unit.claim().await?;
    let NewVersion { label, expected } = draft?;
    require_current(&page, expected)?;
    require_writable(&page)?;
    if label.is_some() {
        require_room(unit, &page).await?;
    }
    let id = unit.id(PageVersionId::new);
    let history = unit.tx.histories().find(page.workspace, page.id).await?;
    let mut history = history.unwrap_or_else(|| History::of_new(&page));
    count_bytes(unit, &page, &mut history).await?;
    let version = history.keep(&page, id, VersionKind::Manual, label, unit.call.now);
    unit.tx.histories().insert_version(&version).await?;
    unit.tx.histories().save(page.workspace, page.id, &history).await?;
    thin_out(unit, &page).await?;
    let created = PageVersionCreated { version_id: version.id, label: version.label.clone() };
    emit(unit, &page, EventPayload::PageVersionCreated, created);
    Ok(version)
}

/// Changes or removes the label of a version.
pub async fn relabel(
    unit: &mut Unit,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    draft: Draft<Relabelling>,
) -> AppResult<PageVersion> {
    let editor = Editor::enter(unit).await?;
    let page = editor.open(unit, &page).await?.page;
    let mut version = version_of(unit, &page, id).await?;
    unit.claim().await?;
    let Relabelling { label, expected } = draft?;
    require_current(&page, expected)?;
    require_writable(&page)?;
    let Some(label) = label.filter(|label| *label != version.label) else { return Ok(version) };
    if version.label.is_none() {
        require_room(unit, &page).await?;
    }
    version.label = label;
    unit.tx.histories().save_version(&version).await?;
    Ok(version)
}

async fn require_room(unit: &mut Unit, page: &Page) -> AppResult<()> {
    let labelled = unit.tx.histories().count_labelled_versions(page.workspace, page.id).await?;
    if labelled < MAX_LABELLED { Ok(()) } else { Err(Conflict::LimitReached(MAX_LABELLED).into()) }
}
