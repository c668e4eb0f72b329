//! `chart`: a chart of the database.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "A chart of the database.",
    grouping: Grouping::Nowhere,
    keys: &[key("chartId", Rule::Chart, "The chart, which belongs to the same database.")],
    start: None,
};
