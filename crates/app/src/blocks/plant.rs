//! The content that a page is made with.

use super::{Writer, batch::plan, named, record::write_references};
use crate::{access::Entry, engine::AppResult, scope::Unit};
use octavo_blocks_tree::{
    Piece,
    batch::{Anchor, Insertion, Operation, Target},
};
use octavo_core_model::{
    Fault,
    fault::{BlockFlaw, Conflict},
    id::BlockId,
    page::{History, Page},
};
use octavo_permissions::Authority;

/// Puts blocks on a page that was made this moment. They are part of its first version and no event of their own.
pub(crate) async fn plant(
    unit: &mut Unit,
    entry: &Entry,
    authority: &Authority,
    page: &Page,
    pieces: Vec<Piece>,
) -> AppResult<()> {
    if pieces.is_empty() {
        return Ok(());
    }
    let writer = Writer { entry: entry.clone(), authority: authority.clone() };
    let operations = insertions(unit, pieces);
    // The page as it was before this, so that its blocks get the version that it has.
    let before = Page { version: page.version - 1, ..page.clone() };
    let (plan, known) = plan(unit, &writer, &before, &operations).await.map_err(without_numbers)?;
    named::require(unit, &writer, &plan, &known).await.map_err(without_numbers)?;
    if !unit.tx.insert_blocks(&plan.inserted).await? {
        return Err(Conflict::Taken("id").into());
    }
    let history = History { block_count: plan.inserted.len() as u64, ..History::default() };
    unit.tx.save_history(page.workspace, page.id, &history).await?;
    write_references(unit, page, &(&plan).into()).await
}

/// Nobody sent these operations, so their numbers say nothing.
fn without_numbers(stop: crate::engine::Stop) -> crate::engine::Stop {
    match stop {
        crate::engine::Stop::Fault(Fault::Blocks(flaws)) => {
            let plain = flaws.iter().cloned().map(|flaw| BlockFlaw { operation: None, ..flaw });
            Fault::Blocks(plain.collect()).into()
        }
        stop => stop,
    }
}

/// Each behind the one before it, and before what stands in it.
fn insertions(unit: &mut Unit, pieces: Vec<Piece>) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut open: Vec<_> = pieces.into_iter().rev().map(|piece| (piece, None)).collect();
    while let Some((piece, parent)) = open.pop() {
        let id = piece.id.unwrap_or_else(|| unit.id(BlockId::new));
        let target = Target { parent: Some(parent), anchor: Anchor::Last };
        operations.push(Operation::Insert(Insertion { id: Some(id), body: piece.body, target }));
        open.extend(piece.children.into_iter().rev().map(|child| (child, Some(id))));
    }
    operations
}
