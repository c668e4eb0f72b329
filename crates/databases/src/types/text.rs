//! `text`: a text with marks.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{forms::rich, input::InputRules, value::Shape};
use serde_json::Value;

pub(super) struct Text;

impl Rules for Text {
    type Config = NoConfig;

    const FACTS: Facts = Facts {
        can_become_title: true,
        ..Facts::in_bag(
            "A text with marks, of up to 100000 characters.",
            Shape::RichText,
            FilterKind::Text,
            SortKind::Text,
        )
    };

    const INPUT: Option<InputRules<Self::Config>> = Some(rich::rules());

    fn value_schema() -> Value {
        rich::schema(octavo_blocks_tree::RichText::MAX_CHARS)
    }
}
