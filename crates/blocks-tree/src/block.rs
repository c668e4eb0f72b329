//! A block at its place on a page.

use crate::{body::Body, kind::Kind};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
    time::Timestamp,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub id: BlockId,
    pub workspace: WorkspaceId,
    pub page: PageId,
    /// The parent block; `None` at the top of the page.
    pub parent: Option<BlockId>,
    /// Its position among its siblings.
    pub position: Position,
    pub body: Body,
    /// The number of requests that changed it.
    pub version: i64,
    /// The version of the page since which it has its present state.
    pub since: i64,
    pub created_by: Option<UserId>,
    pub updated_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub deletion: Option<Deletion>,
}

/// How and when a block was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    pub at: Timestamp,
    /// The block with which this one was deleted.
    pub root: BlockId,
}

/// A block, with the properties that affect the shape of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockNode {
    pub id: BlockId,
    pub parent: Option<BlockId>,
    pub position: Position,
    pub kind: Kind,
    /// The source of an instance.
    pub source: Option<BlockId>,
}

impl Block {
    pub const fn kind(&self) -> Kind {
        self.body.kind()
    }

    pub fn node(&self) -> BlockNode {
        BlockNode {
            id: self.id,
            parent: self.parent,
            position: self.position.clone(),
            kind: self.kind(),
            source: self.body.source(),
        }
    }
}
