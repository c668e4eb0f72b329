//! `checkbox`: true or false, false unless it is set.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{
    input::{Input, InputRules},
    read::Flaw,
    value::{PropertyValue, Shape},
};
use octavo_core_model::fault::{Hint, Issue};
use serde_json::{Map, Value, json};

const SHAPE: &str = "`{ value }` with true or false";
const TRUE: [&str; 7] = ["true", "yes", "y", "1", "on", "x", "checked"];
const FALSE: [&str; 6] = ["false", "no", "n", "0", "off", "unchecked"];

fn read(_: &NoConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    match sent.get("value") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::Bool(is_ticked)) => Ok(Input::Value(PropertyValue::Checkbox(*is_ticked))),
        _ => Err(Flaw::of_shape(SHAPE)),
    }
}

fn parse(_: &NoConfig, text: &str) -> Result<Input, Flaw> {
    let word = text.trim().to_lowercase();
    let is_ticked = TRUE.contains(&&*word);
    if is_ticked || FALSE.contains(&&*word) {
        return Ok(Input::Value(PropertyValue::Checkbox(is_ticked)));
    }
    Err(Flaw::new(Issue::InvalidValue).hinting(Hint::one_of(TRUE.into_iter().chain(FALSE))))
}

pub(super) struct Checkbox;

impl Rules for Checkbox {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag(
        "True or false, false unless it is set.",
        Shape::Checkbox,
        FilterKind::Checkbox,
        SortKind::Checkbox,
    );

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules { shape: SHAPE, read, parse, list: None });

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "boolean" } }, "required": ["value"] })
    }

    fn unset() -> Value {
        json!({ "value": false })
    }
}
