//! Why a change of a database, of its properties or of its records is impossible, although it is well-formed.

use crate::{
    id::{PropertyId, RecordId},
    name::named,
};

named! {
    /// What is impossible.
    DataIssue {
        /// The operation of an aggregate does not fit the type of the property.
        AggregateType = "aggregate_type",
        /// Several records match what was sent.
        AmbiguousMatch = "ambiguous_match",
        /// The title of a database cannot be deleted.
        CannotDeleteTitleProperty = "cannot_delete_title_property",
        /// The relation does not allow so many links.
        CardinalityViolation = "cardinality_violation",
        /// The properties no longer allow this chart, or do not allow it at all.
        ChartInvalid = "chart_invalid",
        /// A record would become a part of itself.
        CycleDetected = "cycle_detected",
        /// Rollups or formulas use the property.
        HasDependents = "has_dependents",
        /// The type of a view cannot be changed.
        ImmutableType = "immutable",
        /// A filter that the properties do not allow.
        InvalidFilter = "invalid_filter",
        /// Groups that the properties or the view do not allow.
        InvalidGroup = "invalid_group",
        /// An order that the properties do not allow.
        InvalidSort = "invalid_sort",
        /// A database always has a view.
        LastView = "last_view",
        /// Records would be nested deeper than allowed.
        MaxDepth = "max_depth",
        /// A property of this type cannot become the title.
        NotTextCompatible = "not_text_compatible",
        /// Callers cannot write the values of the property.
        ReadOnlyProperty = "read_only_property",
        /// A linked record does not exist in the target database.
        RelationIntegrity = "relation_integrity",
        /// A query would hold more memory than one query may.
        TooLarge = "too_large",
        /// A file of the value does not exist.
        UnknownFile = "unknown_file",
        /// A user of the value does not belong to the workspace.
        UnknownPrincipal = "unknown_principal",
        /// The configuration of a view does not fit the properties.
        ViewConfigInvalid = "view_config_invalid",
        /// Widgets of a dashboard overlap or are outside its grid.
        WidgetLayout = "widget_layout",
    }
}

/// One reason, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataProblem {
    /// The reason.
    pub issue: DataIssue,
    /// The field of the body that is at fault.
    pub field: Option<String>,
    /// The place in a filter, an order or groups that is at fault.
    pub path: Option<String>,
    /// The property whose value is refused.
    pub property: Option<PropertyId>,
    /// The properties that use the one to be deleted.
    pub dependents: Vec<PropertyId>,
    /// Records that break the rule.
    pub records: Vec<RecordId>,
    /// What would have been right, for people.
    pub rule: Option<String>,
}

impl DataProblem {
    /// A reason that says everything.
    pub const fn new(issue: DataIssue) -> Self {
        Self { issue, field: None, path: None, property: None, dependents: Vec::new(), records: Vec::new(), rule: None }
    }

    /// A reason about a field of the body.
    pub fn in_field(issue: DataIssue, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(issue) }
    }

    /// A reason about a place in a filter, an order or groups.
    pub fn at_path(issue: DataIssue, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::new(issue) }
    }

    /// A reason about the value of a property.
    pub fn of_property(issue: DataIssue, property: PropertyId) -> Self {
        Self { property: Some(property), field: Some(format!("properties.{property}")), ..Self::new(issue) }
    }
}
