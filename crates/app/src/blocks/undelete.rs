//! Restoring a deleted block.

use super::{
    Changed, ExpectedVersions, ShownBlock, Writer, enter, markdown::refused_block, named::SOURCE, record,
    require_changeable, shown,
};
use crate::{
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_blocks_tree::{Block, MAX_DEPTH, batch::Change};
use octavo_core_model::{
    Fault,
    fault::{BlockProblem, Conflict},
    id::BlockId,
    page::Page,
    position::Position,
    version::Expected,
};
use std::collections::{BTreeMap, BTreeSet};

/// Restores a deleted block and the blocks that were deleted with it, to their old place, or to the end of the page
/// if that is gone. A block that is not deleted stays as it is.
pub async fn undelete(
    unit: &mut Unit,
    id: Draft<BlockId>,
    rest: Draft<ExpectedVersions>,
) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let Some((block, seen)) = writer.open_block(unit, &id, true).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let ExpectedVersions { base, version } = rest?;
    let mut page = seen.page;
    base.unwrap_or(Expected::Any).check(page.version).map_err(Conflict::StaleBase)?;
    version.unwrap_or(Expected::Any).check(block.version)?;
    if let Some(deletion) = block.deletion {
        require_changeable(&page)?;
        let id = block.id;
        restore(unit, &writer, &mut page, block, deletion.root).await?;
        let now = unit.tx.blocks().find(page.workspace, &[id]).await?.pop().ok_or(Fault::NotFound)?;
        return Ok((shown::one(unit, &writer.authority, now).await?, page.version));
    }
    Ok((shown::one(unit, &writer.authority, block).await?, page.version))
}

/// Restores a block that was deleted with `with`. Only the blocks of that deletion are loaded: together they were on the
/// page, so they are at most as many as a page may hold. `with` may have been deleted before, with other blocks.
async fn restore(unit: &mut Unit, writer: &Writer, page: &mut Page, root: Block, with: BlockId) -> AppResult<()> {
    let since = root.since;
    let bytes = unit.tx.blocks().count_bytes_deleted_with(page.workspace, page.id, with, since).await?;
    unit.expect_content(0, bytes)?;
    unit.call.content.hold(unit.call.work_owner(), bytes)?;
    let deleted = unit.tx.blocks().list_deleted_with(page.workspace, page.id, with, since).await?;
    let back = along_with(root, deleted);
    let mut back = without_orphans(unit, page, back).await?;
    let Some(root) = back.first().cloned() else { return Ok(()) };
    if let Some(source) = root.body.source() {
        let source = unit.tx.blocks().list_locations(page.workspace, &[source]).await?.pop();
        if source.is_none_or(|source| source.is_deleted) {
            return Err(refused_block(BlockProblem::Missing(SOURCE)).into());
        }
    }
    let (parent, position) = place(unit, page, &back, &root).await?;
    let by = writer.caller.author();
    for block in &mut back {
        block.deletion = None;
        block.version += 1;
        block.since = page.version + 1;
        (block.updated_by, block.updated_at) = (Some(by), unit.call.now);
    }
    if let Some(root) = back.first_mut() {
        (root.parent, root.position) = (parent, position);
    }
    let changes = vec![Change::Insert { block: root.id, kind: root.kind() }];
    record(unit, &writer.caller, page, Changed { returned: back, changes, ..Changed::default() }).await
}

/// The block and those below it among the blocks of its deletion, the block first.
fn along_with(root: Block, deleted: Vec<Block>) -> Vec<Block> {
    let mut inside = BTreeSet::from([root.id]);
    let mut waiting: Vec<_> = deleted.into_iter().filter(|block| block.id != root.id).collect();
    let mut back = vec![root];
    // From the top down: a block whose parent is not restored stays deleted.
    loop {
        let (next, rest): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|block| block.parent.is_some_and(|parent| inside.contains(&parent)));
        if next.is_empty() {
            return back;
        }
        inside.extend(next.iter().map(|block| block.id));
        back.extend(next);
        waiting = rest;
    }
}

/// Leaves out instances whose sources are gone; the block itself stays.
async fn without_orphans(unit: &mut Unit, page: &Page, back: Vec<Block>) -> AppResult<Vec<Block>> {
    let sources: BTreeSet<_> = back.iter().skip(1).filter_map(|block| block.body.source()).collect();
    if sources.is_empty() {
        return Ok(back);
    }
    let mut there: BTreeSet<_> = back.iter().map(|block| block.id).collect();
    let found = unit.tx.blocks().list_locations(page.workspace, &Vec::from_iter(sources)).await?;
    there.extend(found.into_iter().filter(|source| !source.is_deleted).map(|source| source.id));
    let root = back.first().map(|block| block.id);
    let stays =
        |block: &Block| Some(block.id) == root || block.body.source().is_none_or(|source| there.contains(&source));
    Ok(back.into_iter().filter(stays).collect())
}

/// How many levels these connected blocks span.
fn height(back: &[Block]) -> usize {
    let mut depths = BTreeMap::<BlockId, usize>::new();
    // Parents come before their children.
    for block in back {
        let above = block.parent.and_then(|parent| depths.get(&parent)).copied().unwrap_or(0);
        depths.insert(block.id, above + 1);
    }
    depths.into_values().max().unwrap_or(0)
}

/// The old parent, if it still exists and has room for the block.
async fn parent_of(unit: &mut Unit, page: &Page, back: &[Block]) -> AppResult<Option<BlockId>> {
    let Some(root) = back.first() else { return Ok(None) };
    let Some(parent) = root.parent else { return Ok(None) };
    let above = unit.tx.blocks().list_nodes_above(page.workspace, &[parent]).await?;
    let takes_it = above.iter().any(|node| node.id == parent && root.kind().may_stand_in(Some(node.kind)));
    let shows_it = root.body.source().is_some_and(|source| above.iter().any(|node| node.id == source));
    let has_room = above.len() + height(back) <= MAX_DEPTH;
    Ok(Some(parent).filter(|_| takes_it && !shows_it && has_room))
}

/// The old place if it still exists and is free, otherwise the end.
async fn place(unit: &mut Unit, page: &Page, back: &[Block], root: &Block) -> AppResult<(Option<BlockId>, Position)> {
    let parent = parent_of(unit, page, back).await?;
    let siblings = unit.tx.blocks().list_sibling_nodes(page.workspace, page.id, parent).await?;
    let is_free = siblings.iter().all(|sibling| sibling.position != root.position);
    if parent == root.parent && is_free {
        return Ok((parent, root.position.clone()));
    }
    if parent == root.parent {
        // Right after the block that now has that place.
        let next = siblings.iter().map(|sibling| &sibling.position).find(|position| **position > root.position);
        if let Some(position) = Position::between(Some(&root.position), next) {
            return Ok((parent, position));
        }
    }
    Ok((parent, Position::after(siblings.last().map(|sibling| &sibling.position))))
}
