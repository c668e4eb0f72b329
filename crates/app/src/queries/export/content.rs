//! The content of the pages of records, as Markdown.

use crate::{
    blocks::{as_written, refused, show_blocks, tree},
    engine::Engine,
    outcome::AppResult,
    records::RecordDetails,
    scope::View,
};
use octavo_blocks_tree::markdown;
use octavo_core_model::{
    cancellation::Cancellation,
    id::{PageId, WorkspaceId},
    page::Page,
    record::{Record, RecordPage},
};
use octavo_permissions::Authority;
use octavo_ports::compute::WorkKind;
use std::collections::BTreeMap;

/// The pages of records that have a row.
pub(super) struct Content(BTreeMap<PageId, Page>);

impl Content {
    /// One statement, or none if nobody has written to the pages of these records.
    pub(super) async fn of(view: &mut View, workspace: WorkspaceId, records: &[RecordDetails]) -> AppResult<Self> {
        let stored = records.iter().filter(|details| details.record.page != RecordPage::Implied);
        let ids: Vec<_> = stored.map(|details| details.record.id.page()).collect();
        if ids.is_empty() {
            return Ok(Self(BTreeMap::new()));
        }
        let pages = view.tx.pages().list_by_id(workspace, &ids).await?;
        Ok(Self(pages.into_iter().map(|page| (page.id, page)).collect()))
    }

    /// The content of the page of a record. Memory is held for one page at a time.
    pub(super) async fn read(
        &self,
        view: &mut View,
        engine: &Engine,
        authority: &Authority,
        record: &Record,
    ) -> AppResult<String> {
        let Some(page) = self.0.get(&record.id.page()) else { return Ok(String::new()) };
        let (owner, key) = (view.call.work_owner(), (page.workspace, page.id));
        let reservations = engine.reservations();
        let reservation = reservations.for_page(view, owner, page, WorkKind::Short).await?;
        let blocks = view.tx.blocks().list_of_pages(page.workspace, &[page.id], u32::MAX).await?;
        if blocks.is_empty() {
            return Ok(String::new());
        }
        let pieces = as_written(tree(show_blocks(view, authority, owner, key, blocks).await?, None));
        let write = move |cancellation: &Cancellation| markdown::export(&pieces, cancellation);
        let (text, _slot) = engine.compute_reserved(reservation, write).await?;
        Ok(text.map_err(refused)?)
    }
}
