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
use std::collections::{BTreeMap, BTreeSet};

/// A block as a reader sees it: an instance has the content of its source if the reader may see the source.
#[derive(Clone, Debug)]
pub struct ShownBlock {
    pub block: Block,
    /// The content and appearance that an instance shows in place of its own.
    mirror: Option<(Map<String, Value>, Map<String, Value>)>,
    /// The content of an instance's source, if the reader may see it.
    shows: Option<Body>,
}

/// The content and the appearance of a block as a reader sees them.
#[derive(Clone, Debug)]
pub enum Appearance {
    /// The block shows itself.
    Own(Body),
    /// It shows another one.
    Mirrored { content: Map<String, Value>, properties: Map<String, Value> },
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
            Kind::SyncedBlock => self.shows.unwrap_or_else(|| Body::empty(Kind::Paragraph)),
            _ => self.block.body,
        }
    }

    /// How many bytes the source of an instance has, if the reader sees it.
    pub(super) fn bytes_of_source(&self) -> u64 {
        self.shows.as_ref().map_or(0, Body::bytes)
    }

    /// The content and the appearance of the block, ready to be written.
    pub fn into_appearance(self) -> Appearance {
        match self.mirror {
            Some((content, properties)) => Appearance::Mirrored { content, properties },
            None => Appearance::Own(self.block.body),
        }
    }
}

/// How many sources are loaded by one statement, so that not many more are loaded than may be shown.
const SOURCES_AT_ONCE: usize = 128;

/// The sources of instances. Sources among `blocks` are taken from there; no statement if there are no others. Loads
/// no more of them than the instances may show.
async fn sources<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    blocks: &[Block],
) -> AppResult<BTreeMap<BlockId, Block>> {
    let ids: BTreeSet<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
    let mut found: Vec<_> = blocks.iter().filter(|block| ids.contains(&block.id)).cloned().collect();
    let here: BTreeSet<_> = found.iter().map(|block| block.id).collect();
    let others: Vec<_> = ids.difference(&here).copied().collect();
    let mut bytes = 0;
    for some in others.chunks(SOURCES_AT_ONCE) {
        let loaded = scope.tx.blocks().find(workspace, some).await?;
        bytes += loaded.iter().map(|block| block.body.bytes()).sum::<u64>();
        found.extend(loaded);
        if bytes > MAX_MIRRORED_BYTES {
            break;
        }
    }
    Ok(found.into_iter().filter(|block| block.deletion.is_none()).map(|block| (block.id, block)).collect())
}

/// Resolves blocks of a page for a reader of that page. Up to five more statements if instances show blocks of other
/// pages.
pub(crate) async fn many<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    page: (WorkspaceId, PageId),
    blocks: Vec<Block>,
) -> AppResult<Vec<ShownBlock>> {
    let sources = sources(scope, page.0, &blocks).await?;
    let elsewhere: BTreeSet<_> = sources.values().map(|block| block.page).filter(|id| *id != page.1).collect();
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
fn mirrored(blocks: Vec<Block>, sources: &BTreeMap<BlockId, Block>, visible: &BTreeSet<PageId>) -> Vec<ShownBlock> {
    let mut mirrored_bytes = 0;
    let mut fits = |source: &Block| {
        mirrored_bytes += source.body.bytes();
        mirrored_bytes <= MAX_MIRRORED_BYTES
    };
    let show = |block: Block| {
        let seen = block.body.source().and_then(|id| sources.get(&id));
        let seen =
            seen.filter(|source| visible.contains(&source.page) && fits(source)).map(|source| source.body.clone());
        let mirror = block.body.source().map(|_| {
            let (mut content, mut properties) = block.body.clone().into_json();
            content.extend(seen.as_ref().map_or_else(|| RichText::default().to_json(), Body::content));
            properties.insert("sourceSynced".to_owned(), Value::Bool(seen.is_some()));
            (content, properties)
        });
        ShownBlock { block, mirror, shows: seen }
    };
    blocks.into_iter().map(show).collect()
}

/// Builds the tree of blocks, each level in its order; `root` is the parent of the top level.
pub(crate) fn tree(blocks: Vec<ShownBlock>, root: Option<BlockId>) -> Vec<Branch> {
    hang(blocks, root, |shown, children| Branch { shown, children })
}
