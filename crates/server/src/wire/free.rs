//! Values of any form: JSON with any keys, and Markdown.

use super::{Documented, Readable, Writable};
use octavo_core_model::fault::{Issue, Violation};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::mem;

/// An object with any keys.
#[derive(Clone, Debug)]
pub struct Json(pub Value);

impl Documented for Json {
    fn schema() -> Value {
        json!({ "type": "object", "additionalProperties": true })
    }

    fn example() -> Value {
        Value::Object(Map::new())
    }
}

/// A text of any length with Markdown. Blocks are an alternative, and examples show those.
#[derive(Clone, Debug)]
pub struct Markdown(pub String);

impl Documented for Markdown {
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "# Plan\n\n- [ ] Ship **it**".into()
    }
}

impl Readable for Markdown {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_str().map(|text| Self(text.to_owned())).ok_or(Issue::InvalidType)
    }

    fn take_field(field: &str, value: &mut Value, violations: &mut Vec<Violation>) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self(mem::take(text))),
            other => Self::read_field(field, other, violations),
        }
    }
}

/// Accepts any value, because its meaning depends on other fields.
impl Readable for Json {
    fn read(value: &Value) -> Result<Self, Issue> {
        Ok(Self(value.clone()))
    }

    fn take_field(_: &str, value: &mut Value, _: &mut Vec<Violation>) -> Option<Self> {
        Some(Self(value.take()))
    }
}

impl Writable for Json {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
