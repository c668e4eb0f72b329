//! `email`: an email address.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};
use crate::{
    input::{Input, InputRules},
    read::Flaw,
    value::{PropertyValue, Shape},
};
use octavo_core_model::text::Email as Address;
use serde_json::{Map, Value, json};

const SHAPE: &str = "`{ value }` with an email address";

fn read(config: &NoConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    match sent.get("value") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Input::Clear),
        Some(Value::String(text)) => parse(config, text),
        _ => Err(Flaw::of_shape(SHAPE)),
    }
}

/// Keeps the address as it was written: the case before the `@` can matter to its host.
fn parse(_: &NoConfig, text: &str) -> Result<Input, Flaw> {
    let text = text.trim();
    Address::parse(text).map_err(|flaw| Flaw::of_text(flaw, Address::MAX))?;
    Ok(Input::Value(PropertyValue::Text(text.to_owned())))
}

pub(super) struct Email;

impl Rules for Email {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag("An email address.", Shape::Text, FilterKind::Text, SortKind::Text);

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules { shape: SHAPE, read, parse, list: None });

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "string", "maxLength": Address::MAX } }, "required": ["value"] })
    }
}
