//! Restoring a whole page to a version.

use super::{RestoreInputs, as_of, diff::diff};
use crate::{
    batch::{Change, Removal, Stamp},
    block::Block,
    siblings::in_order,
};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

/// Everything to be written. If it is empty, nothing differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rewind {
    /// Deleted blocks to restore.
    pub returned: Vec<Block>,
    /// Blocks whose content or place is restored.
    pub saved: Vec<Block>,
    /// Blocks that the version does not contain.
    pub removed: Vec<Removal>,
    /// Blocks that only get their old key back.
    pub respread: Vec<(BlockId, Position)>,
    /// What happens to the blocks, as events report it.
    pub changes: Vec<Change>,
}

impl Rewind {
    /// The restored blocks, in their order.
    pub fn restored(&self, then: &[Block]) -> Vec<BlockId> {
        let written: BTreeSet<_> = self.returned.iter().chain(&self.saved).map(|block| block.id).collect();
        in_order(then).into_iter().map(|block| block.id).filter(|id| written.contains(id)).collect()
    }
}

/// Restores all blocks, except instances whose source is gone.
pub fn rewind(kept: &RestoreInputs, stamp: &Stamp) -> Rewind {
    let then = kept.showable();
    let now: BTreeMap<_, _> = kept.now.iter().map(|block| (block.id, block)).collect();
    let found = diff(&kept.now, &then);
    let returned: Vec<_> = found.added.iter().filter_map(|block| kept.returning(block, stamp)).collect();
    let removed = removals(&found.removed);
    let mut changes: Vec<_> = removed
        .iter()
        .filter_map(|removal| now.get(&removal.root))
        .map(|block| Change::Delete { block: block.id, kind: block.kind() })
        .collect();
    changes.extend(returned.iter().map(|block| Change::Insert { block: block.id, kind: block.kind() }));
    changes.extend(found.changed.iter().map(|(_, then)| Change::Update { block: then.id, kind: then.kind() }));
    let mut touched: BTreeSet<_> = found.changed.iter().map(|(_, then)| then.id).collect();
    let kinds: BTreeMap<_, _> = then.iter().map(|block| (block.id, block.kind())).collect();
    for moved in found.moved {
        let Some(kind) = kinds.get(&moved.block).copied() else { continue };
        touched.insert(moved.block);
        changes.push(Change::Move { block: moved.block, kind, from: moved.from, to: moved.to });
    }
    let (mut saved, mut respread) = (Vec::new(), Vec::new());
    for block in &then {
        let Some(is) = now.get(&block.id) else { continue };
        if touched.contains(&block.id) {
            saved.push(as_of(block, is, stamp));
        } else if is.position != block.position {
            respread.push((block.id, block.position.clone()));
        }
    }
    Rewind { returned, saved, removed, respread, changes }
}

impl RestoreInputs {
    /// The blocks of the version that can exist again: an instance is not restored without its source. An existing
    /// instance whose source was deleted together with a whole page stays as it is.
    fn showable(&self) -> Vec<Block> {
        let then: BTreeSet<_> = self.then.iter().map(|block| block.id).collect();
        let now: BTreeMap<_, _> = self.now.iter().map(|block| (block.id, block)).collect();
        let outlives = |block: &Block, source: BlockId| {
            let is_there = now.get(&block.id).is_some_and(|now| now.body.source() == Some(source));
            is_there && !now.contains_key(&source)
        };
        let stands = |block: &&Block| {
            block.body.source().is_none_or(|source| {
                then.contains(&source) || self.sources_elsewhere.contains(&source) || outlives(block, source)
            })
        };
        self.then.iter().filter(stands).cloned().collect()
    }
}

/// The blocks to remove, each with its removed descendants, in reading order.
fn removals(gone: &[Block]) -> Vec<Removal> {
    let mut removals = Vec::<Removal>::new();
    let mut within = BTreeMap::new();
    for block in gone {
        let index = block.parent.and_then(|parent| within.get(&parent).copied());
        let index = index.unwrap_or_else(|| {
            removals.push(Removal { root: block.id, blocks: Vec::new() });
            removals.len() - 1
        });
        within.insert(block.id, index);
        if let Some(removal) = removals.get_mut(index) {
            removal.blocks.push(block.id);
        }
    }
    removals
}
