//! Values that are not parsed: JSON and Markdown.

use super::{Documented, Named, Readable, Writable, parse};
use octavo_core_model::fault::{Issue, Violation};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::{fmt, marker::PhantomData, mem};

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

/// JSON with the form of `T`, written exactly as it is.
pub struct JsonOf<T> {
    value: Value,
    form: PhantomData<T>,
}

impl<T> From<Value> for JsonOf<T> {
    fn from(value: Value) -> Self {
        Self { value, form: PhantomData }
    }
}

impl<T> Clone for JsonOf<T> {
    fn clone(&self) -> Self {
        Self::from(self.value.clone())
    }
}

impl<T> fmt::Debug for JsonOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JsonOf").field(&self.value).finish()
    }
}

impl<T: Documented> Documented for JsonOf<T> {
    const IN_EXAMPLES: bool = T::IN_EXAMPLES;
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        T::schema()
    }

    fn example() -> Value {
        T::example()
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Documented> Writable for JsonOf<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// A query parameter with JSON in the form of `T`, which is not parsed further.
#[derive(Clone, Debug)]
pub struct JsonText<T> {
    pub value: Value,
    form: PhantomData<T>,
}

impl<T: Documented> Documented for JsonText<T> {
    fn schema() -> Value {
        json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": T::schema() })
    }

    fn example() -> Value {
        T::example().to_string().into()
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Documented> Readable for JsonText<T> {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = value.as_str().ok_or(Issue::InvalidType)?;
        let value = parse(text.as_bytes()).map_err(|_| Issue::InvalidFormat)?;
        Ok(Self { value, form: PhantomData })
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
