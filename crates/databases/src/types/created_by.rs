//! `created_by`: who created the record.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind, Storage};

pub(super) struct CreatedBy;

impl Rules for CreatedBy {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::read_only("Who created the record.", Storage::Record, FilterKind::Person, SortKind::PersonName);
}
