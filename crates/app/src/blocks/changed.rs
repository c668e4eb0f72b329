//! A change of the blocks of a page, as it is written.

use octavo_blocks_tree::{
    Block,
    batch::{Change, Plan, Removal},
};
use octavo_core_model::{
    id::BlockId,
    page::{ContentEffect, PageChange},
    position::Position,
};
use std::collections::BTreeSet;

/// The changes to write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed {
    pub(crate) inserted: Vec<Block>,
    /// Existing blocks in their new state.
    pub(crate) saved: Vec<Block>,
    /// Deleted blocks that are restored.
    pub(crate) returned: Vec<Block>,
    pub(crate) removed: Vec<Removal>,
    pub(crate) respread: Vec<(BlockId, Position)>,
    pub(crate) changes: Vec<Change>,
    /// Changes of the page itself when it is restored to an earlier version.
    pub(crate) restored: Option<PageChange>,
    /// Whether the change replaces the whole content, even if some blocks stay.
    pub(crate) replaces: bool,
}

impl From<&Plan> for Changed {
    fn from(plan: &Plan) -> Self {
        Self {
            inserted: plan.inserted.clone(),
            saved: plan.changed.clone(),
            removed: plan.removed.clone(),
            respread: plan.respread.clone(),
            changes: plan.changes.clone(),
            ..Self::default()
        }
    }
}

impl Changed {
    pub(super) fn is_empty(&self) -> bool {
        self.leaves_blocks() && self.restored.as_ref().is_none_or(|change| *change == PageChange::default())
    }

    pub(super) fn leaves_blocks(&self) -> bool {
        let written = [&self.inserted, &self.saved, &self.returned];
        written.iter().all(|blocks| blocks.is_empty()) && self.removed.is_empty() && self.respread.is_empty()
    }

    /// Whether it deletes blocks and changes nothing else.
    pub(super) fn only_removes(&self) -> bool {
        let written = [&self.inserted, &self.saved, &self.returned];
        let is_rest_empty = written.iter().all(|blocks| blocks.is_empty()) && self.respread.is_empty();
        is_rest_empty && !self.removed.is_empty() && self.restored.is_none()
    }

    pub(super) fn effect(&self) -> ContentEffect {
        let loses = !self.removed.is_empty() || self.restored.is_some() || self.replaces;
        if loses { ContentEffect::Loss } else { ContentEffect::Edit }
    }

    /// The blocks that this change created, changed or restored.
    pub(super) fn present_blocks(&self) -> impl Iterator<Item = &Block> {
        let removed: BTreeSet<_> = self.removed_blocks().collect();
        let written = self.inserted.iter().chain(&self.saved).chain(&self.returned);
        written.filter(move |block| !removed.contains(&block.id))
    }

    pub(super) fn removed_blocks(&self) -> impl Iterator<Item = BlockId> {
        self.removed.iter().flat_map(|removal| removal.blocks.iter().copied())
    }

    /// The blocks that this change alters. Restored blocks are not among them: the last version that is kept does not
    /// contain them.
    pub(super) fn touched(&self) -> Vec<BlockId> {
        let saved = self.saved.iter().map(|block| block.id);
        let respread = self.respread.iter().map(|(id, _)| *id);
        saved.chain(self.removed_blocks()).chain(respread).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// How many blocks are written, with those that only get another position.
    pub(super) fn written_blocks(&self) -> u64 {
        let written = [&self.inserted, &self.saved, &self.returned].map(Vec::len).iter().sum::<usize>();
        (written + self.respread.len() + self.removed_blocks().count()) as u64
    }

    /// The change in the number of blocks.
    pub(super) fn balance(&self) -> i64 {
        let removed = self.removed_blocks().count();
        let added = self.inserted.len() + self.returned.len();
        i64::try_from(added).unwrap_or(i64::MAX) - i64::try_from(removed).unwrap_or(i64::MAX)
    }
}
