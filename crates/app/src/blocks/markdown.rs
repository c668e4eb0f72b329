//! A page as Markdown: reading it, and changing it by edits of its text. Both need processor time, so they run on the
//! compute pool.

use super::{Changed, Writer, enter, named, record, require_changeable};
use crate::{
    access::RouteAccess,
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft, Interrupt},
    page_access::{
        self,
        lineage::{find, need},
    },
    reply::Reply,
    reservations::Reservations,
    scope::{Unit, View},
};
use octavo_blocks_tree::{
    Arrangement, Block, Piece, Refusal, arrange,
    markdown::{self, Edit, EditFault, EditIssue},
    pieces_of,
};
use octavo_core_model::{
    Fault, Level, StoreError,
    cancellation::Cancellation,
    fault::{BlockFlaw, BlockProblem, ComputeFault, PageLimit, TextFlaw, TextProblem, Unprocessable},
    id::{BlockId, PageId},
    page::Page,
    version::Expected,
};
use octavo_ports::{
    blocks::BlockLocation,
    compute::{ComputeSlot, Reservation, WorkKind},
    store::UnitLength,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How often edits are computed because the page changes meanwhile. Each time another change was saved, so parallel
/// edits of one page need at most as many attempts as there are edits.
const ATTEMPTS: usize = 32;

/// A page as text, and its version.
#[derive(Clone, Debug)]
pub struct MarkdownPage {
    pub markdown: String,
    pub version: i64,
}

/// Edits of the text, and the version of the page that they are based on.
#[derive(Clone, Debug)]
pub struct MarkdownEdits {
    pub edits: Vec<Edit>,
    pub expected: Option<Expected>,
}

impl MarkdownEdits {
    /// The kind of job for the text of the edits, without the page.
    fn kind(&self) -> WorkKind {
        let of_each = self.edits.iter().map(|edit| WorkKind::of_text(edit.markdown())).max();
        let of_all = WorkKind::of_bytes(self.edits.iter().map(|edit| edit.markdown().len()).sum());
        of_each.map_or(of_all, |kind| kind.max(of_all))
    }
}

/// The result of edits.
#[derive(Clone, Debug)]
pub struct MarkdownEdited {
    pub version: i64,
    /// All blocks of the page in reading order.
    pub blocks: Vec<BlockId>,
    pub deleted: Vec<BlockId>,
}

/// The content of a page as Markdown, for a caller that may see it.
pub async fn markdown(engine: &Engine, call: Call, page: Draft<PageId>) -> AppResult<MarkdownPage> {
    let reservations = engine.reservations();
    let loaded = engine.read(call, move |view| Box::pin(load_to_read(view, page, reservations))).await?;
    let Loaded { blocks, version, reservation } = loaded;
    let write = move |cancellation: &Cancellation| markdown::export(&pieces_of(&blocks), cancellation);
    let (markdown, _) = engine.compute_reserved(reservation, write).await?;
    Ok(MarkdownPage { markdown: markdown.map_err(refused)?, version })
}

/// The blocks of a page, and the place in the compute pool that was reserved for them.
struct Loaded {
    blocks: Vec<Block>,
    version: i64,
    reservation: Reservation,
}

impl Loaded {
    /// Reserves a place for a job of at least this kind, then loads the blocks of the page.
    async fn load(view: &mut View, page: &Page, reservations: &Reservations, least: WorkKind) -> AppResult<Self> {
        let owner = view.call.work_owner();
        let reservation = reservations.for_page(view, owner, page, least).await?;
        let blocks = view.tx.blocks().list_of_pages(page.workspace, &[page.id], u32::MAX).await?;
        Ok(Self { blocks, version: page.version, reservation })
    }
}

async fn load_to_read(view: &mut View, page: Draft<PageId>, reservations: Reservations) -> AppResult<Loaded> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES).await?;
    let page = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?.page;
    Loaded::load(view, &page, &reservations, WorkKind::Short).await
}

/// Applies edits to the text of a page, all or none. Blocks that do not change keep their ids and versions.
///
/// A view checks the caller's right and loads the page, the edits are computed, and a unit checks the right again and
/// saves the result if the page still has the version that it was computed for. If another change of the page was saved
/// meanwhile, or the unit collided with another one, everything starts over. Other errors are reported at once.
pub async fn edit_markdown(
    engine: &Engine,
    call: Call,
    page: Draft<PageId>,
    draft: Draft<MarkdownEdits>,
    shape: impl Fn(MarkdownEdited) -> Reply + Send + Sync,
) -> AppResult<Reply> {
    let draft = draft.map(Arc::new);
    for _ in 0..ATTEMPTS {
        let (worked_out, _slot) = work_out(engine, &call, &page, &draft).await?;
        let page = page.clone();
        let length = worked_out.as_ref().map_or(UnitLength::Short, ComputedEdits::unit_length);
        let saved = engine
            .write_if_current(call.clone(), length, move |unit| Box::pin(save(unit, page, worked_out)), &shape)
            .await;
        match saved {
            Ok(Some(reply)) => return Ok(reply),
            Ok(None) | Err(Interrupt::Fault(Fault::Store(StoreError::Collision))) => {}
            Err(interrupt) => return Err(interrupt),
        }
    }
    Err(StoreError::Busy.into())
}

/// The result of edits for one version of the page.
struct ComputedEdits {
    edits: Arc<MarkdownEdits>,
    /// The version of the page that it was computed for.
    version: i64,
    now: Vec<Block>,
    wanted: Draft<Vec<Piece>>,
}

impl ComputedEdits {
    /// Edits with much text may write many blocks, and those that replace all of a large page may remove many.
    fn unit_length(&self) -> UnitLength {
        let replaces_all = self.edits.edits.iter().any(|edit| matches!(edit, Edit::ReplaceAll { .. }));
        let is_large = WorkKind::of_page(self.now.len() as u64, 0) == WorkKind::Long;
        let is_long = self.edits.kind() == WorkKind::Long || (replaces_all && is_large);
        if is_long { UnitLength::MayBeLong } else { UnitLength::Short }
    }
}

/// Flaws are returned, not reported: the unit reports them, because a retry may be entitled to its earlier answer.
async fn work_out(
    engine: &Engine,
    call: &Call,
    page: &Draft<PageId>,
    draft: &Draft<Arc<MarkdownEdits>>,
) -> AppResult<(Draft<ComputedEdits>, Option<ComputeSlot>)> {
    let edits = match draft {
        Ok(edits) => Arc::clone(edits),
        Err(fault) => return Ok((Err(fault.clone()), None)),
    };
    let (page, expected, kind, reservations) = (page.clone(), edits.expected, edits.kind(), engine.reservations());
    let loaded =
        engine.read(call.clone(), move |view| Box::pin(load_to_edit(view, page, expected, reservations, kind))).await;
    let Loaded { blocks: now, version, reservation } = match loaded {
        Ok(loaded) => loaded,
        Err(Interrupt::Fault(fault)) if call.key.is_some() => return Ok((Err(fault), None)),
        Err(interrupt) => return Err(interrupt),
    };
    let work = move |cancellation: &_| {
        let wanted = markdown::edit(&pieces_of(&now), &edits.edits, cancellation).map_err(flaw);
        ComputedEdits { edits, version, now, wanted }
    };
    let (worked_out, slot) = engine.compute_reserved(reservation, work).await?;
    Ok((Ok(worked_out), Some(slot)))
}

/// The blocks of a page for a caller that may edit it. The version is read before the blocks, so the unit refuses
/// blocks that are newer.
async fn load_to_edit(
    view: &mut View,
    page: Draft<PageId>,
    expected: Option<Expected>,
    reservations: Reservations,
    least: WorkKind,
) -> AppResult<Loaded> {
    let (caller, authority) = page_access::enter(view, RouteAccess::PAGES_CHANGE).await?;
    let seen = find(view, &caller, &authority, &page).await?.ok_or(Fault::NotFound)?;
    need(&authority, seen.lineage.level(), Level::Edit)?;
    page_access::require_current(&seen.page, expected)?;
    require_changeable(&seen.page)?;
    Loaded::load(view, &seen.page, &reservations, least).await
}

/// Saves edits; `None` if the page has changed since they were computed.
async fn save(
    unit: &mut Unit,
    page: Draft<PageId>,
    worked_out: Draft<ComputedEdits>,
) -> AppResult<Option<MarkdownEdited>> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let ComputedEdits { edits, version, now, wanted } = worked_out?;
    let mut page = seen.page;
    page_access::require_current(&page, edits.expected)?;
    require_changeable(&page)?;
    if page.version != version {
        return Ok(None);
    }
    let done = write_arrangement(unit, &writer, &page, now, wanted?).await?;
    let replaces = edits.edits.iter().any(|edit| matches!(edit, Edit::ReplaceAll { .. }));
    let deleted = done.removed.iter().flat_map(|removal| removal.blocks.iter().copied()).collect();
    let blocks = done.blocks.clone();
    let Arrangement { inserted, saved, removed, respread, changes, .. } = done;
    let changed = Changed { inserted, saved, removed, respread, changes, replaces, ..Changed::default() };
    record(unit, &writer.caller, &mut page, changed).await?;
    Ok(Some(MarkdownEdited { version: page.version, blocks, deleted }))
}

fn flaw(EditFault { index, issue }: EditFault) -> Fault {
    let problem = match issue {
        EditIssue::FindNotFound => TextProblem::FindNotFound,
        EditIssue::FindNotUnique { matches } => TextProblem::FindNotUnique { matches },
        EditIssue::UnknownBlock(block) => TextProblem::UnknownBlock(block),
        EditIssue::Refused(refusal) => return refused_at(Some(index), refusal),
    };
    Fault::Text(TextFlaw { index: Some(index), problem })
}

/// Why a document is refused.
pub fn refused(refusal: Refusal) -> Fault {
    refused_at(None, refusal)
}

const fn refused_at(index: Option<usize>, refusal: Refusal) -> Fault {
    let problem = match refusal {
        Refusal::Cancelled => return Fault::Compute(ComputeFault::Timeout),
        Refusal::TooLong { most } => TextProblem::TooLong { most },
        Refusal::TooDeep => TextProblem::TooDeep,
        Refusal::TooManyBlocks { most } => TextProblem::TooMuch { most, unit: "blocks" },
        Refusal::TooManyCells { most } => TextProblem::TooMuch { most, unit: "cells" },
        Refusal::TooManyMarks { most } => TextProblem::TooMuch { most, unit: "marks" },
        Refusal::TooManyDelimiters { most } => TextProblem::TooMuch { most, unit: "delimiters" },
        Refusal::TooLarge => return Fault::Unprocessable(Unprocessable::PageTooLarge(PageLimit::Bytes)),
        Refusal::TooManyAttributes { most } => TextProblem::TooMuch { most, unit: "attributes" },
        Refusal::InvalidNesting { .. } => TextProblem::InvalidNesting,
    };
    Fault::Text(TextFlaw { index, problem })
}

/// Computes how the blocks of a page become the wanted ones, and checks that the blocks they name exist.
pub(super) async fn write_arrangement(
    unit: &mut Unit,
    writer: &Writer,
    page: &Page,
    now: Vec<Block>,
    wanted: Vec<Piece>,
) -> AppResult<Arrangement> {
    let elsewhere = sources_elsewhere(unit, page, &now, &wanted).await?;
    let stamp = writer.stamp(unit, page);
    let there: BTreeSet<_> = elsewhere.keys().copied().collect();
    let done = arrange(now, wanted, &there, &stamp, &mut || unit.id(BlockId::new)).map_err(refused_block)?;
    let shown = done.sources.iter().filter_map(|id| Some((*id, elsewhere.get(id)?.page)));
    if !named::hidden(unit, writer, page.id, shown).await?.is_empty() {
        return Err(refused_block(BlockProblem::Missing(named::SOURCE)).into());
    }
    let named: Vec<_> = done.named.iter().copied().collect();
    if !named::all_exist(unit, writer, &named).await? {
        return Err(refused_block(BlockProblem::Missing("content")).into());
    }
    // Reported last: only callers that may see a block may learn that it is itself an instance.
    match instance_of_instance(&done, &elsewhere) {
        Some(block) => Err(refused_block(BlockProblem::SyncCycle(block)).into()),
        None => Ok(done),
    }
}

pub(super) fn refused_block(problem: BlockProblem) -> Fault {
    Fault::Blocks(vec![BlockFlaw { operation: None, part: None, problem }].into())
}

/// A block that would show a block of another page that is itself an instance.
fn instance_of_instance(done: &Arrangement, elsewhere: &BTreeMap<BlockId, BlockLocation>) -> Option<BlockId> {
    let is_instance = |source: BlockId| elsewhere.get(&source).is_some_and(|block| block.source.is_some());
    let shows_one =
        |block: &&Block| block.body.source().is_some_and(|id| done.sources.contains(&id) && is_instance(id));
    done.inserted.iter().chain(&done.saved).find(shows_one).map(|block| block.id)
}

/// The blocks of other pages that instances are to show. No statement if there are none.
async fn sources_elsewhere(
    unit: &mut Unit,
    page: &Page,
    now: &[Block],
    wanted: &[Piece],
) -> AppResult<BTreeMap<BlockId, BlockLocation>> {
    let here: BTreeSet<_> = now.iter().map(|block| block.id).collect();
    let (mut sources, mut open) = (BTreeSet::new(), wanted.iter().collect::<Vec<_>>());
    while let Some(piece) = open.pop() {
        sources.extend(piece.body.source().filter(|source| !here.contains(source)));
        open.extend(&piece.children);
    }
    if sources.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sources: Vec<_> = sources.into_iter().collect();
    let found = unit.tx.blocks().list_locations(page.workspace, &sources).await?;
    let is_there = |block: &BlockLocation| block.page != page.id && !block.is_deleted;
    Ok(found.into_iter().filter(is_there).map(|block| (block.id, block)).collect())
}
