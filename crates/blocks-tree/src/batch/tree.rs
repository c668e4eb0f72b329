//! The shape of a page while a batch runs: what was known, and what has changed.

use super::nodes::{BlockNodes, within};
use crate::{block::BlockNode, kind::Kind};
use octavo_core_model::{id::BlockId, position::Position};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// The parent of a block; `None` is the page.
pub(super) type Parent = Option<BlockId>;

/// A block that has no place yet.
#[derive(Clone, Copy)]
pub(super) struct UnplacedBlock {
    pub(super) id: BlockId,
    pub(super) kind: Kind,
    pub(super) source: Option<BlockId>,
}

impl UnplacedBlock {
    pub(super) const fn at(self, parent: Parent, position: Position) -> BlockNode {
        let Self { id, kind, source } = self;
        BlockNode { id, parent, position, kind, source }
    }
}

/// Does not copy what is known, so that the cost of a batch does not depend on the size of the known page.
pub(super) struct Tree<'a> {
    known: &'a BlockNodes,
    /// Blocks that have changed; `None` for those that are gone.
    now: BTreeMap<BlockId, Option<BlockNode>>,
    /// Blocks that were moved to a parent. Some have been moved again since.
    came: BTreeSet<(Parent, BlockId)>,
}

impl<'a> Tree<'a> {
    pub(super) const fn new(known: &'a BlockNodes) -> Self {
        Self { known, now: BTreeMap::new(), came: BTreeSet::new() }
    }

    pub(super) fn get(&self, id: BlockId) -> Option<&BlockNode> {
        match self.now.get(&id) {
            Some(now) => now.as_ref(),
            None => self.known.get(id),
        }
    }

    pub(super) fn has(&self, id: BlockId) -> bool {
        self.get(id).is_some()
    }

    pub(super) fn kind(&self, id: BlockId) -> Option<Kind> {
        self.get(id).map(|node| node.kind)
    }

    /// The place of a block.
    pub(super) fn place(&self, id: BlockId) -> Option<(Parent, &Position)> {
        self.get(id).map(|node| (node.parent, &node.position))
    }

    /// Moves a block to its new place.
    pub(super) fn put(&mut self, node: BlockNode) {
        self.came.insert((node.parent, node.id));
        self.now.insert(node.id, Some(node));
    }

    pub(super) fn turn(&mut self, id: BlockId, kind: Kind) {
        if let Some(node) = self.get(id).cloned() {
            self.put(BlockNode { kind, ..node });
        }
    }

    pub(super) fn shift(&mut self, id: BlockId, position: Position) {
        if let Some(node) = self.get(id).cloned() {
            self.put(BlockNode { position, ..node });
        }
    }

    pub(super) fn remove(&mut self, id: BlockId) {
        self.now.insert(id, None);
    }

    pub(super) fn children(&self, parent: Parent) -> impl Iterator<Item = &BlockNode> {
        let stayed = self.known.below(parent).filter(|id| !self.now.contains_key(id));
        stayed.chain(within(&self.came, parent)).filter_map(|id| self.get(id)).filter(move |node| node.parent == parent)
    }

    /// The ancestors of a place, from the inside out.
    pub(super) fn above(&self, place: Parent) -> impl Iterator<Item = BlockId> {
        std::iter::successors(place, |id| self.get(*id)?.parent)
    }

    /// An instance, among a block and its descendants, that would end up inside its own source if the block were
    /// moved to this place.
    pub(super) fn instance_within(&self, id: BlockId, place: Parent) -> Option<BlockId> {
        let above = self.above(place).collect::<BTreeSet<_>>();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.get(id).and_then(|node| node.source).is_some_and(|source| above.contains(&source)) {
                return Some(id);
            }
            open.extend(self.children(Some(id)).map(|node| node.id));
        }
        None
    }

    /// The number of levels of a block's subtree.
    pub(super) fn height(&self, id: BlockId) -> usize {
        let (mut height, mut level) = (0, vec![id]);
        while !level.is_empty() {
            height += 1;
            level = level.iter().flat_map(|id| self.children(Some(*id))).map(|node| node.id).collect();
        }
        height
    }

    /// A block and everything below it, depth first.
    pub(super) fn subtree(&self, root: BlockId) -> Vec<BlockId> {
        let (mut found, mut open) = (Vec::new(), vec![root]);
        while let Some(id) = open.pop() {
            found.push(id);
            let mut below = self.children(Some(id)).collect::<Vec<_>>();
            below.sort_by_key(|node| Reverse((&node.position, node.id)));
            open.extend(below.into_iter().map(|node| node.id));
        }
        found
    }
}
