//! `created_time`: when the record was created.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind, Storage};

pub(super) struct CreatedTime;

impl Rules for CreatedTime {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::read_only("When the record was created.", Storage::Record, FilterKind::Date, SortKind::Date);
}
