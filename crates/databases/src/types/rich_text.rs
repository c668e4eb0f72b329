//! `rich_text`: a text with marks of which only some lines are shown.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::{
    forms::rich,
    input::InputRules,
    read::{Fields, whole},
    value::Shape,
};
use serde_json::{Map, Value, json};

/// The configuration of `rich_text`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichTextConfig {
    /// How many lines are shown; `None` for all.
    pub max_lines: Option<u32>,
}

/// The largest number of lines.
const MAX_LINES: u32 = 1000;

impl Config for RichTextConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let before = before.cloned().unwrap_or_default();
        let max_lines = fields.nullable("maxLines", |sent| whole(sent, 1..=MAX_LINES));
        Some(Self { max_lines: max_lines.or(before.max_lines) })
    }

    fn write(&self) -> Map<String, Value> {
        object([("maxLines", json!(self.max_lines))])
    }

    fn keys() -> Map<String, Value> {
        object([("maxLines", json!({ "type": ["integer", "null"], "minimum": 1, "maximum": MAX_LINES }))])
    }
}

pub(super) struct RichText;

impl Rules for RichText {
    type Config = RichTextConfig;

    const FACTS: Facts = Facts {
        can_become_title: true,
        ..Facts::in_bag(
            "A longer text with marks, of up to 100000 characters; `maxLines` limits what is shown.",
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
