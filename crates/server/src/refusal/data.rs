//! Refusals of changes of databases and records that are well-formed but not possible.

use super::Problem;
use actix_web::http::StatusCode;
use octavo_core_model::fault::{DataIssue, DataProblem};
use serde_json::{Value, json};

/// The first reason determines the message; every reason is a detail.
pub(super) fn problem(problems: &[DataProblem]) -> Problem {
    let message = problems.first().map_or("This is not possible.", |problem| message(problem.issue));
    Problem {
        details: problems.iter().map(detail).collect(),
        ..Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE_ENTITY", message)
    }
}

const fn message(issue: DataIssue) -> &'static str {
    match issue {
        DataIssue::AggregateType => "This property has no values that can be aggregated like this.",
        DataIssue::AmbiguousMatch => "Several records match. Name the record by its id.",
        DataIssue::CannotDeleteTitleProperty => {
            "Every database has a title. Make another text property the title first."
        }
        DataIssue::CardinalityViolation => "The relation does not allow so many links.",
        DataIssue::ChartInvalid => "The properties of the database do not allow this chart.",
        DataIssue::CycleDetected => "A record cannot be a part of itself.",
        DataIssue::HasDependents => {
            "Rollups or formulas use this property. Delete them first, or send `cascade=true` to delete them too."
        }
        DataIssue::ImmutableType => "The type of a view cannot be changed. Create another view.",
        DataIssue::InvalidFilter => "The filter does not fit the properties of the database.",
        DataIssue::InvalidGroup => "The records cannot be grouped like this.",
        DataIssue::InvalidSort => "The records cannot be sorted like this.",
        DataIssue::LastView => "Every database has a view. Create another one first.",
        DataIssue::MaxDepth => "Records can be nested at most 10 deep.",
        DataIssue::NotTextCompatible => "Only a property of the type text or rich_text can become the title.",
        DataIssue::ReadOnlyProperty => "The values of this property are set by the service.",
        DataIssue::RelationIntegrity => "A linked record does not exist in the target database.",
        DataIssue::TooLarge => {
            "This computes more than fits into the memory of one query. Shorten what its formulas and rollups make."
        }
        DataIssue::UnknownFile => "A file of the value does not exist.",
        DataIssue::UnknownPrincipal => "A user of the value does not belong to the workspace.",
        DataIssue::ViewConfigInvalid => "The configuration of the view does not fit the properties of the database.",
        DataIssue::WidgetLayout => "Widgets overlap, or are outside the grid.",
    }
}

fn detail(problem: &DataProblem) -> Value {
    let mut detail = json!({ "issue": problem.issue });
    if let Some(field) = &problem.field {
        detail["field"] = json!(field);
    }
    if let Some(path) = &problem.path {
        detail["path"] = json!(path);
    }
    if let Some(property) = problem.property {
        detail["property"] = json!(property);
    }
    // Dependents that the caller may not know are not named.
    if problem.issue == DataIssue::HasDependents {
        detail["dependents"] = json!(problem.dependents);
    }
    if let Some(rule) = &problem.rule {
        detail["rules"] = json!([rule]);
    }
    if !problem.records.is_empty() {
        detail["recordIds"] = json!(problem.records);
    }
    detail
}
