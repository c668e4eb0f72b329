//! `list`: one line for each record.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "One line for each record.",
    grouping: Grouping::Levels,
    keys: &[
        key("showIcons", Rule::Flag, "Whether the icons of records are shown."),
        key("subtitlePropertyId", Rule::Property, "The property that is shown below the title."),
    ],
    start: None,
};
