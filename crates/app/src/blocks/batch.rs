//! Changing the blocks of a page.

use super::{Changed, ShownBlock, Writer, enter, known, named, record, require_changeable, shown};
use crate::{
    engine::{AppResult, Draft},
    pages::sight::Seen,
    scope::Unit,
};
use octavo_blocks_tree::batch::{Asked, Operation, Plan, Stop, apply};
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

/// Does one operation on a block that the call names, and shows what became of it. `None` for a deleted one.
pub async fn change(
    unit: &mut Unit,
    id: Draft<BlockId>,
    operation: impl FnOnce(BlockId) -> Draft<Batch> + Send,
) -> AppResult<(Written, Option<ShownBlock>, Vec<BlockId>)> {
    let writer = enter(unit).await?;
    let Some((block, seen)) = writer.open_block(unit, &id, false).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let batch = operation(block.id)?;
    let (page, plan) = plan_and_save(unit, &writer, seen, &batch).await.map_err(single)?;
    let removed = plan.removed.into_iter().find(|removal| removal.root == block.id);
    let written = Written { blocks: plan.blocks, version: page.version };
    if let Some(removal) = removed {
        return Ok((written, None, removal.blocks));
    }
    let now = unit.tx.find_blocks(page.workspace, &[block.id]).await?.pop().ok_or(Fault::NotFound)?;
    let shown = shown::one(unit, &writer.authority, now).await?;
    Ok((written, Some(shown), Vec::new()))
}

/// A flaw of the only operation is told without its number.
fn single(stop: crate::engine::Stop) -> crate::engine::Stop {
    match stop {
        crate::engine::Stop::Fault(Fault::Blocks(flaws)) => {
            let alone = flaws.into_iter().map(|flaw| BlockFlaw { operation: None, ..flaw }).collect();
            Fault::Blocks(alone).into()
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
    let (plan, known) = plan(unit, writer, &page, &batch.operations).await?;
    named::require(unit, writer, &plan, &known).await?;
    let mut page = page;
    record(unit, &writer.entry, &mut page, Changed::from(&plan)).await?;
    Ok((page, plan))
}

/// Decides what becomes of the operations, loading what that takes.
async fn plan(
    unit: &mut Unit,
    writer: &Writer,
    page: &Page,
    operations: &[Operation],
) -> AppResult<(Plan, octavo_blocks_tree::batch::Known)> {
    let asked = Asked::by(operations);
    let mut known = known::load(unit, page, &asked).await?;
    let stamp = writer.stamp(unit, page);
    loop {
        match apply(&known, operations, &stamp, &mut || unit.id(BlockId::new)) {
            Ok(plan) => return Ok((plan, known)),
            Err(Stop::Refused(flaws)) => return Err(Fault::Blocks(flaws).into()),
            Err(Stop::Siblings(parent)) if !known.siblings.contains_key(&parent) => {
                known::load_siblings(unit, &mut known, (page.workspace, page.id), parent).await?;
            }
            Err(Stop::Siblings(_)) => {
                // All siblings are known and spread: only a place that a caller chose at the very end of all keys is left.
                let flaw = Violation::new("position", Issue::InvalidPosition);
                return Err(Fault::Blocks(vec![BlockFlaw::new(0, BlockProblem::Invalid(flaw))]).into());
            }
        }
    }
}
