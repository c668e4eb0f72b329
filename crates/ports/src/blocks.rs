//! The content of pages, its earlier versions, and its references.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_blocks_tree::{Block, BlockNode, batch::Neighbours};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, PageId, PageVersionId, UserId, WorkspaceId},
    page::{History, Node, PageVersion, VersionKind},
    position::Position,
};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// The block after which a list of siblings continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMark {
    pub position: Position,
    pub created_at: Timestamp,
    pub id: BlockId,
    /// The version of the block when the list ended with it. If it is unchanged, the block was not moved.
    pub version: i64,
}

impl BlockMark {
    pub fn of(block: &Block) -> Self {
        let Block { position, created_at, id, version, .. } = block;
        Self { position: position.clone(), created_at: *created_at, id: *id, version: *version }
    }
}

impl fmt::Display for BlockMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.id, self.created_at.millis(), self.version, self.position)
    }
}

/// The text is not a valid mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMark;

impl FromStr for BlockMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let mut parts = text.splitn(4, ' ');
        let mut part = || parts.next().ok_or(InvalidMark);
        let id = part()?.parse().map_err(|_| InvalidMark)?;
        let created_at = part()?.parse().map(Timestamp::from_millis).map_err(|_| InvalidMark)?;
        let version = part()?.parse().map_err(|_| InvalidMark)?;
        let position = Position::parse_taken(part()?).map_err(|_| InvalidMark)?;
        Ok(Self { position, created_at, id, version })
    }
}

/// A block without its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLocation {
    pub id: BlockId,
    /// The page that contains the block, or contained it before it was deleted.
    pub page: PageId,
    /// The source, if the block is an instance.
    pub source: Option<BlockId>,
    /// How many bytes its stored body has.
    pub bytes: u64,
    pub is_deleted: bool,
}

/// Where to look for the instances of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstancePages {
    All,
    Only(PageId),
    AllExcept(PageId),
}

/// The blocks of one parent, in order.
#[derive(Clone, Debug)]
pub struct SiblingFilter {
    pub page: PageId,
    pub parent: Option<BlockId>,
    pub after: Option<BlockMark>,
    pub with_deleted: bool,
    pub limit: u32,
}

/// How many blocks there are, and how many bytes their stored bodies have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockTotals {
    pub blocks: u64,
    pub bytes: u64,
}

/// A deletion of many blocks at once.
#[derive(Clone, Copy, Debug)]
pub struct BlockRemoval<'a> {
    pub workspace: WorkspaceId,
    /// The block whose deletion includes the others; `None` if each is deleted on its own.
    pub root: Option<BlockId>,
    pub blocks: &'a [BlockId],
    pub page_version: i64,
    pub by: UserId,
    pub now: Timestamp,
}

/// The way in which a block refers to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    Mention,
    Link,
    Pointer,
    Synced,
}

impl ReferenceKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mention => "mention",
            Self::Link => "link",
            Self::Pointer => "pointer",
            Self::Synced => "synced",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Mention, Self::Link, Self::Pointer, Self::Synced].into_iter().find(|kind| kind.name() == name)
    }
}

/// A reference from a block to a page or to something on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReference {
    pub workspace: WorkspaceId,
    pub block: BlockId,
    /// The page that contains the block.
    pub page: PageId,
    pub target: PageId,
    pub kind: ReferenceKind,
    pub created_at: Timestamp,
}

/// The reference after which a list of references to a page continues. One block may refer to a page in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceMark {
    pub created_at: Timestamp,
    pub block: BlockId,
    pub kind: ReferenceKind,
}

impl From<&PageReference> for ReferenceMark {
    fn from(reference: &PageReference) -> Self {
        Self { created_at: reference.created_at, block: reference.block, kind: reference.kind }
    }
}

impl fmt::Display for ReferenceMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.block, self.kind.name(), self.created_at.millis())
    }
}

impl FromStr for ReferenceMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next().ok_or(InvalidMark);
        let block = part()?.parse().map_err(|_| InvalidMark)?;
        let kind = ReferenceKind::parse(part()?).ok_or(InvalidMark)?;
        let created_at = part()?.parse().map(Timestamp::from_millis).map_err(|_| InvalidMark)?;
        Ok(Self { created_at, block, kind })
    }
}

#[async_trait]
pub trait BlockReads: Send {
    /// The blocks with these ids that exist, deleted or not, in no particular order.
    async fn find(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<Block>>;

    /// The pages and sizes of the blocks with these ids that exist, deleted or not, in no particular order. Does not
    /// load their bodies.
    async fn list_locations(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockLocation>>;

    /// The children of one parent in their order.
    async fn list_siblings(&mut self, workspace: WorkspaceId, filter: &SiblingFilter) -> StoreResult<Vec<Block>>;

    /// All blocks below these, in no particular order. One statement at any depth.
    async fn list_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
        with_deleted: bool,
    ) -> StoreResult<Vec<Block>>;

    /// The totals of the blocks that [`Self::list_siblings`] returns and of all blocks below them, deleted or not as the
    /// filter says. Stops at this many blocks below. Two statements at any depth.
    async fn measure_siblings(
        &mut self,
        workspace: WorkspaceId,
        filter: &SiblingFilter,
        most_below: u32,
    ) -> StoreResult<BlockTotals>;

    /// The blocks of a page that were deleted with `root` at this version of the page, and are still deleted: `root` and
    /// those below it, in no particular order. Together they were on the page, so they fit into one.
    async fn list_deleted_with(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        root: BlockId,
        since: i64,
    ) -> StoreResult<Vec<Block>>;

    /// How many bytes the stored bodies of the blocks have that [`Self::list_deleted_with`] returns.
    async fn count_bytes_deleted_with(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        root: BlockId,
        since: i64,
    ) -> StoreResult<u64>;

    /// Blocks of these pages, up to a limit, in no particular order.
    async fn list_of_pages(&mut self, workspace: WorkspaceId, pages: &[PageId], limit: u32) -> StoreResult<Vec<Block>>;

    /// How many bytes the stored bodies of the blocks of each of these pages have, without deleted ones. Pages without
    /// blocks are skipped.
    async fn measure_pages(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<Vec<(PageId, u64)>>;

    /// How many bytes the stored bodies of the blocks of these pages have, without deleted ones.
    async fn count_bytes(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<u64>;

    /// These blocks and all blocks above them, without deleted ones. One statement at any depth.
    async fn list_nodes_above(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockNode>>;

    /// All blocks below these, without deleted ones. One statement at any depth.
    async fn list_nodes_below(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        ids: &[BlockId],
    ) -> StoreResult<Vec<BlockNode>>;

    /// The siblings next to these blocks, and their children. One statement for any number of siblings.
    async fn list_neighbours(
        &mut self,
        workspace: WorkspaceId,
        ids: &[BlockId],
    ) -> StoreResult<BTreeMap<BlockId, Neighbours>>;

    /// The last position at the top level of a page.
    async fn find_last_position(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Option<Position>>;

    /// The blocks at these positions, anywhere on the page.
    async fn list_nodes_at(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        positions: &[Position],
    ) -> StoreResult<Vec<BlockNode>>;

    /// All children of one parent.
    async fn list_sibling_nodes(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        parent: Option<BlockId>,
    ) -> StoreResult<Vec<BlockNode>>;

    /// Returns the blocks with these ids that are on the page and not deleted.
    async fn find_on_page(&mut self, workspace: WorkspaceId, page: PageId, ids: &[BlockId]) -> StoreResult<Vec<Block>>;

    /// The instances of these blocks, grouped by page, up to a limit.
    async fn list_instances(
        &mut self,
        workspace: WorkspaceId,
        sources: &[BlockId],
        pages: InstancePages,
        limit: u32,
    ) -> StoreResult<Vec<BlockLocation>>;

    /// The references by which instances show blocks of these pages, including deleted blocks. Grouped by page, up to
    /// a limit.
    async fn list_references_of_instances(
        &mut self,
        workspace: WorkspaceId,
        targets: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<PageReference>>;

    /// The references to a page from active pages, newest first, after the given one. `within` as in
    /// [`PageFilter`](octavo_core_model::page::PageFilter).
    async fn list_references_to(
        &mut self,
        workspace: WorkspaceId,
        target: PageId,
        within: Option<&[Node]>,
        after: Option<&ReferenceMark>,
        limit: u32,
    ) -> StoreResult<Vec<PageReference>>;
}

/// The blocks of a page are changed under the lock of the page.
#[async_trait]
pub trait Blocks: BlockReads {
    /// Locks blocks against deletion until this unit ends, so that instances created here are found and deleted along
    /// with them. Other units may lock them like this at the same time. Returns the pages of those that exist, deleted
    /// or not.
    async fn lock_shared(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<Vec<BlockLocation>>;

    /// Waits for units that locked these blocks with [`Self::lock_shared`], and makes others wait until this unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, ids: &[BlockId]) -> StoreResult<()>;

    /// Inserts blocks. Returns false if an id is taken in the workspace.
    async fn insert(&mut self, blocks: &[Block]) -> StoreResult<bool>;

    /// Saves everything that may change.
    async fn save(&mut self, blocks: &[Block]) -> StoreResult<()>;

    /// Gives blocks new position keys without changing their order.
    async fn respread(
        &mut self,
        workspace: WorkspaceId,
        places: &[(BlockId, Position)],
        page_version: i64,
    ) -> StoreResult<()>;

    /// Deletes these blocks; ids that do not exist are skipped.
    async fn delete(&mut self, removal: &BlockRemoval<'_>) -> StoreResult<()>;

    /// Replaces the references that these blocks make.
    async fn replace_references(
        &mut self,
        workspace: WorkspaceId,
        blocks: &[BlockId],
        references: &[PageReference],
    ) -> StoreResult<()>;
}

#[async_trait]
pub trait HistoryReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<Option<History>>;

    /// How many blocks these pages have together, by what is recorded. No block is read.
    async fn count_blocks(&mut self, workspace: WorkspaceId, pages: &[PageId]) -> StoreResult<u64>;

    async fn find_version(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        id: PageVersionId,
    ) -> StoreResult<Option<PageVersion>>;

    /// The saved versions of a page, newest first, after the given one.
    async fn list_versions(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        kind: Option<VersionKind>,
        before: Option<(i64, PageVersionId)>,
        limit: u32,
    ) -> StoreResult<Vec<PageVersion>>;

    /// The blocks of a page at a saved version, in no particular order.
    async fn list_blocks_at(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        page_version: i64,
    ) -> StoreResult<Vec<Block>>;

    /// How many bytes the stored bodies of the blocks of a page have at a saved version.
    async fn count_bytes_at(&mut self, workspace: WorkspaceId, page: PageId, page_version: i64) -> StoreResult<u64>;
}

#[async_trait]
pub trait Histories: HistoryReads {
    async fn save(&mut self, workspace: WorkspaceId, page: PageId, history: &History) -> StoreResult<()>;

    async fn insert_version(&mut self, version: &PageVersion) -> StoreResult<()>;

    async fn save_version(&mut self, version: &PageVersion) -> StoreResult<()>;

    /// Saves the present state of these blocks for the newest saved version of the page, whose number is `kept`, if
    /// that version contains this state. Returns how many bytes the bodies of the saved states have.
    async fn keep_block_states(&mut self, workspace: WorkspaceId, blocks: &[BlockId], kept: i64) -> StoreResult<u64>;

    /// Removes versions, and the block states that no other version needs. The newest version must stay. Does not read
    /// the states that these versions did not show.
    async fn remove_versions(&mut self, workspace: WorkspaceId, page: PageId, ids: &[PageVersionId])
    -> StoreResult<()>;

    /// The versions without a label, except this many of the newest.
    async fn list_thinned_versions(
        &mut self,
        workspace: WorkspaceId,
        page: PageId,
        kept: u32,
    ) -> StoreResult<Vec<PageVersionId>>;

    async fn count_labelled_versions(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<u32>;
}
