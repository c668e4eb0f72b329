//! Restoring single blocks from a version.

use super::{RestoreInputs, Rewind};
use crate::{
    MAX_DEPTH,
    batch::{Change, Stamp},
    block::Block,
    kind::Kind,
    siblings::in_order,
};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks that the version does not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInVersion(pub Vec<BlockId>);

/// Restores the given blocks that are currently deleted, each with its deleted descendants. Blocks that were moved
/// away meanwhile stay where they are, and an instance is not restored without its source.
pub fn recover(kept: &RestoreInputs, wanted: &BTreeSet<BlockId>, stamp: &Stamp) -> Result<Rewind, NotInVersion> {
    let then: BTreeMap<_, _> = kept.then.iter().map(|block| (block.id, block)).collect();
    let unknown: Vec<_> = wanted.iter().filter(|id| !then.contains_key(id)).copied().collect();
    if !unknown.is_empty() {
        return Err(NotInVersion(unknown));
    }
    let mut page = RecoveredPage::of(&kept.now);
    let chosen = chosen(kept, wanted, &page);
    let order: Vec<_> = in_order(&kept.then).into_iter().filter(|block| chosen.contains(&block.id)).collect();
    let heights = heights(&order);
    let mut back = Rewind::default();
    for was in order {
        let inside = was.parent.filter(|parent| chosen.contains(parent));
        let Some(mut block) = kept.returning(was, stamp) else { continue };
        if inside.is_none() {
            (block.parent, block.position) = page.place(was, heights.get(&was.id).copied().unwrap_or(1));
        }
        if block.body.source().is_some_and(|source| page.stands_in(block.parent, source)) {
            continue;
        }
        page.add(&block);
        back.changes.push(Change::Insert { block: block.id, kind: block.kind() });
        back.returned.push(block);
    }
    Ok(back)
}

/// The blocks to restore.
fn chosen(kept: &RestoreInputs, wanted: &BTreeSet<BlockId>, page: &RecoveredPage) -> BTreeSet<BlockId> {
    let mut chosen = BTreeSet::new();
    for block in in_order(&kept.then) {
        let is_asked = wanted.contains(&block.id) || block.parent.is_some_and(|parent| chosen.contains(&parent));
        if is_asked && !page.kinds.contains_key(&block.id) {
            chosen.insert(block.id);
        }
    }
    let sourceless: Vec<_> = kept
        .then
        .iter()
        .filter(|block| {
            let stands = |source| {
                chosen.contains(&source) || page.kinds.contains_key(&source) || kept.sources_elsewhere.contains(&source)
            };
            block.body.source().is_some_and(|source| !stands(source))
        })
        .map(|block| block.id)
        .collect();
    for instance in sourceless {
        chosen.remove(&instance);
    }
    chosen
}

/// The number of levels from each block down. Parents come before their children.
fn heights(order: &[&Block]) -> BTreeMap<BlockId, usize> {
    let mut heights = BTreeMap::<BlockId, usize>::new();
    for block in order.iter().rev() {
        let own = *heights.entry(block.id).or_insert(1);
        if let Some(parent) = block.parent {
            let above = heights.entry(parent).or_insert(1);
            *above = (*above).max(own + 1);
        }
    }
    heights
}

/// The page while blocks are restored.
struct RecoveredPage {
    kinds: BTreeMap<BlockId, Kind>,
    parents: BTreeMap<BlockId, Option<BlockId>>,
    places: BTreeMap<Option<BlockId>, BTreeSet<Position>>,
}

impl RecoveredPage {
    fn of(blocks: &[Block]) -> Self {
        let mut page = Self { kinds: BTreeMap::new(), parents: BTreeMap::new(), places: BTreeMap::new() };
        for block in blocks {
            page.add(block);
        }
        page
    }

    fn add(&mut self, block: &Block) {
        self.kinds.insert(block.id, block.kind());
        self.parents.insert(block.id, block.parent);
        self.places.entry(block.parent).or_default().insert(block.position.clone());
    }

    /// The old place of a block if its parent exists, right after the block that has taken it; otherwise the end of the
    /// page.
    fn place(&self, was: &Block, height: usize) -> (Option<BlockId>, Position) {
        let there = BTreeSet::new();
        if self.takes(was, height) {
            let siblings = self.places.get(&was.parent).unwrap_or(&there);
            if !siblings.contains(&was.position) {
                return (was.parent, was.position.clone());
            }
            let next = siblings.iter().find(|position| **position > was.position);
            let behind = Position::between(Some(&was.position), next);
            return (was.parent, behind.unwrap_or_else(|| Position::after(siblings.last())));
        }
        (None, Position::after(self.places.get(&None).unwrap_or(&there).last()))
    }

    fn takes(&self, was: &Block, height: usize) -> bool {
        let Some(parent) = was.parent else { return true };
        let kind = self.kinds.get(&parent).copied();
        kind.is_some_and(|kind| was.kind().may_stand_in(Some(kind)))
            && self.above(Some(parent)).count() + height <= MAX_DEPTH
    }

    /// The ancestors of a place, from the inside out.
    fn above(&self, place: Option<BlockId>) -> impl Iterator<Item = BlockId> {
        std::iter::successors(place, |id| self.parents.get(id).copied().flatten())
    }

    fn stands_in(&self, place: Option<BlockId>, block: BlockId) -> bool {
        self.above(place).any(|id| id == block)
    }
}
