//! Refusals of imports of tables.

use super::{Problem, Refusal};
use actix_web::http::StatusCode;
use octavo_core_model::fault::{ImportFault, RejectedRow};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The row in the description of refusals.
pub(crate) const SHOWN_ROW: &[RejectedRow] =
    &[RejectedRow { row: 7, column: Some(Cow::Borrowed("Due")), issue: "invalid_format" }];

pub(super) fn problem(fault: &ImportFault) -> Problem {
    match fault {
        ImportFault::TooManyRows(most) => {
            let message = format!("A table has at most {most} rows. Import it in parts.");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
                .detail(json!({ "field": "content", "issue": "too_long", "limit": most, "unit": "rows" }))
        }
        ImportFault::Rejected(rows) => Problem {
            details: rows.iter().map(row).collect(),
            ..Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "UNPROCESSABLE_ENTITY",
                "Some rows cannot become records, so none was imported; see the details.",
            )
        },
        ImportFault::Stopped { database, imported, row, cause } => {
            let problem = Refusal::from((**cause).clone()).problem();
            let message = format!("The import stopped before row {row}: {}", problem.message);
            let place = json!({ "databaseId": database, "importedRecords": imported, "row": row });
            let details = match problem.details.split_first() {
                Some((first, rest)) => [with(first, &place)].into_iter().chain(rest.iter().cloned()).collect(),
                None => vec![place],
            };
            Problem { message: message.into(), details, ..problem }
        }
    }
}

fn row(row: &RejectedRow) -> Value {
    json!({ "row": row.row, "column": row.column, "issue": row.issue })
}

/// A detail with the keys of another one.
fn with(detail: &Value, more: &Value) -> Value {
    let mut detail = detail.clone();
    for (key, value) in more.as_object().into_iter().flatten() {
        detail[key] = value.clone();
    }
    detail
}
