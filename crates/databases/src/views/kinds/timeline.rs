//! `timeline`: records as bars along time.

use super::{
    Grouping, Layout, Start,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Records as bars along time.",
    grouping: Grouping::Nowhere,
    keys: &[
        key("startDatePropertyId", Rule::DateProperty, "The property with the beginning of a bar."),
        key("endDatePropertyId", Rule::DateProperty, "The property with the end of a bar."),
        key("scale", Rule::OneOf(&["day", "week", "month", "quarter"]), "The unit of the axis."),
        key("lanePropertyId", Rule::Property, "The property whose values are the lanes."),
    ],
    start: Some(Start::Required),
};
