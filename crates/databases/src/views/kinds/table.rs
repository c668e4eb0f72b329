//! `table`: records as rows, properties as columns.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Records as rows, properties as columns.",
    grouping: Grouping::Levels,
    keys: &[
        key("columnWidths", Rule::Widths, "The widths of columns in pixels, by the ids of properties."),
        key("headerRow", Rule::Flag, "Whether the names of the properties stand above the columns."),
        key("zebra", Rule::Flag, "Whether every second row has another colour."),
    ],
    start: None,
};
