//! The sources that instances show to a reader. They are chosen by their sizes, and only the chosen ones are loaded.

use crate::{outcome::AppResult, page_access::visibility::Visibility, scope::Scope};
use octavo_blocks_tree::{Block, Body, in_order};
use octavo_core_model::{
    Level,
    id::{BlockId, PageId, WorkspaceId},
    page::{MAX_BYTES, Page},
    share_link::ShareLink,
};
use octavo_permissions::Authority;
use octavo_ports::{blocks::BlockLocation, store::Reads};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many bytes of sources the instances in one answer show: as many as a page may hold. An instance is small and its
/// source may be large, so without a limit a page of many instances of one long block would be shown as gigabytes.
const MAX_SOURCE_BYTES: u64 = MAX_BYTES;

/// A source of instances, which share it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) body: Body,
    pub(super) bytes: u64,
}

/// The sources that the instances among some blocks show: those that the reader may see, up to the limit.
#[derive(Debug, Default)]
pub(crate) struct ChosenSources {
    /// The source of each instance that shows one.
    by_instance: BTreeMap<BlockId, BlockId>,
    /// The size of each of these sources.
    sizes: BTreeMap<BlockId, u64>,
    /// How many bytes all instances together show.
    bytes: u64,
}

impl ChosenSources {
    /// Chooses for a reader of the page that contains the blocks. At most five statements; none if no instance shows a
    /// block that is not among these.
    pub(crate) async fn for_reader<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        authority: &Authority,
        (workspace, page): (WorkspaceId, PageId),
        blocks: &[Block],
    ) -> AppResult<Self> {
        let found = FoundSources::of(scope, workspace, blocks).await?;
        let visible = visible_to_reader(scope, authority, workspace, &found.pages_besides(page)).await?;
        Ok(found.choose(blocks, page, &visible))
    }

    /// Chooses for the holder of a share link to the page that contains the blocks. At most two statements; none if no
    /// instance shows a block that is not among these.
    pub(super) async fn for_link<T: Reads + ?Sized>(
        scope: &mut Scope<T>,
        link: &ShareLink,
        page: &Page,
        blocks: &[Block],
    ) -> AppResult<Self> {
        let found = FoundSources::of(scope, page.workspace, blocks).await?;
        let (others, now) = (found.pages_besides(page.id), scope.call.now);
        let mut visible = BTreeSet::new();
        if !others.is_empty() {
            visible.extend(scope.tx.share_links().list_pages_of_link(link, &others, now).await?);
        }
        Ok(found.choose(blocks, page.id, &visible))
    }

    /// How many bytes all instances together show. A source counts for each of its instances, because the answer
    /// repeats it.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The source of each instance that shows one. Sources among `blocks` are taken from there. One statement; none if
    /// there are no others.
    pub(super) async fn load<T: Reads + ?Sized>(
        self,
        scope: &mut Scope<T>,
        workspace: WorkspaceId,
        blocks: &[Block],
    ) -> AppResult<BTreeMap<BlockId, Arc<Source>>> {
        let Self { by_instance, sizes, .. } = self;
        let source = |id: BlockId, body: Body| {
            let bytes = sizes.get(&id).copied().unwrap_or_default();
            (id, Arc::new(Source { body, bytes }))
        };
        let here = blocks.iter().filter(|block| sizes.contains_key(&block.id));
        let mut loaded: BTreeMap<_, _> = here.map(|block| source(block.id, block.body.clone())).collect();
        let others: Vec<_> = sizes.keys().copied().filter(|id| !loaded.contains_key(id)).collect();
        if !others.is_empty() {
            let found = scope.tx.blocks().find(workspace, &others).await?;
            // A source may have been deleted since it was chosen.
            let present = found.into_iter().filter(|block| block.deletion.is_none());
            loaded.extend(present.map(|block| source(block.id, block.body)));
        }
        let shown = by_instance.into_iter();
        Ok(shown.filter_map(|(instance, source)| Some((instance, Arc::clone(loaded.get(&source)?)))).collect())
    }

    /// Chooses in the order of the page, up to the first instance whose source does not fit.
    fn in_page_order(blocks: &[Block], sizes: &BTreeMap<BlockId, u64>) -> Self {
        let mut chosen = Self::default();
        if sizes.is_empty() {
            return chosen;
        }
        for instance in in_order(blocks) {
            let Some(source) = instance.body.source() else { continue };
            let Some(bytes) = sizes.get(&source) else { continue };
            if chosen.bytes + bytes > MAX_SOURCE_BYTES {
                break;
            }
            chosen.bytes += bytes;
            chosen.by_instance.insert(instance.id, source);
            chosen.sizes.insert(source, *bytes);
        }
        chosen
    }
}

/// The sources of the instances among some blocks, without deleted ones.
#[derive(Debug, Default)]
struct FoundSources {
    /// The size of each source that is itself among the blocks.
    here: BTreeMap<BlockId, u64>,
    elsewhere: Vec<BlockLocation>,
}

impl FoundSources {
    /// One statement; none if all sources are among the blocks.
    async fn of<T: Reads + ?Sized>(scope: &mut Scope<T>, workspace: WorkspaceId, blocks: &[Block]) -> AppResult<Self> {
        let mut found = Self::default();
        let mut missing: BTreeSet<_> = blocks.iter().filter_map(|block| block.body.source()).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        for block in blocks {
            if missing.remove(&block.id) && block.deletion.is_none() {
                found.here.insert(block.id, block.body.bytes());
            }
        }
        if !missing.is_empty() {
            found.elsewhere = scope.tx.blocks().list_locations(workspace, &Vec::from_iter(missing)).await?;
            found.elsewhere.retain(|source| !source.is_deleted);
        }
        Ok(found)
    }

    /// The other pages that contain sources.
    fn pages_besides(&self, page: PageId) -> Vec<PageId> {
        let pages: BTreeSet<_> = self.elsewhere.iter().map(|source| source.page).filter(|id| *id != page).collect();
        pages.into_iter().collect()
    }

    /// Chooses among the sources on the page itself and on other pages that the reader may see.
    fn choose(self, blocks: &[Block], page: PageId, visible: &BTreeSet<PageId>) -> ChosenSources {
        let mut sizes = self.here;
        let seen = self.elsewhere.iter().filter(|source| source.page == page || visible.contains(&source.page));
        sizes.extend(seen.map(|source| (source.id, source.bytes)));
        ChosenSources::in_page_order(blocks, &sizes)
    }
}

/// Which of these pages a reader may see. At most four statements; none if there are no pages.
async fn visible_to_reader<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    authority: &Authority,
    workspace: WorkspaceId,
    pages: &[PageId],
) -> AppResult<BTreeSet<PageId>> {
    if pages.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut visibility = Visibility::of(workspace, authority);
    let found = scope.tx.pages().list_by_id(workspace, pages).await?;
    visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
    let seen = found.into_iter().filter(|page| {
        let needed = if page.trash.is_some() { Level::Edit } else { Level::View };
        visibility.level(page.access) >= needed
    });
    Ok(seen.map(|page| page.id).collect())
}
