//! `date`: a day or a point in time, possibly with an end.

use super::{Facts, FilterKind, Rules, SortKind};
use octavo_core_model::text::TimeZone;

/// The configuration of `date`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DateConfig {
    /// Whether times are shown.
    pub include_time: bool,
    /// The time zone for times that are written without one.
    pub time_zone: Option<TimeZone>,
}

pub(super) struct Date;

impl Rules for Date {
    type Config = DateConfig;

    const FACTS: Facts =
        Facts::in_bag("A day or a point in time, possibly with an end.", FilterKind::Date, SortKind::Date).for_boards();
}
