//! Restoring a version: the whole page, or blocks that were deleted since.

use super::{
    super::{PageDetails, emit, require_current, require_unlocked, require_writable, shown::one},
    Editor, version_of,
};
use crate::{
    blocks::{Changed, record},
    outcome::{AppResult, Draft},
    page_memory::{bytes_of_version, size_of},
    scope::Unit,
};
use octavo_blocks_tree::{
    batch::Stamp,
    versions::{NotInVersion, RestoreInputs, Rewind, recover, rewind},
};
use octavo_core_model::{
    Fault,
    event::{EventPayload, pages::PageVersionRestored},
    id::{BlockId, PageId, PageVersionId},
    page::{Page, PageChange, PageVersion},
    version::Expected,
};
use std::collections::BTreeSet;

/// What to restore.
#[derive(Clone, Debug, Default)]
pub struct Restoration {
    /// Deleted blocks to restore; by default the whole page.
    pub blocks: Option<BTreeSet<BlockId>>,
    /// The version of the page that the call is based on.
    pub expected: Option<Expected>,
}

/// The result of restoring a version.
#[derive(Clone, Debug)]
pub struct Restored {
    pub shown: PageDetails,
    /// The blocks that were restored, in their order.
    pub restored: Vec<BlockId>,
    /// The blocks that were removed, in their order.
    pub removed: Vec<BlockId>,
}

/// Restores a page to a version, or restores blocks from it. Writes nothing if nothing changes.
pub async fn restore(
    unit: &mut Unit,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    draft: Draft<Restoration>,
) -> AppResult<Restored> {
    let editor = Editor::enter(unit).await?;
    let mut seen = editor.open(unit, &page).await?;
    let version = version_of(unit, &seen.page, id).await?;
    unit.claim().await?;
    let Restoration { blocks, expected } = draft?;
    require_current(&seen.page, expected)?;
    require_writable(&seen.page)?;
    require_unlocked(&seen.page)?;
    let kept = load(unit, &seen.page, &version).await?;
    let stamp = Stamp {
        workspace: seen.page.workspace,
        page: seen.page.id,
        by: editor.caller.author(),
        now: unit.call.now,
        page_version: seen.page.version + 1,
    };
    let (back, fields) = match blocks {
        None => (rewind(&kept, &stamp), fields(&seen.page, &version)),
        Some(wanted) => {
            let back =
                recover(&kept, &wanted, &stamp).map_err(|NotInVersion(unknown)| Fault::NotInVersion(unknown.into()))?;
            (back, PageChange::default())
        }
    };
    let restored = back.restored(&kept.then);
    let removed: Vec<_> = back.removed.iter().flat_map(|removal| removal.blocks.iter().copied()).collect();
    let before = seen.page.version;
    record(unit, &editor.caller, &mut seen.page, changed(back, fields)).await?;
    if seen.page.version != before {
        let gone_back = PageVersionRestored::new(version.id, version.page_version, &restored, &removed);
        emit(unit, &seen.page, EventPayload::PageVersionRestored, gone_back);
    }
    let shown = one(unit, &editor.caller, &editor.authority, &seen).await?;
    Ok(Restored { shown, restored, removed })
}

/// Six to nine statements, however old the version is.
async fn load(unit: &mut Unit, page: &Page, version: &PageVersion) -> AppResult<RestoreInputs> {
    let owner = unit.call.work_owner();
    let present = size_of(unit, page).await?;
    let bytes = present.bytes.saturating_add(bytes_of_version(unit, version).await?);
    unit.expect_content(present.blocks.max(version.block_count), bytes)?;
    unit.call.content.hold(owner, bytes)?;
    let then = unit.tx.histories().list_blocks_at(page.workspace, page.id, version.page_version).await?;
    let now = unit.tx.blocks().list_of_pages(page.workspace, &[page.id], u32::MAX).await?;
    let there: BTreeSet<_> = now.iter().map(|block| block.id).collect();
    let gone: Vec<_> = then.iter().map(|block| block.id).filter(|id| !there.contains(id)).collect();
    let gone = unit.tx.blocks().find(page.workspace, &gone).await?;
    let sources: BTreeSet<_> = then.iter().filter_map(|block| block.body.source()).collect();
    let sources: Vec<_> = sources.into_iter().collect();
    let sources = unit.tx.blocks().list_locations(page.workspace, &sources).await?;
    let elsewhere = sources.iter().filter(|source| source.page != page.id && !source.is_deleted);
    Ok(RestoreInputs {
        now,
        then,
        sources_elsewhere: elsewhere.map(|source| source.id).collect(),
        gone: gone.into_iter().map(|block| (block.id, block)).collect(),
    })
}

/// The changes of the page itself.
fn fields(page: &Page, version: &PageVersion) -> PageChange {
    PageChange {
        title: Some(version.title.clone()).filter(|title| *title != page.title),
        icon: Some(version.icon.clone()).filter(|icon| *icon != page.icon),
        cover_url: Some(version.cover_url.clone()).filter(|cover| *cover != page.cover_url),
        is_locked: None,
    }
}

fn changed(back: Rewind, fields: PageChange) -> Changed {
    let Rewind { returned, saved, removed, respread, changes } = back;
    Changed { returned, saved, removed, respread, changes, restored: Some(fields), ..Changed::default() }
}
