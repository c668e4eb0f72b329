//! The positions of wanted blocks.

use crate::{batch::Stamp, block::Block, piece::Piece, versions::heaviest_row};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::BTreeMap;

/// The wanted blocks with their positions, parents before children. Existing blocks keep everything except body and
/// place.
pub(super) fn blocks_of(
    before: &BTreeMap<BlockId, Block>,
    wanted: Vec<Piece>,
    stamp: &Stamp,
    draw: &mut dyn FnMut() -> BlockId,
) -> Vec<Block> {
    let mut placed = Vec::new();
    let mut open = vec![(wanted, None)];
    while let Some((siblings, parent)) = open.pop() {
        let siblings: Vec<_> = siblings.into_iter().map(|piece| (piece.id.unwrap_or_else(&mut *draw), piece)).collect();
        let ids: Vec<_> = siblings.iter().map(|(id, _)| *id).collect();
        let positions = positions(before, &ids, parent);
        let mut inside = Vec::new();
        for ((id, piece), position) in siblings.into_iter().zip(positions) {
            let block = match before.get(&id) {
                Some(block) => Block { parent, position, body: piece.body, ..block.clone() },
                None => fresh(id, parent, position, piece.body, stamp),
            };
            placed.push(block);
            inside.push((piece.children, Some(id)));
        }
        open.extend(inside.into_iter().rev().filter(|(children, _)| !children.is_empty()));
    }
    crate::in_order(&placed).into_iter().cloned().collect()
}

fn fresh(id: BlockId, parent: Option<BlockId>, position: Position, body: crate::Body, stamp: &Stamp) -> Block {
    Block {
        id,
        workspace: stamp.workspace,
        page: stamp.page,
        parent,
        position,
        body,
        version: 1,
        since: stamp.page_version,
        created_by: Some(stamp.by),
        updated_by: Some(stamp.by),
        created_at: stamp.now,
        updated_at: stamp.now,
        deletion: None,
    }
}

/// A position for each sibling, in their order. As many as possible keep their present one.
fn positions(before: &BTreeMap<BlockId, Block>, ids: &[BlockId], parent: Option<BlockId>) -> Vec<Position> {
    let stood = |id: &BlockId| before.get(id).filter(|block| block.parent == parent).map(|block| &block.position);
    let there: Vec<_> = ids.iter().enumerate().filter_map(|(index, id)| Some((index, stood(id)?))).collect();
    let mut ranks: Vec<_> = there.iter().map(|(_, position)| *position).collect();
    ranks.sort();
    let row: Vec<_> = there.iter().map(|(_, position)| (ranks.partition_point(|rank| rank < position), 1)).collect();
    let stays = heaviest_row(&row);
    let mut fixed = vec![None; ids.len()];
    for ((index, position), stays) in there.into_iter().zip(stays) {
        fixed[index] = stays.then_some(position);
    }
    between(&fixed).unwrap_or_else(|| Position::spread(ids.len()).collect())
}

/// Fills the gaps between the positions that stay; `None` if there is no room.
fn between(fixed: &[Option<&Position>]) -> Option<Vec<Position>> {
    let mut found = Vec::with_capacity(fixed.len());
    let mut next = vec![None; fixed.len()];
    let mut ahead = None;
    for index in (0..fixed.len()).rev() {
        next[index] = ahead;
        ahead = fixed[index].or(ahead);
    }
    for (place, next) in fixed.iter().zip(next) {
        let position = match place {
            Some(position) => (*position).clone(),
            None => Position::between(found.last(), next)?,
        };
        found.push(position);
    }
    Some(found)
}
