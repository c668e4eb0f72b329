//! The shape of a page, indexed by block and by parent.

use crate::block::Stem;
use octavo_core_model::id::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks of a page that are there. One that is put in twice counts as it was put in last.
#[derive(Clone, Debug, Default)]
pub struct Stems {
    by_id: BTreeMap<BlockId, Stem>,
    below: BTreeSet<(Option<BlockId>, BlockId)>,
}

impl Stems {
    pub fn get(&self, id: BlockId) -> Option<&Stem> {
        self.by_id.get(&id)
    }

    pub fn insert(&mut self, stem: Stem) {
        let (id, parent) = (stem.id, stem.parent);
        if let Some(before) = self.by_id.insert(id, stem) {
            self.below.remove(&(before.parent, id));
        }
        self.below.insert((parent, id));
    }

    pub fn remove(&mut self, id: BlockId) {
        if let Some(before) = self.by_id.remove(&id) {
            self.below.remove(&(before.parent, id));
        }
    }

    /// The loaded children of a block or of the page, in no particular order.
    pub fn below(&self, parent: Option<BlockId>) -> impl Iterator<Item = BlockId> {
        within(&self.below, parent)
    }
}

pub(super) fn within(
    below: &BTreeSet<(Option<BlockId>, BlockId)>,
    parent: Option<BlockId>,
) -> impl Iterator<Item = BlockId> {
    below.range((parent, BlockId::LOWEST)..).take_while(move |(stands_in, _)| *stands_in == parent).map(|(_, id)| *id)
}

impl Extend<Stem> for Stems {
    fn extend<T: IntoIterator<Item = Stem>>(&mut self, stems: T) {
        stems.into_iter().for_each(|stem| self.insert(stem));
    }
}

impl FromIterator<Stem> for Stems {
    fn from_iter<T: IntoIterator<Item = Stem>>(stems: T) -> Self {
        let by_id = stems.into_iter().map(|stem| (stem.id, stem)).collect::<BTreeMap<_, _>>();
        let below = by_id.values().map(|stem| (stem.parent, stem.id)).collect();
        Self { by_id, below }
    }
}
