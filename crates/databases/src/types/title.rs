//! `title`: what a record is called. Every database has exactly one.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{forms::rich, input::InputRules, value::Shape};
use serde_json::{Value, json};

pub(super) struct Title;

impl Rules for Title {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag(
        "The name of the record, which is the title of its page: up to 300 characters. Every database has exactly one.",
        Shape::RichText,
        FilterKind::Text,
        SortKind::Text,
    );

    const INPUT: Option<InputRules<Self::Config>> = Some(rich::title_rules());

    fn value_schema() -> Value {
        rich::schema(300)
    }

    fn unset() -> Value {
        json!({ "text": "", "marks": [] })
    }
}
