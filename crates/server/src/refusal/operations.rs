//! Refusals of calls with several operations.

use super::{Problem, Refusal};
use actix_web::http::StatusCode;
use octavo_core_model::fault::FailedOperation;
use serde_json::json;

/// The kind of the first failure determines the answer; every failure of this kind is reported with the place of its
/// operation.
pub(super) fn problem(failed: &[FailedOperation]) -> Problem {
    let mut problems = failed.iter().map(|failed| (failed.operation, Refusal::from((*failed.fault).clone()).problem()));
    let Some((operation, first)) = problems.next() else {
        return Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", "An operation failed.");
    };
    let kind = (first.status, first.code);
    let mut details = located(operation, &first);
    for (operation, problem) in problems.filter(|(_, problem)| (problem.status, problem.code) == kind) {
        details.extend(located(operation, &problem));
    }
    Problem { details, ..first }
}

/// The details of a failure with the place of its operation.
fn located(operation: usize, problem: &Problem) -> Vec<serde_json::Value> {
    if problem.details.is_empty() {
        return vec![json!({ "op": operation })];
    }
    let place = |detail: &serde_json::Value| {
        let mut detail = detail.clone();
        detail["op"] = operation.into();
        detail
    };
    problem.details.iter().map(place).collect()
}

pub(super) fn too_many(most: u32) -> Problem {
    let message = format!("A call has at most {most} operations. Send the rest in another one.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
        .detail(json!({ "field": "ops", "issue": "too_long", "limit": most }))
}
