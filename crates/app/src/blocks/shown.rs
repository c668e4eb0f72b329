//! Blocks as a particular reader sees them.

use crate::{outcome::AppResult, page_access::visibility::Visibility, scope::Scope};
use octavo_blocks_tree::{Block, Body, Kind, RichText, hang};
use octavo_core_model::{
    Level,
    id::{BlockId, PageId, WorkspaceId},
    page::MAX_BYTES,
};
use octavo_permissions::Authority;
use octavo_ports::store::Reads;
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A block as a reader sees it: an instance has the content of its source if the reader may see the source.
#[derive(Clone, Debug)]
pub struct ShownBlock {
    pub block: Block,
    /// The source of an instance, if the reader may see it.
    shows: Option<Arc<Source>>,
}

/// A source of instances, which share it.
#[derive(Debug)]
struct Source {
    page: PageId,
    body: Body,
    bytes: u64,
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

    /// The content as the reader sees it: for an instance that of its source, or an empty text if they may not see
    /// the source.
    pub fn into_body(self) -> Body {
        match self.block.kind() {
            Kind::SyncedBlock => self.shows.map_or_else(|| Body::empty(Kind::Paragraph), |source| source.body.clone()),
            _ => self.block.body,
        }
    }

    /// How many bytes the source of an instance has, if the reader sees it.
    pub(super) fn bytes_of_source(&self) -> u64 {
        self.shows.as_ref().map_or(0, |source| source.bytes)
    }

    /// The content and the properties of the block, ready to be written.
    pub fn into_appearance(self) -> Appearance {
        Appearance { body: self.block.body, shows: self.shows }
    }
}

/// How many sources are loaded by one statement, so that not many more are loaded than may be shown.
const SOURCES_AT_ONCE: usize = 128;

/// The sources of instances. Sources among `blocks` are taken from there; no statement if there are no others. Loading
/// stops once the loaded sources have more bytes than instances may show.
async fn sources<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    blocks: &[Block],
) -> AppResult<BTreeMap<BlockId, Arc<Source>>> {
    let ids: BTreeSet<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
    let here: BTreeSet<_> = blocks.iter().map(|block| block.id).filter(|id| ids.contains(id)).collect();
    let present = |block: &Block| block.deletion.is_none();
    let mut sources: BTreeMap<_, _> =
        blocks.iter().filter(|block| here.contains(&block.id) && present(block)).cloned().map(source).collect();
    let others: Vec<_> = ids.difference(&here).copied().collect();
    let mut bytes = 0;
    for some in others.chunks(SOURCES_AT_ONCE) {
        let loaded = scope.tx.blocks().find(workspace, some).await?;
        let loaded: Vec<_> = loaded.into_iter().filter(present).map(source).collect();
        bytes += loaded.iter().map(|(_, source)| source.bytes).sum::<u64>();
        sources.extend(loaded);
        if bytes > MAX_MIRRORED_BYTES {
            break;
        }
    }
    Ok(sources)
}

fn source(block: Block) -> (BlockId, Arc<Source>) {
    let Block { id, page, body, .. } = block;
    let bytes = body.bytes();
    (id, Arc::new(Source { page, body, bytes }))
}

/// Resolves blocks of a page for a reader of that page. Up to four more statements if instances show blocks of other
/// pages, and one for every 128 of those blocks.
pub(crate) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    page: (WorkspaceId, PageId),
    blocks: Vec<Block>,
) -> AppResult<Vec<ShownBlock>> {
    let sources = sources(scope, page.0, &blocks).await?;
    let elsewhere: BTreeSet<_> = sources.values().map(|source| source.page).filter(|id| *id != page.1).collect();
    let mut visible = BTreeSet::from([page.1]);
    if !elsewhere.is_empty() {
        let mut visibility = Visibility::of(page.0, authority);
        let ids: Vec<_> = elsewhere.into_iter().collect();
        let found = scope.tx.pages().list_by_id(page.0, &ids).await?;
        visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
        let seen = found.into_iter().filter(|page| {
            let needed = if page.trash.is_some() { Level::Edit } else { Level::View };
            visibility.level(page.access) >= needed
        });
        visible.extend(seen.map(|page| page.id));
    }
    Ok(mirrored(blocks, &sources, &visible))
}

pub(super) async fn one<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    block: Block,
) -> AppResult<ShownBlock> {
    let page = (block.workspace, block.page);
    let shown = many(scope, authority, page, vec![block]).await?.pop();
    shown.ok_or_else(|| octavo_core_model::Fault::Internal("a block was shown and is gone").into())
}

/// Resolves blocks of a page for a reader who may see only these pages.
pub(crate) async fn within<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    blocks: Vec<Block>,
    visible: &BTreeSet<PageId>,
) -> AppResult<Vec<ShownBlock>> {
    let sources = sources(scope, workspace, &blocks).await?;
    Ok(mirrored(blocks, &sources, visible))
}

/// How many bytes of other blocks the instances in one answer show: as many as a page may hold. An instance is small
/// and its source may be large, so without a limit a page of many instances of one long block would be shown as
/// gigabytes.
const MAX_MIRRORED_BYTES: u64 = MAX_BYTES;

/// Instances that would exceed the limit are shown like those whose source cannot be seen.
fn mirrored(
    blocks: Vec<Block>,
    sources: &BTreeMap<BlockId, Arc<Source>>,
    visible: &BTreeSet<PageId>,
) -> Vec<ShownBlock> {
    let mut mirrored_bytes = 0;
    let mut fits = |source: &Source| {
        mirrored_bytes += source.bytes;
        mirrored_bytes <= MAX_MIRRORED_BYTES
    };
    let show = |block: Block| {
        let source = block.body.source().and_then(|id| sources.get(&id));
        let shows = source.filter(|source| visible.contains(&source.page) && fits(source)).cloned();
        ShownBlock { block, shows }
    };
    blocks.into_iter().map(show).collect()
}

/// Builds the tree of blocks, each level in its order; `root` is the parent of the top level.
pub(crate) fn tree(blocks: Vec<ShownBlock>, root: Option<BlockId>) -> Vec<Branch> {
    hang(blocks, root, |shown, children| Branch { shown, children })
}
