//! `rich_text`: a text with marks of which only some lines are shown.

use super::{Facts, FilterKind, Rules, SortKind};

/// The configuration of `rich_text`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichTextConfig {
    /// How many lines are shown; `None` for all.
    pub max_lines: Option<u32>,
}

pub(super) struct RichText;

impl Rules for RichText {
    type Config = RichTextConfig;

    const FACTS: Facts = Facts {
        can_become_title: true,
        ..Facts::in_bag(
            "A longer text with marks, of up to 100000 characters; `maxLines` limits what is shown.",
            FilterKind::Text,
            SortKind::Text,
        )
    };
}
