//! Faults of charts as faults of use cases.

use crate::databases::faults::of_query;
use octavo_charts::{ChartFault, ChartProblem};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
};

pub(crate) fn of_chart(fault: ChartFault) -> Fault {
    match fault {
        ChartFault::Invalid(violations) => Fault::Invalid(violations),
        ChartFault::Unfit(problems) => Fault::Data(problems.into_iter().map(of_problem).collect::<Vec<_>>().into()),
        ChartFault::Filter(fault) => of_query(fault),
    }
}

fn of_problem(ChartProblem { field, message }: ChartProblem) -> DataProblem {
    DataProblem { rule: Some(message), ..DataProblem::in_field(DataIssue::ChartInvalid, field) }
}

/// The store holds settings that this release cannot read.
pub(crate) const fn unreadable() -> Fault {
    Fault::Internal("the settings of a chart cannot be read")
}
