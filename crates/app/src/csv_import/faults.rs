//! Faults of the rules for columns and rows, as an import reports them.

use super::step::Opened;
use octavo_core_model::{Fault, fault::RejectedRow, id::PropertyId};
use octavo_databases::import::MappingFault;

pub(super) fn of_mapping(fault: MappingFault) -> Fault {
    match fault {
        MappingFault::Invalid(violations) => Fault::Invalid(violations),
        MappingFault::Taken(field) => Fault::FieldTaken(field.into()),
    }
}

/// A row that did not become a record. Only its first flaw is reported.
pub(super) fn rejected(row: u64, fault: &Fault, opened: &Opened) -> RejectedRow {
    let (property, issue) = match fault {
        Fault::Invalid(violations) => {
            let first = violations.first();
            let property = first.and_then(|flaw| flaw.field.strip_prefix("properties.")?.parse::<PropertyId>().ok());
            (property, first.map(|flaw| flaw.issue.name()))
        }
        Fault::Data(problems) => {
            let first = problems.first();
            (first.and_then(|problem| problem.property), first.map(|problem| problem.issue.name()))
        }
        _ => (None, None),
    };
    let name = |property| opened.columns.iter().find(|column| column.property == property);
    RejectedRow {
        row,
        column: property.and_then(name).map(|column| column.name.clone().into()),
        issue: issue.unwrap_or("invalid_value"),
    }
}
