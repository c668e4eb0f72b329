//! Refusals of changes to blocks.

use super::problem::{Problem, violation_detail};
use actix_web::http::StatusCode;
use octavo_core_model::{
    fault::{BlockFlaw, BlockProblem, Violation},
    id::BlockId,
};
use serde_json::{Value, json};

/// The kind of the first flaw determines the status; every flaw is reported with the index of its operation.
pub(super) fn problem(flaws: &[BlockFlaw]) -> Problem {
    let Some(first) = flaws.first() else { return of(&BlockProblem::Unknown("blockId")) };
    Problem { details: flaws.iter().map(detail).collect(), ..of(&first.problem) }
}

pub(super) fn not_in_version(unknown: &[BlockId]) -> Problem {
    let detail = |block: &BlockId| json!({ "field": "blockIds", "issue": "block_not_in_version", "received": block });
    let problem = unprocessable("This version of the page does not contain all of these blocks.");
    Problem { details: unknown.iter().map(detail).collect(), ..problem }
}

fn of(problem: &BlockProblem) -> Problem {
    match problem {
        BlockProblem::Invalid(_) | BlockProblem::Unknown(_) => {
            Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", "Some values are not valid; see the details.")
        }
        BlockProblem::Missing(_) => {
            Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "It does not exist, or you have no access to it.")
        }
        BlockProblem::Taken(_) => Problem::new(StatusCode::CONFLICT, "CONFLICT", "This id is taken."),
        BlockProblem::Stale(_) => Problem::new(
            StatusCode::CONFLICT,
            "CONFLICT",
            "The block was changed in the meantime. Read it again, then decide.",
        ),
        BlockProblem::InvalidNesting { .. } => unprocessable("A block of this type cannot be placed there."),
        BlockProblem::CycleDetected(_) => unprocessable("A block cannot be placed inside itself."),
        BlockProblem::MaxDepth(_) => unprocessable("Blocks can be nested at most 50 deep."),
        BlockProblem::SyncedReadonly { .. } => unprocessable("This block shows another one. Change that one."),
        BlockProblem::SyncCycle(_) => unprocessable("A block cannot show itself, nor one that shows another."),
    }
}

fn unprocessable(message: &'static str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE_ENTITY", message)
}

fn detail(flaw: &BlockFlaw) -> Value {
    let path = |field: &str| flaw.part.map_or_else(|| field.to_owned(), |part| format!("{part}.{field}"));
    let mut detail = match &flaw.problem {
        BlockProblem::Invalid(flaw) => violation_detail(&Violation { field: path(&flaw.field), ..flaw.clone() }),
        BlockProblem::Unknown(field) => json!({ "field": field, "issue": "unknown_block" }),
        // The cause of a 404 is named in `reason`, that of an operation in `issue`. This is both.
        BlockProblem::Missing(field) => json!({ "field": path(field), "issue": "not_found", "reason": "not_found" }),
        BlockProblem::Taken(block) => json!({ "field": path("id"), "issue": "already_exists", "block": block }),
        BlockProblem::Stale(stale) => json!({
            "field": "version",
            "issue": "version_mismatch",
            "expected": stale.actual,
            "received": stale.received,
        }),
        BlockProblem::InvalidNesting { block, parent } => {
            json!({ "field": path("parentId"), "issue": "invalid_nesting", "block": block, "parent": parent })
        }
        BlockProblem::CycleDetected(block) => {
            json!({ "field": path("parentId"), "issue": "cycle_detected", "block": block })
        }
        BlockProblem::MaxDepth(block) => json!({ "field": path("parentId"), "issue": "max_depth", "block": block }),
        BlockProblem::SyncedReadonly { source } => {
            json!({ "field": "blockId", "issue": "synced_block_readonly", "sourceBlockId": source })
        }
        BlockProblem::SyncCycle(block) => {
            // Only a new block names its source; others are in a place where they may not be.
            let field = if flaw.part.is_none_or(|part| part == "block") { "content.sourceBlockId" } else { "parentId" };
            json!({ "field": path(field), "issue": "sync_cycle", "block": block })
        }
    };
    if let Some(operation) = flaw.operation {
        detail["op"] = operation.into();
    }
    detail
}
