//! `multi_select`: any number of the options.

use super::{Facts, FilterKind, Rules, SortKind};
use crate::options::Options;
use crate::{forms::choice, input::InputRules, value::Shape};
use serde_json::Value;

pub(super) struct MultiSelect;

impl Rules for MultiSelect {
    type Config = Options;

    const FACTS: Facts =
        Facts::in_bag("Up to 100 of the options.", Shape::Options, FilterKind::Choices, SortKind::OptionOrder)
            .for_boards();

    const INPUT: Option<InputRules<Self::Config>> = Some(choice::several_rules());

    fn value_schema() -> Value {
        choice::several_schema()
    }
}
