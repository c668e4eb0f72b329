//! Checks a batch. The result is a plan or a list of all flaws.

use super::{Writer, known, named};
use crate::{
    outcome::{AppResult, Interrupt},
    scope::Unit,
};
use octavo_blocks_tree::batch::{self, BatchInputs, Operation, PartialPlan, Plan, SiblingsNeeded};
use octavo_core_model::{
    Fault,
    fault::{BlockFlaw, BlockProblem, Issue, Violation},
    id::BlockId,
    page::Page,
};
use std::borrow::Borrow;

/// An operation that could not be parsed.
#[derive(Clone, Debug)]
pub struct InvalidOperation {
    pub flaws: Vec<Violation>,
    /// The block that the operation would have created. Flaws that are only consequences of its absence are not
    /// reported.
    pub block: Option<BlockId>,
}

/// The plan for operations, with all their flaws.
pub(super) struct CheckedOperations {
    plan: Plan,
    flaws: Vec<BlockFlaw>,
}

impl CheckedOperations {
    /// Whether a flaw is in the call itself, no matter which page it addresses.
    pub(super) fn is_call_flawed(&self) -> bool {
        let is_of_the_call = |flaw: &BlockFlaw| match &flaw.problem {
            BlockProblem::Invalid(flaw) => !matches!(flaw.issue, Issue::AnchorNotSibling | Issue::PositionTaken),
            _ => false,
        };
        self.flaws.iter().any(is_of_the_call)
    }

    pub(super) fn plan(self) -> Result<Plan, Fault> {
        if self.flaws.is_empty() { Ok(self.plan) } else { Err(Fault::Blocks(self.flaws.into())) }
    }
}

/// Checks the syntax of operations, their fit with the blocks of the page, and whether the things they name exist for
/// the writer. Reports all flaws, in the order of the operations.
pub(super) async fn check_operations(
    unit: &mut Unit,
    writer: &Writer,
    page: &Page,
    sent: &[Result<Operation, InvalidOperation>],
) -> AppResult<CheckedOperations> {
    let (mut numbers, mut operations, mut flaws) = (Vec::new(), Vec::new(), Vec::new());
    let mut unmade = Vec::new();
    for (number, sent) in sent.iter().enumerate() {
        match sent {
            Ok(operation) => {
                numbers.push(number);
                operations.push(operation);
            }
            Err(InvalidOperation { flaws: of_it, block }) => {
                unmade.extend(*block);
                flaws.extend(of_it.iter().map(|flaw| BlockFlaw::new(number, BlockProblem::Invalid(flaw.clone()))));
            }
        }
    }
    let PartialPlan { plan, flaws: more } = plan_what_is_possible(unit, writer, page, &operations, unmade).await?;
    let hidden = named::missing(unit, writer, &operations, &plan.named).await?;
    let renumbered = |flaw: BlockFlaw| {
        let operation = flaw.operation.and_then(|index| numbers.get(index)).copied();
        BlockFlaw { operation, ..flaw }
    };
    flaws.extend(more.into_iter().chain(hidden).map(renumbered));
    flaws.sort_by_key(|flaw| flaw.operation);
    Ok(CheckedOperations { plan, flaws })
}

/// Plans operations that must succeed together. Does not check whether the things they mention exist.
pub(super) async fn plan(unit: &mut Unit, writer: &Writer, page: &Page, operations: &[Operation]) -> AppResult<Plan> {
    let PartialPlan { plan, flaws } = plan_what_is_possible(unit, writer, page, operations, Vec::new()).await?;
    CheckedOperations { plan, flaws }.plan().map_err(Interrupt::from)
}

/// Plans as many operations as possible, and loads what the plan needs.
async fn plan_what_is_possible(
    unit: &mut Unit,
    writer: &Writer,
    page: &Page,
    operations: &[impl Borrow<Operation> + Sync],
    unmade: Vec<BlockId>,
) -> AppResult<PartialPlan> {
    let asked = BatchInputs::by(operations);
    let mut known = known::load(unit, page, &asked).await?;
    let sources = asked.sources.iter().filter_map(|id| Some((*id, known.existing.get(id)?.page)));
    known.hidden = named::hidden(unit, writer, page.id, sources).await?;
    known.unmade.extend(unmade);
    let stamp = writer.stamp(unit, page);
    loop {
        match batch::apply_partly(&known, operations, &stamp, &mut || unit.id(BlockId::new)) {
            Ok(judgement) => return Ok(judgement),
            Err(SiblingsNeeded(parent)) if !known.whole.contains(&parent) => {
                known::load_siblings(unit, &mut known, (page.workspace, page.id), parent).await?;
            }
            Err(SiblingsNeeded(_)) => {
                // All siblings are known and evenly spread, so this can only be a position that the caller chose at
                // the very end of the key space.
                let flaw = Violation::new("position", Issue::InvalidPosition);
                let flaws = vec![BlockFlaw::new(0, BlockProblem::Invalid(flaw))];
                return Ok(PartialPlan { plan: Plan::default(), flaws });
            }
        }
    }
}
