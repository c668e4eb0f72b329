//! What is known of a page before its blocks are changed.

use crate::block::{Block, Stem};
use octavo_core_model::{id::BlockId, position::Position};
use std::collections::BTreeMap;

/// The part of a page's tree that a batch touches.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Every block that the batch names, wherever it stands and whether it is deleted or not.
    pub named: BTreeMap<BlockId, Block>,
    /// The blocks of the page that stand above the named ones, and those below the ones whose subtree was asked for. None is deleted.
    pub stems: Vec<Stem>,
    /// What stands next to and in the named blocks of the page.
    pub edges: BTreeMap<BlockId, Edges>,
    /// The last place at the top of the page.
    pub last: Option<Position>,
    /// Who stands at the places that are asked for by their key.
    pub taken: Vec<Stem>,
    /// All siblings, where [`super::Stop::Siblings`] asked for them.
    pub siblings: BTreeMap<Option<BlockId>, Vec<Stem>>,
}

/// The places nearest to a block's own, and the last one in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    pub previous: Option<Position>,
    pub next: Option<Position>,
    pub last_child: Option<Position>,
}
