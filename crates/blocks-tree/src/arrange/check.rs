//! Checks whether wanted blocks are allowed at their places.

use super::is_instance;
use crate::{MAX_DEPTH, block::Block, kind::Kind, reference::Reference};
use octavo_core_model::{
    fault::{BlockProblem, Issue, Violation},
    id::BlockId,
};
use std::collections::{BTreeMap, BTreeSet};

/// References and sources that are new.
pub(super) struct Checked {
    pub(super) named: BTreeSet<Reference>,
    pub(super) sources: BTreeSet<BlockId>,
}

impl Checked {
    /// Refuses the first block that is not allowed at its place. Parents come before their children.
    pub(super) fn of(
        then: &[Block],
        before: &BTreeMap<BlockId, Block>,
        elsewhere: &BTreeSet<BlockId>,
    ) -> Result<Self, BlockProblem> {
        let by_id: BTreeMap<_, _> = then.iter().map(|block| (block.id, block)).collect();
        let mut depths = BTreeMap::new();
        let mut checked = Self { named: BTreeSet::new(), sources: BTreeSet::new() };
        for block in then {
            let parent = block.parent.and_then(|parent| by_id.get(&parent));
            if !block.kind().may_stand_in(parent.map(|parent| parent.kind())) {
                return Err(BlockProblem::InvalidNesting { block: block.id, parent: block.parent });
            }
            let depth = 1 + block.parent.and_then(|parent| depths.get(&parent)).copied().unwrap_or(0);
            if depth > MAX_DEPTH {
                return Err(BlockProblem::MaxDepth(block.id));
            }
            depths.insert(block.id, depth);
            let was = before.get(&block.id);
            let old = was.map(|was| was.body.references()).unwrap_or_default();
            checked.named.extend(block.body.references().difference(&old));
            if is_instance(&block.body) && was.is_none_or(|was| was.body != block.body) {
                checked.sources.extend(source(block, &by_id, elsewhere)?);
            }
            // An unchanged instance can also end up inside its own source.
            if block.body.source().is_some_and(|source| stands_in(block, source, &by_id)) {
                return Err(BlockProblem::SyncCycle(block.id));
            }
        }
        Ok(checked)
    }
}

/// The source of a new instance, if it is on another page.
fn source(
    instance: &Block,
    here: &BTreeMap<BlockId, &Block>,
    elsewhere: &BTreeSet<BlockId>,
) -> Result<Option<BlockId>, BlockProblem> {
    let Some(source) = instance.body.source() else {
        return Err(BlockProblem::Invalid(Violation::new("content.sourceBlockId", Issue::Required)));
    };
    let Some(shown) = here.get(&source) else {
        let is_there = elsewhere.contains(&source);
        return if is_there { Ok(Some(source)) } else { Err(BlockProblem::Missing("content.sourceBlockId")) };
    };
    if shown.kind() == Kind::SyncedBlock {
        return Err(BlockProblem::SyncCycle(instance.id));
    }
    Ok(None)
}

fn stands_in(block: &Block, other: BlockId, here: &BTreeMap<BlockId, &Block>) -> bool {
    std::iter::successors(block.parent, |id| here.get(id)?.parent).any(|above| above == other)
}
