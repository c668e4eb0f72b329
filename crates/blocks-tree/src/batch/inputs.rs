//! What must be loaded for a batch.

use super::{Anchor, Operation, Target};
use crate::kind::Kind;
use octavo_core_model::{id::BlockId, position::Position};
use std::{borrow::Borrow, collections::BTreeSet};

/// The things that operations name, as far as they must be loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchInputs {
    /// The blocks that operations change or name as places.
    pub blocks: BTreeSet<BlockId>,
    /// The ids of new blocks. Needed without content: such a block exists only if the id is taken.
    pub made: BTreeSet<BlockId>,
    /// Sources of new instances. Needed without content.
    pub sources: BTreeSet<BlockId>,
    /// Blocks whose descendants are needed: they are moved, deleted, or get a type that restricts its children.
    pub subtrees: BTreeSet<BlockId>,
    /// Blocks whose deletion includes their instances.
    pub deleted: BTreeSet<BlockId>,
    /// Positions that operations ask for by their key.
    pub positions: BTreeSet<Position>,
}

impl BatchInputs {
    /// Lists what these operations name.
    pub fn by<O: Borrow<Operation>>(operations: &[O]) -> Self {
        let mut asked = Self::default();
        for operation in operations {
            match operation.borrow() {
                Operation::Insert(insertion) => {
                    asked.sources.extend(insertion.body.source());
                    // A block that is yet to be created has no children.
                    if !insertion.target.parent.flatten().is_some_and(|parent| asked.made.contains(&parent)) {
                        asked.target(&insertion.target);
                    }
                    asked.made.extend(insertion.id);
                }
                Operation::Update { block, patch, .. } => {
                    asked.blocks.insert(*block);
                    if matches!(patch.kind, Some(Kind::Column | Kind::ColumnList)) {
                        asked.subtrees.insert(*block);
                    }
                    if let Some(target) = patch.target() {
                        asked.subtrees.insert(*block);
                        asked.target(&target);
                    }
                }
                Operation::Delete { block, .. } => {
                    asked.blocks.insert(*block);
                    asked.subtrees.insert(*block);
                    asked.deleted.insert(*block);
                }
                Operation::Move { block, target, .. } => {
                    asked.blocks.insert(*block);
                    asked.subtrees.insert(*block);
                    asked.target(target);
                }
            }
        }
        asked
    }

    fn target(&mut self, target: &Target) {
        self.blocks.extend(target.names());
        if let Anchor::At(position) = &target.anchor {
            self.positions.insert(position.clone());
        }
    }
}
