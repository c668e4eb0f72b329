//! Changing the blocks of a page.

use super::{Changed, ShownBlock, Writer, enter, known, named, record, require_changeable, shown};
use crate::{
    engine::{AppResult, Draft},
    pages::sight::Seen,
    scope::Unit,
};
use octavo_blocks_tree::batch::{Asked, Operation, Patch, Plan, Stop, Target, apply};
use octavo_core_model::{
    Fault,
    fault::{BlockFlaw, BlockProblem, Conflict, Issue, Violation},
    id::{BlockId, PageId},
    page::Page,
    version::Expected,
};

/// Operations on the blocks of one page, and the version of the page that they rest on.
#[derive(Clone, Debug)]
pub struct Batch {
    pub base: Option<Expected>,
    pub operations: Vec<Operation>,
}

/// What a batch did.
#[derive(Clone, Debug)]
pub struct Written {
    /// The block of each operation.
    pub blocks: Vec<BlockId>,
    /// The version that the page has now.
    pub version: i64,
}

/// Does all operations, or none.
pub async fn write(unit: &mut Unit, page: Draft<PageId>, draft: Draft<Batch>) -> AppResult<Written> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await? else {
        let absent = unit.absent().await;
        // A page that is not named at all is told as any other flaw of the body.
        return Err(match page {
            Err(fault) if matches!(absent, crate::engine::Stop::Fault(Fault::NotFound)) => fault.into(),
            _ => absent,
        });
    };
    unit.claim().await?;
    let batch = draft?;
    perform(unit, &writer, seen, &batch).await
}

/// A change of one block.
#[derive(Clone, Debug)]
pub struct Change {
    pub rest: Rest,
    pub how: How,
}

#[derive(Clone, Debug)]
pub enum How {
    Update(Patch),
    Move(Target),
}

/// Changes or moves a block, and shows it as it is then, with the version that the page has then.
pub async fn change(unit: &mut Unit, id: Draft<BlockId>, draft: Draft<Change>) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let Some((block, seen)) = writer.open_block(unit, &id, false).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let Change { rest, how } = draft?;
    let version = rest.exactly();
    let operation = match how {
        How::Update(patch) => Operation::Update { block: block.id, version, patch },
        How::Move(target) => Operation::Move { block: block.id, version, target },
    };
    let batch = Batch { base: rest.base, operations: vec![operation] };
    let (page, _) = plan_and_save(unit, &writer, seen, &batch).await.map_err(single)?;
    show(unit, &writer, &page, block.id).await
}

/// Adds a block to a page, and shows it.
pub async fn create(unit: &mut Unit, page: Draft<PageId>, draft: Draft<Batch>) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let (page, plan) = plan_and_save(unit, &writer, seen, &draft?).await.map_err(single)?;
    let made = plan.blocks.first().copied().ok_or(Fault::Internal("a block was made without an id"))?;
    show(unit, &writer, &page, made).await
}

/// The versions that a change of one block rests on: of the page, and of the block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rest {
    pub base: Option<Expected>,
    pub version: Option<Expected>,
}

impl Rest {
    /// The version of the block that an operation names; `*` is any.
    pub(super) const fn exactly(self) -> Option<i64> {
        match self.version {
            Some(Expected::Exactly(version)) => Some(version),
            Some(Expected::Any) | None => None,
        }
    }
}

/// Deletes a block; tells what went, and the version that the page has then.
pub async fn delete(unit: &mut Unit, id: Draft<BlockId>, rest: Draft<Rest>) -> AppResult<(BlockId, Vec<BlockId>, i64)> {
    let writer = enter(unit).await?;
    let (id, gone, page) = remove(unit, &writer, id, rest).await?;
    Ok((id, gone, page.version))
}

/// Deletes a block; shows it as it is then, with the version that the page has then.
pub async fn archive(unit: &mut Unit, id: Draft<BlockId>, rest: Draft<Rest>) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let (id, _, page) = remove(unit, &writer, id, rest).await?;
    show(unit, &writer, &page, id).await
}

async fn remove(
    unit: &mut Unit,
    writer: &Writer,
    id: Draft<BlockId>,
    rest: Draft<Rest>,
) -> AppResult<(BlockId, Vec<BlockId>, Page)> {
    let Some((block, seen)) = writer.open_block(unit, &id, false).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let rest = rest?;
    let operations = vec![Operation::Delete { block: block.id, version: rest.exactly() }];
    let (page, plan) =
        plan_and_save(unit, writer, seen, &Batch { base: rest.base, operations }).await.map_err(single)?;
    let gone = plan.removed.into_iter().next().map(|removal| removal.blocks).unwrap_or_default();
    Ok((block.id, gone, page))
}

async fn show(unit: &mut Unit, writer: &Writer, page: &Page, id: BlockId) -> AppResult<(ShownBlock, i64)> {
    let now = unit.tx.find_blocks(page.workspace, &[id]).await?.pop().ok_or(Fault::NotFound)?;
    Ok((shown::one(unit, &writer.authority, now).await?, page.version))
}

/// A flaw of the only operation is told without its number.
pub(super) fn single(stop: crate::engine::Stop) -> crate::engine::Stop {
    match stop {
        crate::engine::Stop::Fault(Fault::Blocks(flaws)) => {
            Fault::Blocks(flaws.iter().cloned().map(BlockFlaw::alone).collect()).into()
        }
        stop => stop,
    }
}

async fn perform(unit: &mut Unit, writer: &Writer, seen: Seen<'_>, batch: &Batch) -> AppResult<Written> {
    let (page, plan) = plan_and_save(unit, writer, seen, batch).await?;
    Ok(Written { blocks: plan.blocks, version: page.version })
}

async fn plan_and_save(unit: &mut Unit, writer: &Writer, seen: Seen<'_>, batch: &Batch) -> AppResult<(Page, Plan)> {
    let page = seen.page;
    if let Err(stale) = batch.base.unwrap_or(Expected::Any).check(page.version) {
        return Err(Conflict::StaleBase(stale).into());
    }
    require_changeable(&page)?;
    let plan = plan(unit, writer, &page, &batch.operations).await?;
    named::require(unit, writer, &batch.operations, &plan.named).await?;
    let mut page = page;
    record(unit, &writer.entry, &mut page, Changed::from(&plan)).await?;
    Ok((page, plan))
}

/// Decides what becomes of the operations, loading what that takes.
pub(super) async fn plan(unit: &mut Unit, writer: &Writer, page: &Page, operations: &[Operation]) -> AppResult<Plan> {
    let asked = Asked::by(operations);
    let mut known = known::load(unit, page, &asked).await?;
    let sources = asked.sources.iter().filter_map(|id| known.named.get(id));
    known.hidden = named::hidden(unit, writer, page.id, sources).await?;
    let stamp = writer.stamp(unit, page);
    loop {
        match apply(&known, operations, &stamp, &mut || unit.id(BlockId::new)) {
            Ok(plan) => return Ok(plan),
            Err(Stop::Refused(flaws)) => return Err(Fault::Blocks(flaws.into()).into()),
            Err(Stop::Siblings(parent)) if !known.whole.contains(&parent) => {
                known::load_siblings(unit, &mut known, (page.workspace, page.id), parent).await?;
            }
            Err(Stop::Siblings(_)) => {
                // All siblings are known and spread: only a place that a caller chose at the very end of all keys is left.
                let flaw = Violation::new("position", Issue::InvalidPosition);
                return Err(Fault::Blocks(vec![BlockFlaw::new(0, BlockProblem::Invalid(flaw))].into()).into());
            }
        }
    }
}
