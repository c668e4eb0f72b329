//! The pages that are moved to the trash or restored together, grouped by who may see them.

use super::super::emit;
use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    event::{EventPayload, MAX_LISTED, pages::OfPage},
    id::PageId,
    page::{Node, Page},
};
use std::{collections::BTreeMap, mem};

/// How many pages below with entries of their own get an event each. The events are written in the unit, so their
/// number must be limited. If there are more, those with the lowest ids get one.
const MAX_EVENTS_BELOW: usize = 1_000;

/// Pages by the node from which they take their level.
///
/// An event has many readers and must not name a page that one of them may not see. Whoever sees the page of an event
/// sees all pages with the same node, so there is one event per node.
pub(super) struct PagesByNode {
    /// The pages with the same node as the page of the call, including that page.
    alike: Vec<PageId>,
    below: BTreeMap<PageId, Vec<PageId>>,
}

impl PagesByNode {
    pub(super) fn new(page: &Page, pages: Vec<(PageId, Node)>) -> Self {
        let (mut alike, mut below) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
        for (id, access) in pages {
            match access.page() {
                _ if access == page.access => alike.push(id),
                Some(node) => below.entry(node).or_default().push(id),
                // Pages below that take their level from a workspace or a team take it from the same one as this
                // page.
                None => {}
            }
        }
        Self { alike, below }
    }

    /// The pages to list in the event about the page of the call, the first [`MAX_LISTED`] of those with the same access
    /// node, and how many have it. How many there are besides is hidden as well.
    pub(super) fn take_named(&mut self) -> (Vec<PageId>, u64) {
        let mut named = mem::take(&mut self.alike);
        let count = named.len() as u64;
        named.truncate(MAX_LISTED);
        (named, count)
    }

    /// Emits an event for each page below that has entries of its own. The event is about that page and names the
    /// pages that take their level from it. `payload` receives these, if they are not too many, and their number.
    pub(super) async fn emit_below<T>(
        self,
        unit: &mut Unit,
        page: &Page,
        kind: impl Fn(OfPage<T>) -> EventPayload,
        payload: impl Fn(&Page, Vec<PageId>, u64) -> T,
    ) -> AppResult<()> {
        // The node itself, unless it is a database or the page of a record, which are not among the pages.
        let subject = |(node, pages): (PageId, Vec<PageId>)| {
            let subject = if pages.contains(&node) { Some(node) } else { pages.first().copied() };
            Some((subject?, pages))
        };
        let mut below: BTreeMap<_, _> = self.below.into_iter().filter_map(subject).collect();
        let nodes: Vec<_> = below.keys().copied().take(MAX_EVENTS_BELOW).collect();
        if nodes.is_empty() {
            return Ok(());
        }
        let mut found = unit.tx.pages().list_by_id(page.workspace, &nodes).await?;
        found.sort_unstable_by_key(|node| node.id);
        for node in found {
            let mut named = below.remove(&node.id).unwrap_or_default();
            let count = named.len() as u64;
            named.truncate(MAX_LISTED);
            emit(unit, &node, &kind, payload(&node, named, count));
        }
        Ok(())
    }
}
