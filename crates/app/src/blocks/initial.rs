//! The content that a page is created with.

use super::{
    Changed, Writer,
    markdown::{refused_block, write_arrangement},
    mentions,
    record::write_references,
    size,
};
use crate::{access::WorkspaceCaller, outcome::AppResult, scope::Unit, write_budget::WrittenSize};
use octavo_blocks_tree::Piece;
use octavo_core_model::{
    event::blocks::BlockMention,
    fault::{BlockProblem, Conflict},
    id::{BlockId, WorkspaceId},
    page::{History, Page},
};
use octavo_permissions::Authority;
use std::collections::BTreeSet;

/// Adds blocks to a page that this unit has just created, and returns whom they mention. They belong to its first version
/// and cause no event of their own.
pub(crate) async fn initial(
    unit: &mut Unit,
    caller: &WorkspaceCaller,
    authority: &Authority,
    page: &Page,
    pieces: Vec<Piece>,
) -> AppResult<Vec<BlockMention>> {
    if pieces.is_empty() {
        return Ok(Vec::new());
    }
    refuse_taken(unit, page.workspace, &pieces).await?;
    let writer = Writer { caller: caller.clone(), authority: authority.clone() };
    // The state before the creation, so that the blocks get the version that the page has.
    let before = Page { version: page.version - 1, ..page.clone() };
    let inserted = write_arrangement(unit, &writer, &before, Vec::new(), pieces).await?.inserted;
    let mut history = History::of_new(page);
    size::fill(&mut history, &inserted)?;
    unit.count_written(WrittenSize::of_blocks(history.block_count, history.bytes_at_most))?;
    if !unit.tx.blocks().insert(&inserted).await? {
        return Err(Conflict::Taken("id").into());
    }
    unit.tx.histories().save(page.workspace, page.id, &history).await?;
    let mentions = mentions::in_new(&inserted);
    write_references(unit, page, &Changed { inserted, ..Changed::default() }).await?;
    Ok(mentions)
}

/// Refuses ids that a block already has or that are sent twice. No statement if no ids are sent.
async fn refuse_taken(unit: &mut Unit, workspace: WorkspaceId, pieces: &[Piece]) -> AppResult<()> {
    let taken = |id| refused_block(BlockProblem::Taken(id));
    let (mut sent, mut open) = (BTreeSet::<BlockId>::new(), pieces.iter().collect::<Vec<_>>());
    while let Some(piece) = open.pop() {
        if let Some(twice) = piece.id.filter(|id| !sent.insert(*id)) {
            return Err(taken(twice).into());
        }
        open.extend(&piece.children);
    }
    if sent.is_empty() {
        return Ok(());
    }
    let sent: Vec<_> = sent.into_iter().collect();
    let there = unit.tx.blocks().list_locations(workspace, &sent).await?;
    there.first().map_or(Ok(()), |block| Err(taken(block.id).into()))
}
