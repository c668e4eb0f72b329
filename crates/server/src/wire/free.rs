//! Objects whose keys depend on what they tell.

use super::{Documented, Readable, Writable};
use octavo_core_model::fault::Issue;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// An object of any keys.
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

/// Whatever it is: its meaning depends on what else is sent.
impl Readable for Json {
    fn read(value: &Value) -> Result<Self, Issue> {
        Ok(Self(value.clone()))
    }
}

impl Writable for Json {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
