//! Rows of blocks, of their earlier states, and of their references.

use crate::{
    schema::{block_references, block_states, blocks},
    stored::{Stored, StoredText},
};
use diesel::{
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
    sql_types::Text,
};
use octavo_blocks_tree::{Block, BlockNode, Body, Deletion, Kind, batch::Neighbours};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
};
use octavo_ports::blocks::{BlockLocation, PageReference, ReferenceKind};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The parent of a block: its page or another block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    Page(PageId),
    Block(BlockId),
}

impl Parent {
    pub fn new(page: PageId, block: Option<BlockId>) -> Self {
        block.map_or(Self::Page(page), Self::Block)
    }

    pub const fn block(self) -> Option<BlockId> {
        match self {
            Self::Page(_) => None,
            Self::Block(id) => Some(id),
        }
    }
}

impl StoredText for Parent {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Page(id) => id.to_string().into(),
            Self::Block(id) => id.to_string().into(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().map(Self::Page).or_else(|_| text.parse().map(Self::Block)).ok()
    }
}

impl StoredText for Kind {
    fn text(&self) -> Cow<'_, str> {
        self.name().into()
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

/// Type, content and properties in one text, because they are always written and read together.
impl StoredText for Body {
    fn text(&self) -> Cow<'_, str> {
        // Maps with text keys can always be serialized.
        serde_json::to_string(self).unwrap_or_default().into()
    }

    fn read(text: &str) -> Option<Self> {
        let (kind, content, properties): (String, Map<String, Value>, Map<String, Value>) =
            serde_json::from_str(text).ok()?;
        Some(Self::from_stored(Kind::parse(&kind)?, content, properties))
    }
}

impl StoredText for ReferenceKind {
    fn text(&self) -> Cow<'_, str> {
        self.name().into()
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = blocks, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, page_id, created_by, created_at))] // what saving leaves alone
pub struct BlockRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<BlockId>,
    page_id: Stored<PageId>,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    parent_id: Stored<Parent>,
    position: Stored<Position>,
    kind: Stored<Kind>,
    body: Stored<Body>,
    source_id: Option<Stored<BlockId>>,
    version: i64,
    since: i64,
    updated_by: Option<Stored<UserId>>,
    updated_at: i64,
    deleted_at: Option<i64>,
    deleted_with: Option<Stored<BlockId>>,
}

impl BlockRow {
    pub fn key(&self) -> (Stored<WorkspaceId>, Stored<BlockId>) {
        (self.workspace_id.clone(), self.id.clone())
    }
}

impl From<&Block> for BlockRow {
    fn from(block: &Block) -> Self {
        Self {
            workspace_id: Stored(block.workspace),
            id: Stored(block.id),
            page_id: Stored(block.page),
            created_by: block.created_by.map(Stored),
            created_at: block.created_at.millis(),
            parent_id: Stored(Parent::new(block.page, block.parent)),
            position: Stored(block.position.clone()),
            kind: Stored(block.kind()),
            source_id: block.body.source().map(Stored),
            body: Stored(block.body.clone()),
            version: block.version,
            since: block.since,
            updated_by: block.updated_by.map(Stored),
            updated_at: block.updated_at.millis(),
            deleted_at: block.deletion.map(|deletion| deletion.at.millis()),
            deleted_with: block.deletion.map(|deletion| Stored(deletion.root)),
        }
    }
}

impl From<BlockRow> for Block {
    fn from(row: BlockRow) -> Self {
        let deletion = row.deleted_at.zip(row.deleted_with);
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.page_id.0,
            parent: row.parent_id.0.block(),
            position: row.position.0,
            body: row.body.0,
            version: row.version,
            since: row.since,
            created_by: row.created_by.map(|user| user.0),
            updated_by: row.updated_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
            deletion: deletion.map(|(at, root)| Deletion { at: Timestamp::from_millis(at), root: root.0 }),
        }
    }
}

/// An earlier state of a block.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = block_states)]
pub struct BlockStateRow {
    workspace_id: Stored<WorkspaceId>,
    page_id: Stored<PageId>,
    block_id: Stored<BlockId>,
    since: i64,
    parent_id: Stored<Parent>,
    position: Stored<Position>,
    body: Stored<Body>,
    version: i64,
    created_by: Option<Stored<UserId>>,
    updated_by: Option<Stored<UserId>>,
    created_at: i64,
    updated_at: i64,
}

impl From<BlockStateRow> for Block {
    fn from(row: BlockStateRow) -> Self {
        Self {
            id: row.block_id.0,
            workspace: row.workspace_id.0,
            page: row.page_id.0,
            parent: row.parent_id.0.block(),
            position: row.position.0,
            body: row.body.0,
            version: row.version,
            since: row.since,
            created_by: row.created_by.map(|user| user.0),
            updated_by: row.updated_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
            deletion: None,
        }
    }
}

diesel::define_sql_function! {
    /// Returns how many bytes a text has. Both engines know that without reading the text.
    fn octet_length(text: Text) -> Integer;
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = blocks)]
pub struct BlockLocationRow {
    id: Stored<BlockId>,
    page_id: Stored<PageId>,
    source_id: Option<Stored<BlockId>>,
    #[diesel(select_expression = octet_length(blocks::body))]
    bytes: i32,
    deleted_at: Option<i64>,
}

impl From<BlockLocationRow> for BlockLocation {
    fn from(row: BlockLocationRow) -> Self {
        Self {
            id: row.id.0,
            page: row.page_id.0,
            source: row.source_id.map(|source| source.0),
            bytes: row.bytes.unsigned_abs().into(),
            is_deleted: row.deleted_at.is_some(),
        }
    }
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = blocks)]
pub struct BlockNodeRow {
    id: Stored<BlockId>,
    parent_id: Stored<Parent>,
    position: Stored<Position>,
    kind: Stored<Kind>,
    source_id: Option<Stored<BlockId>>,
}

impl From<BlockNodeRow> for BlockNode {
    fn from(row: BlockNodeRow) -> Self {
        Self {
            id: row.id.0,
            parent: row.parent_id.0.block(),
            position: row.position.0,
            kind: row.kind.0,
            source: row.source_id.map(|source| source.0),
        }
    }
}

#[derive(Debug, Queryable)]
pub struct NeighboursRow {
    id: Stored<BlockId>,
    previous: Option<Stored<Position>>,
    next: Option<Stored<Position>>,
    last_child: Option<Stored<Position>>,
}

impl From<NeighboursRow> for (BlockId, Neighbours) {
    fn from(row: NeighboursRow) -> Self {
        let position = |position: Option<Stored<Position>>| position.map(|position| position.0);
        let neighbours = Neighbours {
            previous: position(row.previous),
            next: position(row.next),
            last_child: position(row.last_child),
        };
        (row.id.0, neighbours)
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = block_references)]
pub struct ReferenceRow {
    workspace_id: Stored<WorkspaceId>,
    block_id: Stored<BlockId>,
    target_id: Stored<PageId>,
    kind: Stored<ReferenceKind>,
    page_id: Stored<PageId>,
    created_at: i64,
}

impl From<&PageReference> for ReferenceRow {
    fn from(reference: &PageReference) -> Self {
        Self {
            workspace_id: Stored(reference.workspace),
            block_id: Stored(reference.block),
            target_id: Stored(reference.target),
            kind: Stored(reference.kind),
            page_id: Stored(reference.page),
            created_at: reference.created_at.millis(),
        }
    }
}

impl From<ReferenceRow> for PageReference {
    fn from(row: ReferenceRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            block: row.block_id.0,
            page: row.page_id.0,
            target: row.target_id.0,
            kind: row.kind.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
