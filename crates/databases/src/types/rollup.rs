//! `rollup`: a summary of a property of the linked records.

use super::{Facts, FilterKind, Rules, SortKind, Storage};
use octavo_core_model::{id::PropertyId, named};
use serde_json::Value;

named! {
    /// How the values of linked records become one.
    Aggregate {
        Count = "COUNT",
        Sum = "SUM",
        Average = "AVERAGE",
        Min = "MIN",
        Max = "MAX",
        Percent = "PERCENT",
        Unique = "UNIQUE",
    }
}

/// The configuration of `rollup`.
#[derive(Clone, Debug, PartialEq)]
pub struct RollupConfig {
    /// The relation whose links are followed, a property of the same database.
    pub relation: PropertyId,
    /// The property of the linked records, a property of the relation's target.
    pub target: PropertyId,
    /// What is computed.
    pub aggregate: Aggregate,
    /// Which linked records count; a filter on the target.
    pub filter: Option<Value>,
}

pub(super) struct Rollup;

impl Rules for Rollup {
    type Config = RollupConfig;

    const FACTS: Facts = Facts::read_only(
        "A summary of a property of the linked records, computed when it is read.",
        Storage::Computed,
        FilterKind::Computed,
        SortKind::Computed,
    );
}
