//! `board`: cards in columns, one column for each group.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Cards in columns, one column for each group.",
    grouping: Grouping::Columns,
    keys: &[
        key("cardProperties", Rule::Properties, "The properties on a card, in their order."),
        key("cardLayout", Rule::OneOf(&["cover", "title", "compact"]), "What a card shows first."),
        key("columnWidthPx", Rule::Number { least: 1, most: 10_000 }, "The width of a column in pixels."),
    ],
    start: None,
};
