//! Changing the blocks of a page.

use super::{
    Changed, ShownBlock, Writer,
    check::{InvalidOperation, check_operations},
    enter, record, require_changeable, shown,
};
use crate::{
    outcome::{AppResult, Draft},
    page_access::lineage::Visible,
    scope::Unit,
};
use octavo_blocks_tree::batch::{Operation, Patch, Plan, Target};
use octavo_core_model::{
    Fault,
    fault::{BlockFlaw, Conflict, Issue, Violation},
    id::{BlockId, PageId},
    page::Page,
    version::Expected,
};
use std::sync::Arc;

/// Operations on the blocks of one page, and the version of the page that they are based on.
#[derive(Clone, Debug)]
pub struct Batch {
    pub base: Option<Expected>,
    /// Shared, so that running a unit again does not copy the operations.
    pub operations: Arc<[Result<Operation, InvalidOperation>]>,
}

/// The result of a batch.
#[derive(Clone, Debug)]
pub struct Written {
    /// The block that each operation created or changed.
    pub blocks: Vec<BlockId>,
    /// The new version of the page.
    pub version: i64,
}

/// Applies all operations or none.
pub async fn write(unit: &mut Unit, page: Draft<PageId>, draft: Draft<Batch>) -> AppResult<Written> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await.map_err(|interrupt| interrupt.naming("pageId"))? else {
        let absent = unit.absent().await;
        // A missing page is reported like any other flaw of the body.
        return Err(match page {
            Err(fault) if matches!(absent, crate::outcome::Interrupt::Fault(Fault::NotFound)) => fault.into(),
            _ => absent.naming("pageId"),
        });
    };
    unit.claim().await?;
    let (page, plan) = plan_and_save(unit, &writer, seen, &draft?).await?;
    Ok(Written { blocks: plan.blocks, version: page.version })
}

/// A change of one block.
#[derive(Clone, Debug)]
pub struct Change {
    pub rest: ExpectedVersions,
    pub kind: ChangeKind,
    /// A field that changes something besides restoring the block. A deleted block is restored without other changes.
    pub beside_return: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub enum ChangeKind {
    Update(Patch),
    Move(Target),
}

/// Changes or moves a block. Returns it in its new state, with the new version of its page.
pub async fn change(unit: &mut Unit, id: Draft<BlockId>, draft: Draft<Change>) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let beside = draft.as_ref().ok().and_then(|change| change.beside_return);
    let found = writer.open_block(unit, &id, beside.is_some()).await?;
    let Some((block, seen)) = found else { return Err(unit.absent().await) };
    unit.claim().await?;
    let Change { rest, kind, .. } = draft?;
    if let Some(field) = beside.filter(|_| block.deletion.is_some()) {
        return Err(Violation::new(field, Issue::InvalidValue).into());
    }
    let version = rest.exactly();
    let operation = match kind {
        ChangeKind::Update(patch) => Operation::Update { block: block.id, version, patch },
        ChangeKind::Move(target) => Operation::Move { block: block.id, version, target },
    };
    let batch = Batch { base: rest.base, operations: [Ok(operation)].into() };
    let (page, _) = plan_and_save(unit, &writer, seen, &batch).await.map_err(single)?;
    show(unit, &writer, &page, block.id).await
}

/// Adds a block to a page and returns it.
pub async fn create(unit: &mut Unit, page: Draft<PageId>, draft: Draft<Batch>) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let Some(seen) = writer.open(unit, &page).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let (page, plan) = plan_and_save(unit, &writer, seen, &draft?).await.map_err(single)?;
    let made = plan.blocks.first().copied().ok_or(Fault::Internal("a block was made without an id"))?;
    show(unit, &writer, &page, made).await
}

/// The versions of page and block that a change of one block is based on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpectedVersions {
    pub base: Option<Expected>,
    pub version: Option<Expected>,
}

impl ExpectedVersions {
    /// The version of the block that an operation requires; `*` means any.
    pub(super) const fn exactly(self) -> Option<i64> {
        match self.version {
            Some(Expected::Exactly(version)) => Some(version),
            Some(Expected::Any) | None => None,
        }
    }
}

/// Deletes a block. Returns its id, the ids of all deleted blocks, and the new version of the page.
pub async fn delete(
    unit: &mut Unit,
    id: Draft<BlockId>,
    rest: Draft<ExpectedVersions>,
) -> AppResult<(BlockId, Vec<BlockId>, i64)> {
    let writer = enter(unit).await?;
    let (id, gone, page) = remove(unit, &writer, id, rest).await?;
    Ok((id, gone, page.version))
}

/// Deletes a block. Returns it in its new state, with the new version of its page.
pub async fn archive(
    unit: &mut Unit,
    id: Draft<BlockId>,
    rest: Draft<ExpectedVersions>,
) -> AppResult<(ShownBlock, i64)> {
    let writer = enter(unit).await?;
    let (id, _, page) = remove(unit, &writer, id, rest).await?;
    show(unit, &writer, &page, id).await
}

async fn remove(
    unit: &mut Unit,
    writer: &Writer,
    id: Draft<BlockId>,
    rest: Draft<ExpectedVersions>,
) -> AppResult<(BlockId, Vec<BlockId>, Page)> {
    let Some((block, seen)) = writer.open_block(unit, &id, false).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let rest = rest?;
    let operations = [Ok(Operation::Delete { block: block.id, version: rest.exactly() })].into();
    let (page, plan) =
        plan_and_save(unit, writer, seen, &Batch { base: rest.base, operations }).await.map_err(single)?;
    let gone = plan.removed.into_iter().next().map(|removal| removal.blocks).unwrap_or_default();
    Ok((block.id, gone, page))
}

async fn show(unit: &mut Unit, writer: &Writer, page: &Page, id: BlockId) -> AppResult<(ShownBlock, i64)> {
    let now = unit.tx.blocks().find(page.workspace, &[id]).await?.pop().ok_or(Fault::NotFound)?;
    Ok((shown::one(unit, &writer.authority, now).await?, page.version))
}

/// Removes the index from flaws of a single operation.
pub(super) fn single(interrupt: crate::outcome::Interrupt) -> crate::outcome::Interrupt {
    match interrupt {
        crate::outcome::Interrupt::Fault(Fault::Blocks(flaws)) => {
            Fault::Blocks(flaws.iter().cloned().map(BlockFlaw::alone).collect()).into()
        }
        interrupt => interrupt,
    }
}

pub(super) async fn plan_and_save(
    unit: &mut Unit,
    writer: &Writer,
    seen: Visible<'_>,
    batch: &Batch,
) -> AppResult<(Page, Plan)> {
    let mut page = seen.page;
    let verdict = check_operations(unit, writer, &page, &batch.operations).await?;
    // Flaws of the call itself are reported before changes that the page has seen meanwhile.
    if !verdict.is_call_flawed() {
        batch.base.unwrap_or(Expected::Any).check(page.version).map_err(Conflict::StaleBase)?;
        require_changeable(&page)?;
    }
    let plan = verdict.plan()?;
    record(unit, &writer.caller, &mut page, Changed::from(&plan)).await?;
    Ok((page, plan))
}
