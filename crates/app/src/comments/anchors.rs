//! What a thread is on, as calls name it.

use crate::{
    access::WorkspaceCaller,
    outcome::{AppResult, Interrupt},
    page_access::{self, lineage::find},
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault,
    comment::{Anchor, Selection},
    fault::{Hint, Issue, Violation},
    id::{BlockId, PageId, RecordId},
    page::Page,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;

/// What a call says that a thread is on. A block and a record say which page that is.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedAnchor {
    pub page: Option<PageId>,
    pub block: Option<BlockId>,
    pub record: Option<RecordId>,
}

/// The part of the text of a block that a call selects.
#[derive(Clone, Debug)]
pub struct NamedSelection {
    pub start: u32,
    pub end: u32,
    /// The selected text by default.
    pub quote: Option<String>,
}

/// The page that a call names, and what of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) page: PageId,
    pub(super) block: Option<BlockId>,
    pub(super) record: Option<RecordId>,
    /// The field that names the page, first of all.
    pub(super) field: &'static str,
}

/// The place that a call names; `None` if it names nothing. Whether the caller may see it is not checked yet, unless the
/// call names more than one page: that is a mismatch for callers that may see all of them.
pub(super) async fn place<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &Authority,
    named: NamedAnchor,
) -> AppResult<Option<Place>> {
    let NamedAnchor { page, block, record } = named;
    let mut pages: Vec<(&'static str, PageId)> = page.map(|page| ("pageId", page)).into_iter().collect();
    if let Some(block) = block {
        let location = scope.tx.blocks().list_locations(caller.workspace, &[block]).await?.pop();
        let Some(location) = location.filter(|block| !block.is_deleted) else {
            // If the page is hidden, the answer must be the same as for a block that exists.
            for (field, page) in &pages {
                see(scope, caller, authority, field, *page).await?;
            }
            return Err(Fault::UnknownId("blockId").into());
        };
        pages.push(("blockId", location.page));
    }
    pages.extend(record.map(|record| ("recordId", record.page())));
    let Some(&(field, page)) = pages.first() else { return Ok(None) };
    if let Some((other, _)) = pages.iter().find(|(_, other)| *other != page) {
        for (field, page) in &pages {
            let page = see(scope, caller, authority, field, *page).await?;
            is_of_record(&page, record.filter(|_| *field == "recordId"))?;
        }
        return Err(Violation::new(*other, Issue::AnchorMismatch).into());
    }
    Ok(Some(Place { page, block, record, field }))
}

/// Finds the page that a field names, if the caller may see it.
async fn see<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    caller: &WorkspaceCaller,
    authority: &Authority,
    field: &'static str,
    page: PageId,
) -> AppResult<Page> {
    let seen = find(scope, caller, authority, &Ok(page)).await.map_err(|interrupt| interrupt.naming(field))?;
    Ok(seen.ok_or(Fault::UnknownId(field))?.page)
}

/// A record is named by its own id, and a page without a record has none.
fn is_of_record(page: &Page, record: Option<RecordId>) -> Result<(), Fault> {
    match record {
        Some(record) if page.record() != Some(record) => Err(Fault::UnknownId("recordId")),
        Some(_) | None => Ok(()),
    }
}

impl Place {
    /// Checks the page of the place once the caller is known to see it.
    pub(super) fn check(&self, page: &Page) -> Result<(), Fault> {
        is_of_record(page, self.record)
    }

    /// What of its page the thread is about. The page must be locked. A block is more than the record whose page it is
    /// on.
    pub(super) async fn anchor(
        &self,
        unit: &mut Unit,
        authority: &Authority,
        page: &Page,
        selection: Option<NamedSelection>,
    ) -> AppResult<Anchor> {
        let Some(id) = self.block else {
            if selection.is_some() {
                return Err(Violation::new("blockId", Issue::Required).into());
            }
            return Ok(if self.record.is_some() { Anchor::Record } else { Anchor::Page });
        };
        // The block may have been deleted before the page was locked.
        let location = unit.tx.blocks().list_locations(page.workspace, &[id]).await?.pop();
        let location = location.filter(|block| !block.is_deleted).ok_or(Fault::UnknownId("blockId"))?;
        let Some(selection) = selection else { return Ok(Anchor::Block(id)) };
        let owner = unit.call.work_owner();
        unit.call.content.hold(owner, location.bytes)?;
        let blocks = unit.tx.blocks().find(page.workspace, &[id]).await?;
        let shown = crate::blocks::show_blocks(unit, authority, owner, (page.workspace, page.id), blocks).await?;
        let body = shown.into_iter().map(crate::blocks::ShownBlock::into_body).next();
        let text = body.as_ref().and_then(|body| body.text());
        let NamedSelection { start, end, quote } = selection;
        let selected = text.and_then(|text| Selection::of(text.text(), start..end, quote));
        selected.map(|selection| Anchor::Text(id, selection)).ok_or_else(no_selection)
    }
}

fn no_selection() -> Interrupt {
    let rule = "a part of the text of the block, with at least one character; offsets count UTF-16 code units";
    Violation::new("selection", Issue::InvalidValue).hinting(Hint::ruled_by(&[rule])).into()
}

/// Locks the page of a place that the body of a call names.
pub(super) async fn lock<'a>(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &'a Authority,
    place: &Place,
) -> AppResult<page_access::lineage::Visible<'a>> {
    let locked = page_access::lock(unit, caller.workspace, authority, &Ok(place.page)).await;
    let locked = locked.map_err(|interrupt| interrupt.naming(place.field))?;
    let Some(seen) = locked else { return Err(unit.absent().await.naming(place.field)) };
    place.check(&seen.page)?;
    Ok(seen)
}
