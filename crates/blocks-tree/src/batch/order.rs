//! The order of siblings while a batch runs.
//!
//! Usually only the positions next to the named blocks are known. That is enough: a new position between a block and
//! its old successor comes before everything after that, even if the successor is gone by then. If it is not enough,
//! all siblings are loaded.

use super::{
    Anchor, Known,
    tree::{Parent, Tree, UnplacedBlock},
};
use crate::block::BlockNode;
use octavo_core_model::{id::BlockId, position::Position};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound::{Excluded, Unbounded},
};

/// The positions on the page, as far as they are known.
pub(super) struct Order<'a> {
    known: &'a Known,
    pub(super) tree: Tree<'a>,
    /// Positions that were assigned in this batch.
    given: BTreeMap<Parent, BTreeSet<Position>>,
    /// The gap in which this batch has put a block; no other existing block is in that gap.
    gaps: BTreeMap<BlockId, Gap>,
    /// The blocks by position, for parents whose children are all known.
    whole: BTreeMap<Parent, BTreeMap<Position, BlockId>>,
}

type Gap = (Option<Position>, Option<Position>);

/// Why there is no position.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoPlace {
    Taken,
    /// All siblings must be known first.
    Siblings(Parent),
    /// There is no room between the neighbours, so the siblings must be given new positions first.
    SiblingsNeeded(Parent),
}

impl<'a> Order<'a> {
    pub(super) fn new(known: &'a Known) -> Self {
        let tree = Tree::new(&known.nodes);
        let all = |parent: Parent| tree.children(parent).map(|node| (node.position.clone(), node.id)).collect();
        let whole = known.whole.iter().map(|parent| (*parent, all(*parent))).collect();
        Self { known, tree, given: BTreeMap::new(), gaps: BTreeMap::new(), whole }
    }

    /// A block that this batch creates has no children yet.
    pub(super) fn open(&mut self, block: BlockId) {
        self.whole.insert(Some(block), BTreeMap::new());
    }

    /// Finds a position for a block and moves it there.
    pub(super) fn put(
        &mut self,
        rootless: UnplacedBlock,
        parent: Parent,
        anchor: &Anchor,
    ) -> Result<Position, NoPlace> {
        let block = rootless.id;
        let gap = match anchor {
            Anchor::At(position) => {
                if self.is_taken(parent, position, block) {
                    return Err(NoPlace::Taken);
                }
                self.gaps.remove(&block);
                self.place(rootless.at(parent, position.clone()));
                return Ok(position.clone());
            }
            Anchor::Last => (self.last(parent), None),
            Anchor::After(anchor) => {
                let here = self.tree.place(*anchor).map(|(_, position)| position.clone());
                (here, self.neighbour(*anchor, parent, true)?)
            }
            Anchor::Before(anchor) => {
                let here = self.tree.place(*anchor).map(|(_, position)| position.clone());
                (self.neighbour(*anchor, parent, false)?, here)
            }
        };
        // It is already there.
        if let Some((stands, position)) = self.tree.place(block)
            && stands == parent
            && [&gap.0, &gap.1].contains(&&Some(position.clone()))
        {
            return Ok(position.clone());
        }
        let Some(position) = Position::between(gap.0.as_ref(), gap.1.as_ref()) else {
            return Err(NoPlace::SiblingsNeeded(parent));
        };
        self.gaps.insert(block, gap);
        self.place(rootless.at(parent, position.clone()));
        Ok(position)
    }

    /// Gives all siblings short keys in their present order. Returns those whose key has changed.
    pub(super) fn spread(&mut self, parent: Parent) -> Result<Vec<(BlockId, Position)>, NoPlace> {
        let Some(siblings) = self.whole.get_mut(&parent) else { return Err(NoPlace::Siblings(parent)) };
        let blocks = std::mem::take(siblings).into_values();
        let moved: Vec<_> = blocks.zip(Position::spread(usize::MAX)).collect();
        siblings.extend(moved.iter().map(|(block, position)| (position.clone(), *block)));
        for (block, position) in &moved {
            self.tree.shift(*block, position.clone());
        }
        Ok(moved)
    }

    pub(super) fn remove(&mut self, block: BlockId) {
        if let Some((parent, position)) = self.tree.place(block)
            && let Some(siblings) = self.whole.get_mut(&parent)
        {
            siblings.remove(position);
        }
        self.tree.remove(block);
    }

    fn place(&mut self, node: BlockNode) {
        self.remove(node.id);
        self.given.entry(node.parent).or_default().insert(node.position.clone());
        if let Some(siblings) = self.whole.get_mut(&node.parent) {
            siblings.insert(node.position.clone(), node.id);
        }
        self.tree.put(node);
    }

    fn is_taken(&self, parent: Parent, position: &Position, by_another_than: BlockId) -> bool {
        if let Some(siblings) = self.whole.get(&parent) {
            return siblings.get(position).is_some_and(|block| *block != by_another_than);
        }
        self.tree.children(parent).any(|node| node.id != by_another_than && node.position == *position)
    }

    fn last(&self, parent: Parent) -> Option<Position> {
        if let Some(siblings) = self.whole.get(&parent) {
            return siblings.last_key_value().map(|(position, _)| position.clone());
        }
        let before = match parent {
            None => self.known.last.as_ref(),
            Some(parent) => self.known.neighbours.get(&parent).and_then(|neighbours| neighbours.last_child.as_ref()),
        };
        let given = self.given.get(&parent).and_then(BTreeSet::last);
        before.max(given).cloned()
    }

    /// The position next to a block, after or before it.
    fn neighbour(&self, block: BlockId, parent: Parent, behind: bool) -> Result<Option<Position>, NoPlace> {
        let Some((_, here)) = self.tree.place(block) else { return Err(NoPlace::Siblings(parent)) };
        if let Some(siblings) = self.whole.get(&parent) {
            let next = if behind {
                siblings.range((Excluded(here), Unbounded)).next()
            } else {
                siblings.range(..here).next_back()
            };
            return Ok(next.map(|(position, _)| position.clone()));
        }
        let (previous, next) = self.gap(block).ok_or(NoPlace::Siblings(parent))?;
        let given = self.given.get(&parent);
        Ok(if behind {
            let given = given.and_then(|given| given.range((Excluded(here), Unbounded)).next());
            [next, given].into_iter().flatten().min().cloned()
        } else {
            let given = given.and_then(|given| given.range(..here).next_back());
            previous.max(given).cloned()
        })
    }

    /// The existing positions between which a block is.
    fn gap(&self, block: BlockId) -> Option<(Option<&Position>, Option<&Position>)> {
        if let Some((previous, next)) = self.gaps.get(&block) {
            return Some((previous.as_ref(), next.as_ref()));
        }
        let (neighbours, (parent, position)) = (self.known.neighbours.get(&block)?, self.tree.place(block)?);
        // Neighbours that were loaded for its old place are useless at the new one.
        let named = self.known.named.get(&block)?;
        let is_still_there = named.parent == parent && named.position == *position;
        is_still_there.then_some((neighbours.previous.as_ref(), neighbours.next.as_ref()))
    }
}
