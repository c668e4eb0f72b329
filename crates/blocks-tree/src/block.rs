//! A block at its place on a page.

use crate::{body::Body, kind::Kind};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
    time::Timestamp,
};

/// A block of a page, as the store keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its id, which no other block ever gets.
    pub id: BlockId,
    /// The workspace of its page.
    pub workspace: WorkspaceId,
    /// The page that contains it.
    pub page: PageId,
    /// The parent block; `None` at the top of the page.
    pub parent: Option<BlockId>,
    /// Its position among its siblings.
    pub position: Position,
    /// What it holds: its type, content and properties.
    pub body: Body,
    /// The number of requests that changed it.
    pub version: i64,
    /// The version of the page since which it has its present state.
    pub since: i64,
    /// Who created it; `None` once that account is deleted.
    pub created_by: Option<UserId>,
    /// Who changed it last; `None` once that account is deleted.
    pub updated_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// How it was deleted; `None` while it is on the page.
    pub deletion: Option<Deletion>,
}

/// How and when a block was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// When it was deleted.
    pub at: Timestamp,
    /// The block with which this one was deleted.
    pub root: BlockId,
}

/// A block, with the properties that affect the shape of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockNode {
    /// The id of the block.
    pub id: BlockId,
    /// The parent block; `None` at the top of the page.
    pub parent: Option<BlockId>,
    /// Its place among its siblings.
    pub position: Position,
    /// Its type, which decides what may be below it.
    pub kind: Kind,
    /// The source of an instance.
    pub source: Option<BlockId>,
}

impl Block {
    /// Its type.
    pub const fn kind(&self) -> Kind {
        self.body.kind()
    }

    /// The part of it that the shape of the tree depends on.
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
