//! `unique_id`: the number of the record in its database.

use super::{Facts, FilterKind, Rules, SortKind, Storage};

/// The configuration of `unique_id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UniqueIdConfig {
    /// What stands before the number.
    pub prefix: Option<String>,
}

impl UniqueIdConfig {
    /// The id of the record with this number: `<prefix>-0001`, with at least four digits.
    pub fn id_of(&self, number: u64) -> String {
        self.prefix.as_ref().map_or_else(|| format!("{number:04}"), |prefix| format!("{prefix}-{number:04}"))
    }
}

pub(super) struct UniqueId;

impl Rules for UniqueId {
    type Config = UniqueIdConfig;

    const FACTS: Facts = Facts::read_only(
        "The number of the record in its database; numbers are given once.",
        Storage::Record,
        FilterKind::UniqueId,
        SortKind::UniqueNumber,
    );
}
