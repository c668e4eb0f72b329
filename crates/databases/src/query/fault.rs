//! Why a query, or the filter, sort or group of a view, is refused.

use octavo_core_model::{fault::Violation, named};

named! {
    /// What is wrong with a well-formed query.
    QueryIssue {
        /// The filter is no tree of conditions that fit their properties.
        InvalidFilter = "invalid_filter",
        /// Records cannot be sorted like this.
        InvalidSort = "invalid_sort",
        /// Records cannot be grouped like this.
        InvalidGroup = "invalid_group",
        /// Values of this type cannot be summed up like this.
        AggregateType = "aggregate_type",
    }
}

/// A part of a query that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryRefusal {
    /// What is wrong.
    pub issue: QueryIssue,
    /// Where: within the tree of a filter, for example `conditions.0.value`, and otherwise within the query, for
    /// example `sort.0.propertyId`.
    pub path: String,
    /// What would have been right.
    pub message: String,
}

impl QueryRefusal {
    pub(crate) fn new(issue: QueryIssue, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { issue, path: path.into(), message: message.into() }
    }
}

/// Why a query is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryFault {
    /// It breaks constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// It is well-formed, but cannot be run; there is at least one reason.
    Refused(Vec<QueryRefusal>),
}

/// The flaws that were found while a query was read.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) violations: Vec<Violation>,
    pub(crate) refusals: Vec<QueryRefusal>,
}

impl Findings {
    /// What was read, if nothing was found. Constraints come before meaning.
    pub(crate) fn or<T>(self, read: Option<T>) -> Result<T, QueryFault> {
        match read {
            Some(read) if self.violations.is_empty() && self.refusals.is_empty() => Ok(read),
            _ if !self.violations.is_empty() => Err(QueryFault::Invalid(self.violations)),
            _ => Err(QueryFault::Refused(self.refusals)),
        }
    }
}
