//! `gallery`: cards with pictures.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "Cards with pictures.",
    grouping: Grouping::Levels,
    keys: &[
        key("coverPropertyId", Rule::Property, "The property with the picture of a card."),
        key("cardsPerRow", Rule::Number { least: 1, most: 50 }, "How many cards stand side by side."),
        key("cardRatio", Rule::Ratio, "Width to height of a card."),
    ],
    start: None,
};
