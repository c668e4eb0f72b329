//! Objects whose keys depend on what they tell.

use super::{Documented, Writable};
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

impl Writable for Json {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
