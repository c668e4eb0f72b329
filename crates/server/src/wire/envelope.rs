//! The envelopes of replies: a single value, or a page of a list.

use super::{Documented, Named, Writable, Written};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use serde_json::{Value, json};

/// `{ data }`.
#[derive(Clone, Debug)]
pub struct Data<T>(pub T);

/// `{ data: [...], nextCursor }`.
#[derive(Clone, Debug)]
pub struct Page<T> {
    pub data: Vec<T>,
    pub next_cursor: Option<String>,
}

impl<T: Documented> Documented for Data<T> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        json!({ "type": "object", "properties": { "data": T::schema() }, "required": ["data"] })
    }

    fn example() -> Value {
        json!({ "data": T::example() })
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Writable> Writable for Data<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("Data", 1)?;
        shown.serialize_field("data", &Written(&self.0))?;
        shown.end()
    }
}

impl<T: Writable> Serialize for Data<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer)
    }
}

impl<T: Documented> Documented for Page<T> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "data": { "type": "array", "items": T::schema() },
                "nextCursor": {
                    "type": ["string", "null"],
                    "description": "Send it as `cursor` to get the next page; null on the last one.",
                },
            },
            "required": ["data", "nextCursor"],
        })
    }

    fn example() -> Value {
        json!({ "data": [T::example()], "nextCursor": null })
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Writable> Writable for Page<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shown = serializer.serialize_struct("Page", 2)?;
        shown.serialize_field("data", &Written(&self.data))?;
        shown.serialize_field("nextCursor", &self.next_cursor)?;
        shown.end()
    }
}

impl<T: Writable> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer)
    }
}
