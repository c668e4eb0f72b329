//! Faults of the pure rules as faults of use cases.

use octavo_core_model::{
    Fault,
    fault::{Conflict, DataIssue, DataProblem},
};
use octavo_databases::{
    fault::{Refusal, SchemaFault, ValuesFault},
    query::{QueryFault, QueryIssue, QueryRefusal},
    views::{ViewFault, ViewRefusal},
};

pub(super) fn of_schema(fault: SchemaFault) -> Fault {
    match fault {
        SchemaFault::Invalid(violations) => Fault::Invalid(violations),
        SchemaFault::UnknownProperty => Fault::NotFound,
        SchemaFault::DuplicateName { field, .. } => Fault::FieldTaken(field.into()),
        SchemaFault::LimitReached { limit, .. } => limit_reached(limit),
        SchemaFault::Refused(refusal) => of_refusal(&refusal).into(),
    }
}

pub(crate) fn of_values(fault: ValuesFault) -> Fault {
    match fault {
        ValuesFault::Invalid(violations) => Fault::Invalid(violations),
        ValuesFault::Refused(refusals) => of_refusals(&refusals),
    }
}

pub(crate) fn of_refusals(refusals: &[Refusal]) -> Fault {
    Fault::Data(refusals.iter().map(of_refusal).collect::<Vec<_>>().into())
}

fn of_refusal(refusal: &Refusal) -> DataProblem {
    let issue = match refusal {
        Refusal::ReadOnlyProperty(_) => DataIssue::ReadOnlyProperty,
        Refusal::CannotDeleteTitleProperty => DataIssue::CannotDeleteTitleProperty,
        Refusal::HasDependents(dependents) => {
            return DataProblem { dependents: dependents.clone(), ..DataProblem::new(DataIssue::HasDependents) };
        }
        Refusal::NotTextCompatible => DataIssue::NotTextCompatible,
        Refusal::UnknownPrincipal(_) => DataIssue::UnknownPrincipal,
        Refusal::UnknownFile(_) => DataIssue::UnknownFile,
        Refusal::RelationIntegrity(_) => DataIssue::RelationIntegrity,
        Refusal::AmbiguousMatch(_) => DataIssue::AmbiguousMatch,
        Refusal::CardinalityViolation(_) => DataIssue::CardinalityViolation,
    };
    match refusal.property() {
        Some(property) => DataProblem::of_property(issue, property),
        None => DataProblem::new(issue),
    }
}

pub(super) fn of_view(fault: ViewFault) -> Fault {
    match fault {
        ViewFault::Invalid(violations) => Fault::Invalid(violations),
        ViewFault::Refused(refusals) => {
            Fault::Data(refusals.into_iter().map(of_view_refusal).collect::<Vec<_>>().into())
        }
        ViewFault::Locked => Fault::Conflict(Conflict::ViewLocked),
        ViewFault::LimitReached { limit } => limit_reached(limit),
    }
}

fn of_view_refusal(refusal: ViewRefusal) -> DataProblem {
    match refusal {
        ViewRefusal::ConfigInvalid { field, message } => {
            DataProblem { rule: Some(message), ..DataProblem::in_field(DataIssue::ViewConfigInvalid, field) }
        }
        ViewRefusal::Query(refusal) => of_query_refusal(refusal),
        ViewRefusal::TypeImmutable => DataProblem::in_field(DataIssue::ImmutableType, "type"),
        ViewRefusal::LastView => DataProblem::new(DataIssue::LastView),
    }
}

pub(crate) fn of_query(fault: QueryFault) -> Fault {
    match fault {
        QueryFault::Invalid(violations) => Fault::Invalid(violations),
        QueryFault::Refused(refusals) => {
            Fault::Data(refusals.into_iter().map(of_query_refusal).collect::<Vec<_>>().into())
        }
    }
}

fn of_query_refusal(refusal: QueryRefusal) -> DataProblem {
    let issue = match refusal.issue {
        QueryIssue::InvalidFilter => DataIssue::InvalidFilter,
        QueryIssue::InvalidSort => DataIssue::InvalidSort,
        QueryIssue::InvalidGroup => DataIssue::InvalidGroup,
        QueryIssue::AggregateType => DataIssue::AggregateType,
    };
    DataProblem { rule: Some(refusal.message), ..DataProblem::at_path(issue, refusal.path) }
}

fn limit_reached(limit: usize) -> Fault {
    Fault::Conflict(Conflict::LimitReached(u32::try_from(limit).unwrap_or(u32::MAX)))
}
