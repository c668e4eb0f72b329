//! Refusals of documents that cannot become blocks.

use super::problem::Problem;
use actix_web::http::StatusCode;
use octavo_core_model::fault::{TextFlaw, TextProblem};
use serde_json::{Value, json};

pub(super) fn problem(flaw: TextFlaw) -> Problem {
    let unprocessable = |message: &'static str, detail: Value| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE_ENTITY", message).detail(numbered(flaw, detail))
    };
    match flaw.problem {
        TextProblem::FindNotFound => {
            unprocessable("The page does not contain this text.", json!({ "issue": "find_not_found", "matches": 0 }))
        }
        TextProblem::FindNotUnique { matches } => unprocessable(
            "The page contains this text in several places. Send more of it, or `all: true`.",
            json!({ "issue": "find_not_unique", "matches": matches }),
        ),
        TextProblem::UnknownBlock(block) => {
            Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", "Some values are not valid; see the details.")
                .detail(numbered(flaw, json!({ "field": "blockId", "issue": "unknown_block", "received": block })))
        }
        TextProblem::TooLong { most } => {
            let message = format!("The text is longer than {most} bytes.");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
                .detail(numbered(flaw, json!({ "issue": "too_large", "maxBytes": most })))
        }
        TextProblem::TooDeep => unprocessable("Blocks can be nested at most 50 deep.", json!({ "issue": "max_depth" })),
        TextProblem::TooMuch { most, unit } => unprocessable(
            "The text makes more blocks, cells or marks than one call accepts.",
            json!({ "issue": "too_large", "resource": "page", "limit": most, "unit": unit }),
        ),
        TextProblem::InvalidNesting => {
            unprocessable("A block of this type cannot be placed there.", json!({ "issue": "invalid_nesting" }))
        }
    }
}

fn numbered(flaw: TextFlaw, mut detail: Value) -> Value {
    if let Some(index) = flaw.index {
        detail["index"] = index.into();
    }
    detail
}
