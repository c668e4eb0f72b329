//! Blocks as a particular reader sees them.

use super::{
    memory::hold_shown,
    sources::{ChosenSources, Source},
};
use crate::{outcome::AppResult, scope::Scope};
use octavo_blocks_tree::{Block, Body, Kind, RichText, hang};
use octavo_core_model::id::{BlockId, PageId, WorkspaceId};
use octavo_permissions::Authority;
use octavo_ports::{compute::WorkOwner, store::Reads};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A block as a reader sees it: an instance has the content of its source if that is shown.
#[derive(Clone, Debug)]
pub struct ShownBlock {
    pub block: Block,
    /// The source of an instance, if the reader may see it and the answer has room for it.
    shows: Option<Arc<Source>>,
}

/// The content and the properties of a block as a reader sees them.
#[derive(Clone, Debug)]
pub struct Appearance {
    /// The block itself.
    pub body: Body,
    shows: Option<Arc<Source>>,
}

impl Appearance {
    /// The content of an instance as JSON, with that of its source; `None` for other blocks. It is made anew each time,
    /// because the JSON of all instances of a page could need far more memory than the page.
    pub fn content_of_instance(&self) -> Option<Map<String, Value>> {
        self.body.source()?;
        let mut content = self.body.content();
        let source = self.shows.as_ref().map_or_else(|| RichText::default().to_json(), |source| source.body.content());
        content.extend(source);
        Some(content)
    }

    /// The properties of an instance as JSON; `None` for other blocks.
    pub fn properties_of_instance(&self) -> Option<Map<String, Value>> {
        self.body.source()?;
        let mut properties = self.body.properties().to_json();
        properties.insert("sourceSynced".to_owned(), Value::Bool(self.shows.is_some()));
        Some(properties)
    }
}

/// A block with its subtree.
#[derive(Clone, Debug)]
pub struct Branch {
    pub shown: ShownBlock,
    pub children: Vec<Branch>,
}

impl AsRef<Block> for ShownBlock {
    fn as_ref(&self) -> &Block {
        &self.block
    }
}

impl ShownBlock {
    /// The source, if the block is an instance.
    pub fn source(&self) -> Option<BlockId> {
        self.block.body.source()
    }

    /// The content as the reader sees it: for an instance that of its source, or an empty text if the source is not
    /// shown.
    pub fn into_body(self) -> Body {
        match self.block.kind() {
            Kind::SyncedBlock => self.shows.map_or_else(|| Body::empty(Kind::Paragraph), |source| source.body.clone()),
            _ => self.block.body,
        }
    }

    /// The content as the reader sees it; for an instance whose source is not shown, only a name of that source.
    pub(super) fn seen(&self) -> &Body {
        self.shows.as_ref().map_or(&self.block.body, |source| &source.body)
    }

    /// How many bytes the source of an instance has, if it is shown.
    pub(super) fn bytes_of_source(&self) -> u64 {
        self.shows.as_ref().map_or(0, |source| source.bytes)
    }

    /// The content and the properties of the block, ready to be written.
    pub fn into_appearance(self) -> Appearance {
        Appearance { body: self.block.body, shows: self.shows }
    }
}

/// Resolves blocks of a page for a reader of that page, and holds memory for all that is shown. Up to six more
/// statements if instances show blocks that are not among these.
pub(crate) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    owner: WorkOwner,
    page: (WorkspaceId, PageId),
    blocks: Vec<Block>,
) -> AppResult<Vec<ShownBlock>> {
    let sources = ChosenSources::for_reader(scope, authority, page, &blocks).await?;
    hold_shown(&scope.call, owner, &blocks, sources.bytes())?;
    with_sources(scope, page.0, blocks, sources).await
}

pub(super) async fn one<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    block: Block,
) -> AppResult<ShownBlock> {
    let (owner, page) = (scope.call.work_owner(), (block.workspace, block.page));
    let shown = many(scope, authority, owner, page, vec![block]).await?.pop();
    shown.ok_or_else(|| octavo_core_model::Fault::Internal("a block was shown and is gone").into())
}

/// Resolves blocks with the sources that were chosen for them. Callers hold memory for these first. One statement; none
/// if all chosen sources are among the blocks.
pub(crate) async fn with_sources<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    blocks: Vec<Block>,
    sources: ChosenSources,
) -> AppResult<Vec<ShownBlock>> {
    let mut sources = sources.load(scope, workspace, &blocks).await?;
    let show = |block: Block| {
        let shows = sources.remove(&block.id);
        ShownBlock { block, shows }
    };
    Ok(blocks.into_iter().map(show).collect())
}

/// Builds the tree of blocks, each level in its order; `root` is the parent of the top level.
pub(crate) fn tree(blocks: Vec<ShownBlock>, root: Option<BlockId>) -> Vec<Branch> {
    hang(blocks, root, |shown, children| Branch { shown, children })
}
