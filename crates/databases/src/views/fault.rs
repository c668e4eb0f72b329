//! Why views are refused.

use crate::query::{Findings, QueryFault, QueryRefusal};
use octavo_core_model::fault::Violation;

/// A change of a view that is well-formed, but cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewRefusal {
    /// A key of the configuration does not fit the schema.
    ConfigInvalid {
        /// The key.
        field: &'static str,
        /// What would have been right.
        message: String,
    },
    /// The filter, sort or group cannot be run.
    Query(QueryRefusal),
    /// The type of a view cannot be changed.
    TypeImmutable,
    /// A database has at least one view.
    LastView,
}

impl ViewRefusal {
    /// The name of the reason in the API.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ConfigInvalid { .. } => "view_config_invalid",
            Self::Query(refusal) => refusal.issue.name(),
            Self::TypeImmutable => "immutable",
            Self::LastView => "last_view",
        }
    }

    /// The field of the view that is refused. Parts of a query have a path of their own.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::ConfigInvalid { field, .. } => Some(field),
            Self::TypeImmutable => Some("type"),
            Self::Query(_) | Self::LastView => None,
        }
    }
}

/// Why a view is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewFault {
    /// What was sent breaks constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// It is well-formed, but cannot be done; there is at least one reason.
    Refused(Vec<ViewRefusal>),
    /// The view is locked, and the change is one of its configuration, filter, sort or group.
    Locked,
    /// The database has as many views as it may have.
    LimitReached {
        /// How many that is.
        limit: usize,
    },
}

/// The flaws that were found while views were read.
#[derive(Debug, Default)]
pub(in crate::views) struct ViewFindings {
    pub(in crate::views) violations: Vec<Violation>,
    pub(in crate::views) refusals: Vec<ViewRefusal>,
}

impl ViewFindings {
    /// Adds what was found in the filter, sort or group.
    pub(in crate::views) fn add(&mut self, found: Findings) {
        self.violations.extend(found.violations);
        self.refusals.extend(found.refusals.into_iter().map(ViewRefusal::Query));
    }

    /// What was read, if nothing was found. Constraints come before meaning.
    pub(in crate::views) fn or<T>(self, read: Option<T>) -> Result<T, ViewFault> {
        match read {
            Some(read) if self.violations.is_empty() && self.refusals.is_empty() => Ok(read),
            _ if !self.violations.is_empty() => Err(ViewFault::Invalid(self.violations)),
            _ => Err(ViewFault::Refused(self.refusals)),
        }
    }
}

impl From<QueryFault> for ViewFault {
    fn from(fault: QueryFault) -> Self {
        match fault {
            QueryFault::Invalid(violations) => Self::Invalid(violations),
            QueryFault::Refused(refusals) => Self::Refused(refusals.into_iter().map(ViewRefusal::Query).collect()),
        }
    }
}
