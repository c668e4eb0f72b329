//! `calendar`: records on the days of a month.

use super::{
    Grouping, Layout, Start,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Records on the days of a month.",
    grouping: Grouping::Nowhere,
    keys: &[
        key("startDatePropertyId", Rule::DateProperty, "The property with the day, or the first of several days."),
        key("endDatePropertyId", Rule::DateProperty, "The property with the last day."),
        key("weekStartsOn", Rule::Weekday, "The first day of a week."),
        key("monthDensity", Rule::Word, "How much of a month is shown at once."),
    ],
    start: Some(Start::Optional),
};
