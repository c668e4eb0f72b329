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

/// The data for restoring a version.
#[derive(Clone, Debug, Default)]
pub struct RestoreInputs {
    /// The present blocks of the page.
    pub now: Vec<Block>,
    /// The blocks in the version.
    pub then: Vec<Block>,
    /// The blocks of the version that are deleted now.
    pub gone: BTreeMap<BlockId, Block>,
    /// Existing blocks of other pages that are sources of instances in the version.
    pub sources_elsewhere: BTreeSet<BlockId>,
}

impl RestoreInputs {
    /// A deleted block after it is restored.
    fn returning(&self, then: &Block, stamp: &Stamp) -> Option<Block> {
        self.gone.get(&then.id).map(|gone| as_of(then, gone, stamp))
    }
}

/// A block after it is restored to its earlier state.
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
