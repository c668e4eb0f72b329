//! Copying a block and its subtree.

use super::{Changed, batch::single, check::plan, copy::MAX_COPIED, enter, record, require_changeable};
use crate::{
    outcome::{AppResult, Draft},
    page_memory::hold_page,
    scope::Unit,
};
use octavo_blocks_tree::{
    Block,
    batch::{Anchor, Insertion, Operation, Target},
};
use octavo_core_model::{Fault, fault::Unprocessable, id::BlockId, position::Position, version::Expected};
use std::collections::BTreeMap;

/// Where to put the copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockDuplication {
    /// The new parent; by default that of the original.
    pub parent: Option<BlockId>,
    pub after: Option<BlockId>,
    /// The version of the block that the call is based on.
    pub expected: Option<Expected>,
}

/// The result of a duplication.
#[derive(Clone, Debug)]
pub struct DuplicatedBlocks {
    /// The copy of the block itself.
    pub root: BlockId,
    /// All copies, parents before children.
    pub blocks: Vec<BlockId>,
}

/// Copies a block to the place right after the original, or to the place that the caller asks for.
pub async fn duplicate(
    unit: &mut Unit,
    id: Draft<BlockId>,
    draft: Draft<BlockDuplication>,
) -> AppResult<DuplicatedBlocks> {
    let writer = enter(unit).await?;
    let Some((block, seen)) = writer.open_block(unit, &id, false).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let wanted = draft?;
    wanted.expected.unwrap_or(Expected::Any).check(block.version)?;
    let mut page = seen.page;
    require_changeable(&page)?;
    hold_page(unit, unit.call.work_owner(), &page).await?;
    let below = unit.tx.blocks().list_below(page.workspace, page.id, &[block.id], false).await?;
    require_few(&below)?;
    unit.expect_content(below.len() as u64, 0)?;
    let target = match (wanted.parent, wanted.after) {
        (None, None) => Target { parent: None, anchor: Anchor::After(block.id) },
        (parent, Some(after)) => Target { parent: parent.map(Some), anchor: Anchor::After(after) },
        (Some(parent), None) => Target { parent: Some(Some(parent)), anchor: Anchor::Last },
    };
    let (operations, ids) = copies(unit, block, below, target);
    // The caller could read what the copies mention, so only the sources of instances are checked again.
    let plan = plan(unit, &writer, &page, &operations).await.map_err(single)?;
    record(unit, &writer.caller, &mut page, Changed::from(&plan)).await?;
    let root = ids.first().copied().ok_or(Fault::Internal("a copy has no root"))?;
    Ok(DuplicatedBlocks { root, blocks: ids })
}

/// The limit for one block is the same as for whole pages.
fn require_few(below: &[Block]) -> Result<(), Unprocessable> {
    if below.len() < MAX_COPIED as usize { Ok(()) } else { Err(Unprocessable::TooLarge) }
}

/// Insertions of all copies, parents before children, and the ids of the copies in the order of the page. If an
/// instance's source is copied too, the new instance shows the copy.
fn copies(unit: &mut Unit, root: Block, below: Vec<Block>, target: Target) -> (Vec<Operation>, Vec<BlockId>) {
    let ids: BTreeMap<_, _> = std::iter::once(root.id)
        .chain(below.iter().map(|block| block.id))
        .map(|id| (id, unit.id(BlockId::new)))
        .collect();
    let mut by_parent = BTreeMap::<Option<BlockId>, Vec<Block>>::new();
    for block in below {
        by_parent.entry(block.parent).or_default().push(block);
    }
    let mut operations = Vec::new();
    let mut open = vec![(root, target)];
    while let Some((block, target)) = open.pop() {
        let id = ids.get(&block.id).copied();
        let body = block.body.showing(&ids);
        operations.push(Operation::Insert(Insertion { id, body, target }));
        let mut children = by_parent.remove(&Some(block.id)).unwrap_or_default();
        children.sort_by(|a, b| a.position.cmp(&b.position));
        // New position keys keep the order, in whichever order the copies are inserted.
        let mut last = None;
        let mut inside = Vec::with_capacity(children.len());
        for child in children {
            let position = Position::after(last.as_ref());
            inside.push((child, Target { parent: Some(id), anchor: Anchor::At(position.clone()) }));
            last = Some(position);
        }
        open.extend(inside.into_iter().rev());
    }
    let order = operations.iter().filter_map(made).collect();
    // A source must be inserted before its instances.
    operations.sort_by_key(
        |operation| matches!(operation, Operation::Insert(insertion) if insertion.body.source().is_some()),
    );
    (operations, order)
}

const fn made(operation: &Operation) -> Option<BlockId> {
    match operation {
        Operation::Insert(insertion) => insertion.id,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::copy::tests::blocks, *};

    #[test]
    fn a_block_with_too_much_in_it_is_not_duplicated() {
        assert_eq!(require_few(&blocks(MAX_COPIED - 1)), Ok(()));
        assert_eq!(require_few(&blocks(MAX_COPIED)), Err(Unprocessable::TooLarge));
    }
}
