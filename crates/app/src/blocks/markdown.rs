//! A page as Markdown: reading it, and changing it by edits of its text.

use super::{Changed, Writer, enter, named, record, require_changeable};
use crate::{
    access::Door,
    engine::{AppResult, Draft},
    pages::{self, sight::find},
    scope::{Unit, View},
};
use octavo_blocks_tree::{
    Arrangement, Block, Piece, Refusal, arrange,
    markdown::{self, Edit, EditFault, EditIssue},
    pieces_of,
};
use octavo_core_model::{
    Fault,
    fault::{BlockFlaw, BlockProblem, TextFlaw, TextProblem},
    id::{BlockId, PageId},
    page::Page,
    version::Expected,
};
use std::collections::{BTreeMap, BTreeSet};

/// A page as text, and its version.
#[derive(Clone, Debug)]
pub struct MarkdownPage {
    pub markdown: String,
    pub version: i64,
}

/// Edits of the text, and the version of the page that they rest on.
#[derive(Clone, Debug)]
pub struct MarkdownEdits {
    pub edits: Vec<Edit>,
    pub expected: Option<Expected>,
}

/// What edits did.
#[derive(Clone, Debug)]
pub struct MarkdownEdited {
    pub version: i64,
    /// All blocks of the page, in the order in which one reads them.
    pub blocks: Vec<BlockId>,
    pub deleted: Vec<BlockId>,
}

/// The content of a page as Markdown, for who sees it.
pub async fn markdown(view: &mut View, page: Draft<PageId>) -> AppResult<MarkdownPage> {
    let (entry, authority) = pages::enter(view, Door::PAGES).await?;
    let page = find(view, &entry, &authority, &page).await?.ok_or(Fault::NotFound)?.page;
    let blocks = view.tx.list_page_blocks(page.workspace, &[page.id], u32::MAX).await?;
    Ok(MarkdownPage { markdown: markdown::write(&pieces_of(&blocks)), version: page.version })
}

/// Makes edits of the text of a page, all or none. Blocks that stay as they are keep their ids and versions.
pub async fn edit_markdown(
    unit: &mut Unit,
    page: Draft<PageId>,
    draft: Draft<MarkdownEdits>,
) -> AppResult<MarkdownEdited> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let MarkdownEdits { edits, expected } = draft?;
    let mut page = seen.page;
    pages::require_current(&page, expected)?;
    require_changeable(&page)?;
    let now = unit.tx.list_page_blocks(page.workspace, &[page.id], u32::MAX).await?;
    let wanted = markdown::edit(&pieces_of(&now), &edits).map_err(flaw)?;
    let done = settle(unit, &writer, &page, now, wanted).await?;
    let replaces = edits.iter().any(|edit| matches!(edit, Edit::ReplaceAll { .. }));
    let deleted = done.removed.iter().flat_map(|removal| removal.blocks.iter().copied()).collect();
    let blocks = done.blocks.clone();
    let Arrangement { inserted, saved, removed, respread, changes, .. } = done;
    let changed = Changed { inserted, saved, removed, respread, changes, replaces, ..Changed::default() };
    record(unit, &writer.entry, &mut page, changed).await?;
    Ok(MarkdownEdited { version: page.version, blocks, deleted })
}

fn flaw(EditFault { index, issue }: EditFault) -> Fault {
    let problem = match issue {
        EditIssue::FindNotFound => TextProblem::FindNotFound,
        EditIssue::FindNotUnique { matches } => TextProblem::FindNotUnique { matches },
        EditIssue::UnknownBlock(block) => TextProblem::UnknownBlock(block),
        EditIssue::Refused(refusal) => problem(refusal),
    };
    Fault::Text(TextFlaw { index: Some(index), problem })
}

/// Why a document is not taken.
pub fn refused(refusal: Refusal) -> Fault {
    Fault::Text(TextFlaw { index: None, problem: problem(refusal) })
}

const fn problem(refusal: Refusal) -> TextProblem {
    match refusal {
        Refusal::TooLong { most } => TextProblem::TooLong { most },
        Refusal::TooDeep => TextProblem::TooDeep,
        Refusal::TooManyBlocks { most }
        | Refusal::TooManyCells { most }
        | Refusal::TooManyMarks { most }
        | Refusal::TooManyAttributes { most } => TextProblem::TooMuch { most },
        Refusal::InvalidNesting { .. } => TextProblem::InvalidNesting,
    }
}

/// Decides how the blocks of a page become those that are wanted, and whether what those name is there.
pub(super) async fn settle(
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
    let shown = done.sources.iter().filter_map(|id| elsewhere.get(id));
    if !named::hidden(unit, writer, page.id, shown).await?.is_empty() {
        return Err(refused_block(BlockProblem::Missing(named::SOURCE)).into());
    }
    let named: Vec<_> = done.named.iter().map(|reference| (0, *reference)).collect();
    if !named::missing(unit, writer, &[], &named).await?.is_empty() {
        return Err(refused_block(BlockProblem::Missing("content")).into());
    }
    // Told last: only who sees a block learns that it shows another one.
    match instance_of_instance(&done, &elsewhere) {
        Some(block) => Err(refused_block(BlockProblem::SyncCycle(block)).into()),
        None => Ok(done),
    }
}

pub(super) fn refused_block(problem: BlockProblem) -> Fault {
    Fault::Blocks(vec![BlockFlaw { operation: None, part: None, problem }].into())
}

/// A block that is to show one of another page that shows one itself.
fn instance_of_instance(done: &Arrangement, elsewhere: &BTreeMap<BlockId, Block>) -> Option<BlockId> {
    let is_instance = |source: BlockId| elsewhere.get(&source).is_some_and(|block| block.body.source().is_some());
    let shows_one =
        |block: &&Block| block.body.source().is_some_and(|id| done.sources.contains(&id) && is_instance(id));
    done.inserted.iter().chain(&done.saved).find(shows_one).map(|block| block.id)
}

/// The blocks of other pages that are to be shown. No statement where there are none.
async fn sources_elsewhere(
    unit: &mut Unit,
    page: &Page,
    now: &[Block],
    wanted: &[Piece],
) -> AppResult<BTreeMap<BlockId, Block>> {
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
    let found = unit.tx.find_blocks(page.workspace, &sources).await?;
    let is_there = |block: &Block| block.page != page.id && block.deletion.is_none();
    Ok(found.into_iter().filter(is_there).map(|block| (block.id, block)).collect())
}
