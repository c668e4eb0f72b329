//! A page with its blocks, for exporting it as a document.

use super::{PageDetails, enter, lineage::find, shown::one};
use crate::{
    access::RouteAccess,
    blocks::{PageBlocks, show_blocks, tree},
    outcome::{AppResult, Draft},
    reservations::Reservations,
    scope::View,
};
use octavo_core_model::{Fault, id::PageId};
use octavo_ports::compute::{Reservation, WorkKind};

/// A whole page in the form that documents are written from.
#[derive(Clone, Debug)]
pub struct Exported {
    pub shown: PageDetails,
    pub content: PageBlocks,
}

/// A page with all its blocks, for a caller that may see it, and the place in the compute pool for writing it.
pub async fn export(
    view: &mut View,
    page: Draft<PageId>,
    query: Draft<()>,
    reservations: Reservations,
) -> AppResult<(Exported, Reservation)> {
    let (caller, authority) = enter(view, RouteAccess::PAGES).await?;
    let seen = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?;
    query?;
    let shown = one(view, &caller, &authority, &seen).await?;
    let page = &seen.page;
    let owner = view.call.work_owner();
    let reservation = reservations.for_page(view, owner, page, WorkKind::Short).await?;
    let blocks = view.tx.blocks().list_of_pages(page.workspace, &[page.id], u32::MAX).await?;
    let shown_blocks = show_blocks(view, &authority, owner, (page.workspace, page.id), blocks).await?;
    let content = PageBlocks { blocks: tree(shown_blocks, None), is_truncated: false };
    let reservation = reservations.at_least(reservation, WorkKind::of_page(0, content.bytes_of_sources()))?;
    Ok((Exported { shown, content }, reservation))
}
