//! The size of a page and its limit.

use super::Changed;
use crate::{outcome::AppResult, scope::Unit};
use octavo_blocks_tree::{Block, Piece};
use octavo_core_model::{
    fault::{PageLimit, Unprocessable},
    page::{History, MAX_BLOCKS, MAX_BYTES, Page},
};

/// Refuses blocks if they exceed the limits of a page, and records their number and size as the size of the whole
/// page.
pub(super) fn fill(history: &mut History, blocks: &[Block]) -> Result<(), Unprocessable> {
    (history.block_count, history.bytes_at_most) = (blocks.len() as u64, bytes_of(blocks));
    check_blocks(history)?;
    check_bytes(history.bytes_at_most)
}

/// Adjusts the recorded size of a page, and refuses a change that makes the page exceed its limits. The change is
/// already written: if there might be too many bytes, which is rare, they are counted in the store. Until then
/// deleted bytes are not subtracted.
pub(super) async fn grow(unit: &mut Unit, page: &Page, history: &mut History, changed: &Changed) -> AppResult<()> {
    let (balance, added) = (changed.balance(), bytes_of(changed.present_blocks()));
    history.block_count = history.block_count.saturating_add_signed(balance);
    if balance > 0 {
        check_blocks(history)?;
    }
    history.bytes_at_most = history.bytes_at_most.saturating_add(added);
    if added > 0 && history.bytes_at_most > MAX_BYTES {
        history.bytes_at_most = unit.tx.blocks().count_bytes(page.workspace, &[page.id]).await?;
        check_bytes(history.bytes_at_most)?;
    }
    Ok(())
}

/// The size of blocks that are not saved yet.
pub(crate) fn bytes_of_pieces(pieces: &[Piece]) -> u64 {
    sum_over(pieces, |piece| piece.body.bytes())
}

/// The number of blocks that are not saved yet.
pub(crate) fn count_of_pieces(pieces: &[Piece]) -> u64 {
    sum_over(pieces, |_| 1)
}

fn sum_over(pieces: &[Piece], of_each: impl Fn(&Piece) -> u64) -> u64 {
    let (mut sum, mut open) = (0, vec![pieces]);
    while let Some(siblings) = open.pop() {
        for piece in siblings {
            sum += of_each(piece);
            open.push(&piece.children);
        }
    }
    sum
}

/// The size of blocks as JSON.
pub(super) fn bytes_of<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> u64 {
    blocks.into_iter().map(|block| block.body.bytes()).sum()
}

const fn check_blocks(history: &History) -> Result<(), Unprocessable> {
    if history.block_count > MAX_BLOCKS as u64 { Err(Unprocessable::PageTooLarge(PageLimit::Blocks)) } else { Ok(()) }
}

const fn check_bytes(bytes: u64) -> Result<(), Unprocessable> {
    if bytes > MAX_BYTES { Err(Unprocessable::PageTooLarge(PageLimit::Bytes)) } else { Ok(()) }
}
