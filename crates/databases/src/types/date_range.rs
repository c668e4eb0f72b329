//! `date_range`: from one day or point in time to another.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct DateRange;

impl Rules for DateRange {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag("From one day or point in time to another.", FilterKind::Date, SortKind::Date);
}
