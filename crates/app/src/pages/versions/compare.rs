//! The differences between a version and another state of the page.

use super::{enter_to_read, find_version};
use crate::{
    blocks::{ChosenSources, ShownBlock, hold_shown, with_sources},
    outcome::{AppResult, Draft},
    page_memory::{bytes_of_version, size_of},
    scope::View,
};
use octavo_blocks_tree::versions::{Moved, diff};
use octavo_core_model::{
    id::{BlockId, PageId, PageVersionId},
    page::{Page, PageVersion},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The differences between two states of a page.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub fields: Vec<FieldChange>,
    pub added: Vec<ShownBlock>,
    pub removed: Vec<ShownBlock>,
    /// Blocks with different content, before and after.
    pub changed: Vec<(ShownBlock, ShownBlock)>,
    pub moved: Vec<Moved>,
}

/// A field of the page that is different.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    pub name: &'static str,
    pub before: Value,
    pub after: Value,
}

/// Compares a version with another version of the page, or with its present state.
pub async fn compare(
    view: &mut View,
    page: Draft<PageId>,
    id: Draft<PageVersionId>,
    to: Draft<Option<PageVersionId>>,
) -> AppResult<Comparison> {
    let (authority, page) = enter_to_read(view, &page).await?;
    let from = find_version(view, &page, id).await?;
    let to = match to? {
        Some(to) => Some(find_version(view, &page, Ok(to)).await?),
        None => None,
    };
    let owner = view.call.work_owner();
    let bytes_before = bytes_of_version(view, &from).await?;
    let bytes_after = match &to {
        Some(to) => bytes_of_version(view, to).await?,
        None => size_of(view, &page).await?.bytes,
    };
    view.call.content.hold(owner, bytes_before.saturating_add(bytes_after))?;
    let before = view.tx.histories().list_blocks_at(page.workspace, page.id, from.page_version).await?;
    let after = match &to {
        Some(to) => view.tx.histories().list_blocks_at(page.workspace, page.id, to.page_version).await?,
        None => view.tx.blocks().list_of_pages(page.workspace, &[page.id], u32::MAX).await?,
    };
    let found = diff(&before, &after);
    let place = (page.workspace, page.id);
    let sources_before = ChosenSources::for_reader(view, &authority, place, &before).await?;
    let sources_after = ChosenSources::for_reader(view, &authority, place, &after).await?;
    let bytes = sources_before.bytes() + sources_after.bytes();
    hold_shown(&view.call, owner, before.iter().chain(&after), bytes)?;
    let mut before = by_id(with_sources(view, page.workspace, before, sources_before).await?);
    let mut after = by_id(with_sources(view, page.workspace, after, sources_after).await?);
    let changed = found.changed.iter().filter_map(|(was, is)| before.remove(&was.id).zip(after.remove(&is.id)));
    let changed = changed.collect();
    Ok(Comparison {
        fields: fields(Fields::from(&from), to.as_ref().map_or_else(|| Fields::from(&page), Fields::from)),
        added: found.added.iter().filter_map(|block| after.remove(&block.id)).collect(),
        removed: found.removed.iter().filter_map(|block| before.remove(&block.id)).collect(),
        changed,
        moved: found.moved,
    })
}

fn by_id(shown: Vec<ShownBlock>) -> BTreeMap<BlockId, ShownBlock> {
    shown.into_iter().map(|shown| (shown.block.id, shown)).collect()
}

/// The fields of the page itself in a version.
struct Fields([(&'static str, Value); 3]);

impl From<&PageVersion> for Fields {
    fn from(version: &PageVersion) -> Self {
        let PageVersion { title, icon, cover_url, .. } = version;
        Self([("title", json!(title)), ("icon", json!(icon)), ("coverUrl", json!(cover_url))])
    }
}

impl From<&Page> for Fields {
    fn from(page: &Page) -> Self {
        let Page { title, icon, cover_url, .. } = page;
        Self([("title", json!(title)), ("icon", json!(icon)), ("coverUrl", json!(cover_url))])
    }
}

fn fields(before: Fields, after: Fields) -> Vec<FieldChange> {
    let pairs = before.0.into_iter().zip(after.0);
    let differing = pairs.filter(|((_, before), (_, after))| before != after);
    differing.map(|((name, before), (_, after))| FieldChange { name, before, after }).collect()
}
