//! `select`: one of the options.

use super::{Facts, FilterKind, Rules, SortKind};
use crate::options::Options;
use crate::{forms::choice, input::InputRules, value::Shape};
use serde_json::Value;

pub(super) struct Select;

impl Rules for Select {
    type Config = Options;

    const FACTS: Facts =
        Facts::in_bag("One of the options.", Shape::Option, FilterKind::Choice, SortKind::OptionOrder).for_boards();

    const INPUT: Option<InputRules<Self::Config>> = Some(choice::one_rules());

    fn value_schema() -> Value {
        choice::one_schema()
    }
}
