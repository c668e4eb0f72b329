//! The representation of a block.

use super::schema;
use crate::wire::{Documented, Json, Named, Writable, Written, reply};
use octavo_app::blocks::{Appearance, Branch, ShownBlock};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

reply! {
    /// A block of a page.
    pub(crate) BlockReply as schema::put_shown {
        /// The id of the block.
        id "id": required BlockId,
        /// Its page.
        page_id "pageId": required PageId,
        /// The workspace of the page.
        workspace_id "workspaceId": required WorkspaceId,
        /// The parent block; null at the top of the page.
        parent_id "parentId": nullable BlockId = null,
        /// One of the 30 types.
        kind "type": required &'static str = "paragraph",
        /// Its position among its siblings; keys are compared byte by byte.
        position "position": required Position,
        /// Its appearance; the keys depend on the type.
        properties "properties": required BlockProperties = { "align": "left" },
        /// Its content; the keys depend on the type. An instance has the content of its source, or an empty text if
        /// the reader may not see the source (`properties.sourceSynced` is false then).
        content "content": required BlockContent = { "text": "Ship it", "marks": [{ "type": "bold", "from": 0, "to": 4 }] },
        /// Whether it is an instance of another block.
        is_synced "isSynced": required bool = false,
        /// The source of an instance.
        synced_source_id "syncedSourceId": nullable BlockId = null,
        /// The user who created it.
        created_by "createdBy": nullable UserId,
        /// The user who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// The number of calls that changed it.
        version "version": required i64 = 1,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
        /// When it was deleted; only for deleted blocks.
        deleted_at "deletedAt": optional Timestamp,
        /// The blocks in it, in order; only in trees.
        children "children": optional Children,
    }
}

/// The content of a block. It is written from the block itself: as JSON it would need many times the memory.
#[derive(Clone, Debug)]
pub(crate) struct BlockContent(Arc<Appearance>);

/// The appearance of a block, written like its content.
#[derive(Clone, Debug)]
pub(crate) struct BlockProperties(Arc<Appearance>);

impl Writable for BlockContent {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.content_of_instance() {
            Some(content) => content.serialize(serializer),
            None => self.0.body.to_content().serialize(serializer),
        }
    }
}

impl Writable for BlockProperties {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.properties_of_instance() {
            Some(properties) => properties.serialize(serializer),
            None => self.0.body.properties().serialize(serializer),
        }
    }
}

impl Documented for BlockContent {
    fn schema() -> Value {
        Json::schema()
    }

    fn example() -> Value {
        Json::example()
    }
}

impl Documented for BlockProperties {
    fn schema() -> Value {
        Json::schema()
    }

    fn example() -> Value {
        Json::example()
    }
}

/// Blocks within a block.
#[derive(Clone, Debug)]
pub(crate) struct Children(Vec<BlockReply>);

impl Documented for Children {
    const IN_EXAMPLES: bool = true;

    fn schema() -> Value {
        json!({ "type": "array", "items": BlockReply::schema() })
    }

    fn example() -> Value {
        json!([])
    }

    /// The schema of the blocks is collected elsewhere.
    fn collect(_named: &mut Named) {}
}

impl Writable for Children {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Written))
    }
}

impl From<ShownBlock> for BlockReply {
    fn from(shown: ShownBlock) -> Self {
        let (block, source) = (&shown.block, shown.source());
        let (id, page_id, workspace_id, parent_id) = (block.id, block.page, block.workspace, block.parent);
        let (kind, position, version) = (block.kind().name(), block.position.clone(), block.version);
        let (created_by, created_at) = (block.created_by, block.created_at);
        let (updated_by, updated_at) = (block.updated_by, block.updated_at);
        let deleted_at = block.deletion.map(|deletion| deletion.at);
        let appearance = Arc::new(shown.into_appearance());
        Self {
            id,
            page_id,
            workspace_id,
            parent_id,
            kind,
            position,
            properties: BlockProperties(Arc::clone(&appearance)),
            content: BlockContent(appearance),
            is_synced: source.is_some(),
            synced_source_id: source,
            created_by,
            updated_by,
            version,
            created_at,
            updated_at,
            deleted_at,
            children: None,
        }
    }
}

impl From<Branch> for BlockReply {
    fn from(Branch { shown, children }: Branch) -> Self {
        let children = children.into_iter().map(Self::from).collect();
        Self { children: Some(Children(children)), ..shown.into() }
    }
}

impl BlockReply {
    /// Removes the authors, here and in the children.
    pub(crate) fn anonymous(self) -> Self {
        let children = self.children.map(|Children(list)| Children(list.into_iter().map(Self::anonymous).collect()));
        Self { created_by: None, updated_by: None, children, ..self }
    }
}

/// All blocks of branches, parents before children.
pub(crate) fn flat(branches: Vec<Branch>) -> Vec<BlockReply> {
    let mut shown = Vec::new();
    let mut open: Vec<_> = branches.into_iter().rev().collect();
    while let Some(Branch { shown: block, children }) = open.pop() {
        shown.push(BlockReply::from(block));
        open.extend(children.into_iter().rev());
    }
    shown
}
