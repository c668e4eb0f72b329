//! Why a chart is refused.

use octavo_core_model::fault::Violation;
use octavo_databases::query::QueryFault;

/// Something that the properties of the database, or the other settings, do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartProblem {
    /// The setting, for example `axes.x.propertyId`.
    pub field: &'static str,
    /// What would have been right.
    pub message: String,
}

impl ChartProblem {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}

/// Why a chart is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartFault {
    /// It breaks constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// It is well-formed, but cannot be shown; there is at least one problem.
    Unfit(Vec<ChartProblem>),
    /// Its filter cannot be run.
    Filter(QueryFault),
}
