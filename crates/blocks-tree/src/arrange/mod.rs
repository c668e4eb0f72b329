//! Turning a page into a wanted state: which blocks are created, changed, moved and removed.

mod check;
mod places;
#[cfg(test)]
mod tests;

use crate::{
    batch::{Change, Removal, Stamp},
    block::Block,
    body::Body,
    piece::Piece,
    reference::Reference,
    siblings::hang,
    versions::{RestoreInputs, rewind},
};
use check::Checked;
use octavo_core_model::{fault::BlockProblem, id::BlockId, position::Position};
use std::collections::{BTreeMap, BTreeSet};

/// Everything to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// Blocks that were not there.
    pub inserted: Vec<Block>,
    /// Blocks that were, as they are now.
    pub saved: Vec<Block>,
    /// Blocks to delete, with everything below them.
    pub removed: Vec<Removal>,
    /// Blocks that only got another key at the place they have.
    pub respread: Vec<(BlockId, Position)>,
    /// What happened, as events report it.
    pub changes: Vec<Change>,
    /// All blocks of the page in the wanted state, in reading order.
    pub blocks: Vec<BlockId>,
    /// New references.
    pub named: BTreeSet<Reference>,
    /// Blocks of other pages that become sources.
    pub sources: BTreeSet<BlockId>,
}

/// Computes how to turn blocks into the wanted ones. Pieces with the id of a block of the page are that block; others
/// are new. `sources` are the blocks of other pages that instances may show. Positions are kept as far as the order
/// allows.
pub fn arrange(
    now: Vec<Block>,
    wanted: Vec<Piece>,
    sources: &BTreeSet<BlockId>,
    stamp: &Stamp,
    draw: &mut dyn FnMut() -> BlockId,
) -> Result<Arrangement, BlockProblem> {
    let before: BTreeMap<_, _> = now.iter().map(|block| (block.id, block.clone())).collect();
    let then = places::blocks_of(&before, wanted, stamp, draw);
    let checked = Checked::of(&then, &before, sources)?;
    let mut blocks: Vec<_> = then.iter().map(|block| block.id).collect();
    let inserted: Vec<_> = then.iter().filter(|block| !before.contains_key(&block.id)).cloned().collect();
    let kept = RestoreInputs { now, then, sources_elsewhere: sources.clone(), ..RestoreInputs::default() };
    let back = rewind(&kept, stamp);
    // An instance is deleted with its source, even if it was wanted.
    let gone: BTreeSet<_> = back.removed.iter().flat_map(|removal| removal.blocks.iter().copied()).collect();
    blocks.retain(|block| !gone.contains(block));
    let mut changes: Vec<_> =
        inserted.iter().map(|block| Change::Insert { block: block.id, kind: block.kind() }).collect();
    changes.extend(back.changes);
    let Checked { named, sources } = checked;
    Ok(Arrangement {
        inserted,
        saved: back.saved,
        removed: back.removed,
        respread: back.respread,
        changes,
        blocks,
        named,
        sources,
    })
}

/// The blocks of a page as pieces with their ids, in their order.
pub fn pieces_of(blocks: &[Block]) -> Vec<Piece> {
    hang(blocks, None, |block, children| Piece { id: Some(block.id), body: block.body.clone(), children })
}

fn is_instance(body: &Body) -> bool {
    body.kind() == crate::Kind::SyncedBlock
}
