//! Earlier versions of a page: what changed since, and how to restore the whole page or some of its blocks.

mod diff;
mod longest;
mod recover;
mod rewind;
#[cfg(test)]
mod tests;

pub use diff::{Diff, Moved, diff};
pub(crate) use longest::heaviest_row;
pub use recover::{NotInVersion, recover};
pub use rewind::{Rewind, rewind};

use crate::{batch::Stamp, block::Block};
use octavo_core_model::id::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// What going back rests on.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The blocks of the page as they are.
    pub now: Vec<Block>,
    /// As they were.
    pub then: Vec<Block>,
    /// The blocks of that version that are deleted now.
    pub gone: BTreeMap<BlockId, Block>,
    /// Blocks of other pages that instances of then show and that are there.
    pub sources_elsewhere: BTreeSet<BlockId>,
}

impl Kept {
    /// A deleted block as it comes back from its deletion.
    fn returning(&self, then: &Block, stamp: &Stamp) -> Option<Block> {
        self.gone.get(&then.id).map(|gone| as_of(then, gone, stamp))
    }
}

/// A block as it is once it is again what it was.
fn as_of(then: &Block, now: &Block, stamp: &Stamp) -> Block {
    Block {
        version: now.version + 1,
        since: stamp.page_version,
        updated_by: Some(stamp.by),
        updated_at: stamp.now,
        deletion: None,
        ..then.clone()
    }
}
