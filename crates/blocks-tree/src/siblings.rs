//! Blocks in reading order.

use crate::block::Block;
use octavo_core_model::{Timestamp, id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

impl AsRef<Self> for Block {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Block {
    /// The key that orders siblings.
    pub const fn rank(&self) -> (&Position, Timestamp, BlockId) {
        (&self.position, self.created_at, self.id)
    }
}

/// Builds a tree of blocks with siblings in their order, from the innermost blocks outwards: `join` gets each block
/// with the results for its children. `root` is the parent of the top level.
pub fn hang<T: AsRef<Block>, B>(
    blocks: impl IntoIterator<Item = T>,
    root: Option<BlockId>,
    mut join: impl FnMut(T, Vec<B>) -> B,
) -> Vec<B> {
    let mut siblings = Siblings::of(blocks, |block| block.parent);
    grow(&mut siblings, root, &mut join)
}

/// Every block is visited once, so this terminates.
fn grow<T: AsRef<Block>, B>(
    siblings: &mut Siblings<T>,
    parent: Option<BlockId>,
    join: &mut impl FnMut(T, Vec<B>) -> B,
) -> Vec<B> {
    let level = siblings.take_children(parent);
    level
        .into_iter()
        .map(|block| {
            let children = grow(siblings, Some(block.as_ref().id), join);
            join(block, children)
        })
        .collect()
}

/// Depth first, siblings in order. Blocks whose parent is missing count as top-level.
pub fn in_order(blocks: &[Block]) -> Vec<&Block> {
    let there: BTreeSet<_> = blocks.iter().map(|block| block.id).collect();
    let mut siblings = Siblings::of(blocks, |block| block.parent.filter(|parent| there.contains(parent)));
    let mut found = Vec::with_capacity(blocks.len());
    let mut open = siblings.take_children(None);
    open.reverse();
    while let Some(block) = open.pop() {
        found.push(block);
        open.extend(siblings.take_children(Some(block.id)).into_iter().rev());
    }
    found
}

/// Blocks by parent.
struct Siblings<T>(BTreeMap<Option<BlockId>, Vec<T>>);

impl<T: AsRef<Block>> Siblings<T> {
    fn of(blocks: impl IntoIterator<Item = T>, parent: impl Fn(&Block) -> Option<BlockId>) -> Self {
        let mut by_parent = BTreeMap::<_, Vec<T>>::new();
        for block in blocks {
            by_parent.entry(parent(block.as_ref())).or_default().push(block);
        }
        Self(by_parent)
    }

    /// The children of one parent in their order, which are removed from here.
    fn take_children(&mut self, parent: Option<BlockId>) -> Vec<T> {
        let mut level = self.0.remove(&parent).unwrap_or_default();
        level.sort_by(|a, b| a.as_ref().rank().cmp(&b.as_ref().rank()));
        level
    }
}
