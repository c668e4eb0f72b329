//! `phone`: a telephone number as people write it.

use super::{Config, ConfigInputs, Facts, FilterKind, Rules, SortKind, object};
use crate::{
    input::{Input, InputRules},
    read::{Fields, Flaw, text},
    value::{PropertyValue, Shape},
};
use octavo_core_model::fault::Issue;
use serde_json::{Map, Value, json};

/// Two upper-case letters, as in ISO 3166.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country([u8; 2]);

impl Country {
    /// What [`Self::parse`] accepts.
    pub const PATTERN: &'static str = "^[A-Z]{2}$";

    /// Parses the code of a country.
    pub fn parse(code: &str) -> Option<Self> {
        <[u8; 2]>::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase)).map(Self)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The configuration of `phone`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhoneConfig {
    /// The country of numbers without a country code.
    pub default_country: Option<Country>,
}

impl Config for PhoneConfig {
    fn read(before: Option<&Self>, fields: &mut Fields<'_>, _: &mut ConfigInputs<'_>) -> Option<Self> {
        let country = fields.nullable("defaultCountry", country);
        Some(Self { default_country: country.or(before.and_then(|before| before.default_country)) })
    }

    fn write(&self) -> Map<String, Value> {
        object([("defaultCountry", json!(self.default_country.as_ref().map(Country::as_str)))])
    }

    fn keys() -> Map<String, Value> {
        object([("defaultCountry", json!({ "type": ["string", "null"], "pattern": Country::PATTERN }))])
    }
}

fn country(sent: &Value) -> Result<Country, Flaw> {
    Country::parse(text(sent)?).ok_or_else(|| Flaw::of_pattern(Issue::InvalidFormat, Country::PATTERN))
}

/// The longest number, in characters.
const MAX: usize = 64;
const SHAPE: &str = "`{ value }` with a telephone number";

fn read(config: &PhoneConfig, sent: &mut Map<String, Value>) -> Result<Input, Flaw> {
    match sent.get("value") {
        Some(Value::Null) => Ok(Input::Clear),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Input::Clear),
        Some(Value::String(text)) => parse(config, text),
        _ => Err(Flaw::of_shape(SHAPE)),
    }
}

fn parse(_: &PhoneConfig, text: &str) -> Result<Input, Flaw> {
    let text = text.trim();
    if text.chars().nth(MAX).is_some() {
        return Err(Flaw::too_long(MAX));
    }
    if text.chars().any(char::is_control) {
        return Err(Flaw::new(Issue::InvalidFormat));
    }
    Ok(Input::Value(PropertyValue::Text(text.to_owned())))
}

pub(super) struct Phone;

impl Rules for Phone {
    type Config = PhoneConfig;

    const FACTS: Facts =
        Facts::in_bag("A telephone number as people write it.", Shape::Text, FilterKind::Text, SortKind::Text);

    const INPUT: Option<InputRules<Self::Config>> = Some(InputRules { shape: SHAPE, read, parse, list: None });

    fn value_schema() -> Value {
        json!({ "type": "object", "properties": { "value": { "type": "string", "maxLength": MAX } }, "required": ["value"] })
    }
}
