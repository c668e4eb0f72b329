//! Holds memory for the blocks that a call loaded and for the sources that their instances are about to show.

use crate::{Call, outcome::AppResult};
use octavo_blocks_tree::Block;
use octavo_ports::compute::WorkOwner;

/// Corrects how much memory the call holds, now that its blocks are known: perhaps only a part of the page was loaded,
/// and instances show blocks of other pages too. Callers hold memory for sources before they load them.
pub(crate) fn hold_shown<'a>(
    call: &Call,
    owner: WorkOwner,
    loaded: impl IntoIterator<Item = &'a Block>,
    bytes_of_sources: u64,
) -> AppResult<()> {
    // Counting takes time. The blocks of a small page are not counted, but what its instances show may be large.
    if call.content.is_counted() {
        return hold_counted(call, owner, loaded, bytes_of_sources);
    }
    call.content.hold(owner, bytes_of_sources)
}

/// Like [`hold_shown`], for blocks that the recorded size of the page may not include.
pub(super) fn hold_counted<'a>(
    call: &Call,
    owner: WorkOwner,
    loaded: impl IntoIterator<Item = &'a Block>,
    bytes_of_sources: u64,
) -> AppResult<()> {
    let bytes: u64 = loaded.into_iter().map(|block| block.body.bytes()).sum();
    call.content.hold(owner, bytes + bytes_of_sources)
}
