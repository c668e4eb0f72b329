//! `{ optionId }` and `{ optionIds }`.

use crate::{
    input::{Input, InputRules, OptionInput},
    options::{OptionId, Options},
    read::{Flaw, line},
    value::{PropertyValue, Shape},
};
use octavo_core_model::{
    fault::{Hint, Issue},
    text::OptionName,
};
use serde_json::{Map, Value, json};

/// The largest number of options of one value.
pub(crate) const MAX: usize = 100;
/// How many options a hint lists.
const MAX_LISTED: usize = 20;

pub(crate) const ONE: &str = "`{ optionId }` with the id or the name of an option";
const SEVERAL: &str = "`{ optionIds }` with a list of ids or names of options";

/// The rules for one option.
pub(crate) const fn one_rules() -> InputRules<Options> {
    InputRules { shape: ONE, read: read_one, parse: parse_one, list: None }
}

/// The rules for several options.
pub(crate) const fn several_rules() -> InputRules<Options> {
    InputRules { shape: SEVERAL, read: read_several, parse: parse_several, list: Some(cast_several) }
}

pub(crate) fn read_one(options: &Options, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    match sent.get("optionId") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::String(named)) => known(options, named).map(|id| Input::Value(PropertyValue::Option(id))),
        _ => Err(Flaw::of_shape(ONE)),
    }
}

fn read_several(options: &Options, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    let list = match sent.get("optionIds") {
        Some(Value::Null) => return Ok(Input::Clear),
        Some(Value::Array(list)) => list,
        _ => return Err(Flaw::of_shape(SEVERAL)),
    };
    check_count(list.len())?;
    let mut ids = Vec::with_capacity(list.len());
    for sent in list {
        let named = sent.as_str().ok_or_else(|| Flaw::of_shape(SEVERAL))?;
        let id = known(options, named)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(Input::Value(PropertyValue::Options(ids)))
}

fn check_count(count: usize) -> Result<(), Flaw> {
    if count > MAX { Err(Flaw::too_long(MAX)) } else { Ok(()) }
}

fn known(options: &Options, named: &str) -> Result<OptionId, Flaw> {
    options.find(named).map(|option| option.id.clone()).ok_or_else(|| {
        let some = options.list().iter().take(MAX_LISTED).map(|option| &option.id);
        Flaw::new(Issue::UnknownOption).with(named.into()).hinting(Hint::one_of(some))
    })
}

pub(crate) fn parse_one(options: &Options, text: &str) -> Result<Input, Flaw> {
    Ok(Input::Options(vec![known_or_new(options, text)?], Shape::Option))
}

fn known_or_new(options: &Options, text: &str) -> Result<OptionInput, Flaw> {
    match options.find(text.trim()) {
        Some(option) => Ok(OptionInput::Known(option.id.clone())),
        None => line(&text.into(), OptionName::parse, OptionName::MAX).map(OptionInput::New),
    }
}

/// Options joined by commas. Names with commas are recognised if they exist.
fn parse_several(options: &Options, text: &str) -> Result<Input, Flaw> {
    let parts: Vec<_> = text.split(',').collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < parts.len() {
        // The longest name that exists, else the next part.
        let longest = (at + 1..=parts.len().min(at + 10)).rev();
        let known =
            longest.filter(|end| *end > at + 1).find(|end| options.find(parts[at..*end].join(",").trim()).is_some());
        let end = known.unwrap_or(at + 1);
        let part = parts[at..end].join(",");
        if !part.trim().is_empty() {
            found.push(part);
        }
        at = end;
    }
    cast_several(options, &found)
}

fn cast_several(options: &Options, texts: &[String]) -> Result<Input, Flaw> {
    check_count(texts.len())?;
    let named = texts.iter().filter(|text| !text.trim().is_empty());
    let read = named.map(|text| known_or_new(options, text)).collect::<Result<Vec<_>, _>>()?;
    Ok(Input::Options(read, Shape::Options))
}

/// One option as JSON Schema.
pub(crate) fn one_schema() -> Value {
    json!({ "type": "object", "properties": { "optionId": { "type": "string" } }, "required": ["optionId"] })
}

/// Several options as JSON Schema.
pub(crate) fn several_schema() -> Value {
    let ids = json!({ "type": "array", "items": { "type": "string" }, "maxItems": MAX });
    json!({ "type": "object", "properties": { "optionIds": ids }, "required": ["optionIds"] })
}
