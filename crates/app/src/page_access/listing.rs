//! Lists of what a caller may see, filled one chunk of candidates at a time.

use super::visibility::{Visibility, Within};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    Level,
    id::PageId,
    page::{Listed, Node, Page, PageFilter, PageMark, PageSort},
};
use octavo_ports::store::Reads;

/// How many candidates a list reads before everything is looked up.
const CANDIDATES: usize = 1_000;

/// A list that is filled with visible items, one chunk of candidates at a time.
#[derive(Debug)]
pub(crate) struct Filling<T> {
    needed: Level,
    limit: usize,
    seen: Vec<T>,
    looked_at: usize,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Begins,
    /// Reads candidates and skips hidden ones.
    ReadsCandidates,
    /// The store returns visible items only.
    ReadsVisible,
    Ends,
}

/// The next chunk to read.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// Restricts what the store reads, as far as possible.
    pub(crate) within: Within,
    pub(crate) limit: u32,
}

impl<T> Filling<T> {
    pub(crate) const fn new(needed: Level, limit: u32) -> Self {
        Self { needed, limit: limit as usize, seen: Vec::new(), looked_at: 0, progress: Progress::Begins }
    }

    /// The next chunk to read; `None` if the list is full or at its end.
    pub(crate) async fn next<R: Reads + ?Sized>(
        &mut self,
        scope: &mut Scope<R>,
        visibility: &mut Visibility,
    ) -> AppResult<Option<Chunk>> {
        match self.progress {
            Progress::Begins => visibility.look_up_if_cheap(scope).await?,
            Progress::ReadsCandidates if self.looked_at >= CANDIDATES => visibility.look_up_all(scope).await?,
            Progress::ReadsCandidates => {}
            Progress::ReadsVisible | Progress::Ends => return Ok(None),
        }
        let missing = self.limit - self.seen.len();
        let narrowed = visibility.narrowed(self.needed);
        self.progress = if narrowed.is_some() { Progress::ReadsVisible } else { Progress::ReadsCandidates };
        let count = if narrowed.is_some() { missing } else { missing.max(self.looked_at) };
        let within = narrowed.unwrap_or(Within::EVERYTHING);
        Ok(Some(Chunk { within, limit: u32::try_from(count).unwrap_or(u32::MAX) }))
    }

    /// Adds the items of a chunk, each with its access node. The levels on these nodes must be known.
    pub(crate) fn add(&mut self, chunk: &Chunk, found: Vec<(Node, T)>, visibility: &Visibility) {
        let is_end = found.len() < chunk.limit as usize;
        self.looked_at += found.len();
        let seen = found.into_iter().filter(|(node, _)| visibility.level(*node) >= self.needed);
        self.seen.extend(seen.map(|(_, item)| item).take(self.limit - self.seen.len()));
        if is_end || self.seen.len() == self.limit {
            self.progress = Progress::Ends;
        }
    }

    pub(crate) fn into_seen(self) -> Vec<T> {
        self.seen
    }
}

/// Lists active pages that the caller may see. This sets the part of the filter that restricts it to those.
pub(crate) async fn list_visible<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    visibility: &mut Visibility,
    filter: PageFilter,
    sort: PageSort,
    mut after: Option<PageMark>,
    limit: u32,
) -> AppResult<Vec<Page>> {
    let mut filling = Filling::new(Level::View, limit);
    while let Some(chunk) = filling.next(scope, visibility).await? {
        let Within { nodes, pages } = chunk.within.clone();
        let within = nodes.filter(|_| pages.is_none());
        let filter = PageFilter { within, among: pages, ..filter.clone() };
        let found = scope.tx.pages().list(visibility.workspace, &filter, sort, after.as_ref(), chunk.limit).await?;
        after = found.last().map(|page| page.mark(sort)).or(after);
        visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
        filling.add(&chunk, found.into_iter().map(|page| (page.access, page)).collect(), visibility);
    }
    Ok(filling.into_seen())
}

/// Lists the active children of pages that the caller may see, up to a limit.
pub(crate) async fn list_visible_children<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    visibility: &mut Visibility,
    above: &[PageId],
    listed: Listed,
    limit: u32,
) -> AppResult<Vec<Page>> {
    let workspace = visibility.workspace;
    if let Some(within) = visibility.within(scope, Level::View).await? {
        return Ok(scope.tx.pages().list_children(workspace, above, listed, within.nodes.as_deref(), limit).await?);
    }
    let mut found = scope.tx.pages().list_children(workspace, above, listed, None, limit).await?;
    if found.len() < limit as usize {
        visibility.look_up(scope, found.iter().map(|page| page.access)).await?;
        found.retain(|page| visibility.level(page.access) >= Level::View);
        return Ok(found);
    }
    let nodes = visibility.nodes(scope, Level::View).await?;
    Ok(scope.tx.pages().list_children(workspace, above, listed, nodes.as_deref(), limit).await?)
}
