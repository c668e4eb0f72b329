//! `formula`: an expression over the other properties of the record.

use super::{Facts, FilterKind, Rules, SortKind, Storage};

/// The configuration of `formula`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormulaConfig {
    /// The expression; it names properties by their ids.
    pub expression: String,
}

pub(super) struct Formula;

impl Rules for Formula {
    type Config = FormulaConfig;

    const FACTS: Facts = Facts::read_only(
        "An expression over the other properties of the record, computed when it is read.",
        Storage::Computed,
        FilterKind::Computed,
        SortKind::Computed,
    );
}
