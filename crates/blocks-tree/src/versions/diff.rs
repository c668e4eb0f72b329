//! The differences between two states of a page.

use super::longest::heaviest_row;
use crate::{block::Block, siblings::in_order};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

/// The differences, in reading order. A block can be both changed and moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Blocks that are only in the later state.
    pub added: Vec<Block>,
    /// Blocks that are only in the earlier state.
    pub removed: Vec<Block>,
    /// Blocks with different content, before and after.
    pub changed: Vec<(Block, Block)>,
    /// Blocks that have another parent, or another place among their siblings.
    pub moved: Vec<Moved>,
}

/// A block that was moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The block that moved.
    pub block: BlockId,
    /// Its parent and place in the earlier state; the parent is `None` at the top of the page.
    pub from: (Option<BlockId>, Position),
    /// Its parent and place in the later state.
    pub to: (Option<BlockId>, Position),
}

type Pair<'a> = (&'a Block, &'a Block);

/// Compares two states of a page.
pub fn diff(before: &[Block], after: &[Block]) -> Diff {
    let old: BTreeMap<_, _> = before.iter().map(|block| (block.id, block)).collect();
    let new: BTreeSet<_> = after.iter().map(|block| block.id).collect();
    let (mut pairs, mut added) = (Vec::new(), Vec::new());
    for block in in_order(after) {
        match old.get(&block.id) {
            Some(was) => pairs.push((*was, block)),
            None => added.push(block.clone()),
        }
    }
    let removed = in_order(before).into_iter().filter(|block| !new.contains(&block.id)).cloned().collect();
    let changed = pairs.iter().filter(|(was, is)| was.body != is.body);
    let elsewhere = find_moved(&pairs);
    let moved = pairs.iter().filter(|(_, is)| elsewhere.contains(&is.id)).map(|(was, is)| Moved {
        block: is.id,
        from: (was.parent, was.position.clone()),
        to: (is.parent, is.position.clone()),
    });
    Diff {
        added,
        removed,
        changed: changed.map(|(was, is)| ((*was).clone(), (*is).clone())).collect(),
        moved: moved.collect(),
    }
}

/// Finds the blocks that were moved.
fn find_moved(pairs: &[Pair<'_>]) -> BTreeSet<BlockId> {
    let (mut found, mut families) = (BTreeSet::new(), BTreeMap::<_, Vec<Pair<'_>>>::new());
    for (was, is) in pairs {
        if was.parent == is.parent {
            families.entry(is.parent).or_default().push((*was, *is));
        } else {
            found.insert(is.id);
        }
    }
    for siblings in families.values() {
        if siblings.iter().any(|pair| only_got_another_key(*pair)) {
            // Old and new keys cannot be compared, so the order decides.
            found.extend(out_of_order(siblings));
        } else {
            found.extend(siblings.iter().filter(|(was, is)| was.position != is.position).map(|(_, is)| is.id));
        }
    }
    found
}

/// Making room between siblings gives them other keys, which does not count as a change.
fn only_got_another_key((was, is): Pair<'_>) -> bool {
    was.version == is.version && was.position != is.position
}

/// Siblings whose relative order has changed: as few as possible, and none that nobody touched.
fn out_of_order(siblings: &[Pair<'_>]) -> Vec<BlockId> {
    let mut after: Vec<_> = siblings.iter().map(|(_, is)| *is).collect();
    after.sort_by(|a, b| a.rank().cmp(&b.rank()));
    let places: BTreeMap<_, _> = after.iter().enumerate().map(|(index, block)| (block.id, index)).collect();
    let mut before = siblings.to_vec();
    before.sort_by(|(a, _), (b, _)| a.rank().cmp(&b.rank()));
    let untouched = siblings.len() as u64 + 1;
    let weigh = |(was, is): &Pair<'_>| (places[&is.id], if was.version == is.version { untouched } else { 1 });
    let stays = heaviest_row(&before.iter().map(weigh).collect::<Vec<_>>());
    before.iter().zip(stays).filter(|(_, stays)| !stays).map(|((_, is), _)| is.id).collect()
}
