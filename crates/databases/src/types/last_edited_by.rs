//! `last_edited_by`: who last changed the record.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind, Storage};

pub(super) struct LastEditedBy;

impl Rules for LastEditedBy {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::read_only("Who last changed the record.", Storage::Record, FilterKind::Person, SortKind::PersonName);
}
