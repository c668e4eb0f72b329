//! `dashboard`: several charts and views.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Several charts and views.",
    grouping: Grouping::Nowhere,
    keys: &[key("dashboardId", Rule::Dashboard, "The dashboard, which belongs to the same database.")],
    start: None,
};
