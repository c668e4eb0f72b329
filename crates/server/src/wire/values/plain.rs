//! Plain JSON types: booleans, numbers, texts, lists.

use crate::wire::{Documented, Named, Readable, Writable, Written};
use octavo_core_model::fault::{Issue, Violation};
use serde::{Serializer, ser::SerializeSeq};
use serde_json::{Value, json};

impl Documented for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn example() -> Value {
        true.into()
    }
}

impl Readable for bool {
    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_bool().ok_or(Issue::InvalidType)
    }

    fn read_text(text: &str) -> Result<Self, Issue> {
        text.parse().map_err(|_| Issue::InvalidType)
    }
}

impl Writable for bool {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self)
    }
}

/// Plain numbers in replies. Numbers in requests are bounded: see [`Whole`].
macro_rules! numbers {
    ($($number:ident $kind:literal $write:ident;)*) => {$(
        impl Documented for $number {
            fn schema() -> Value {
                json!({ "type": $kind })
            }

            fn example() -> Value {
                json!(1)
            }
        }

        impl Writable for $number {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.$write(*self)
            }
        }
    )*};
}

numbers! {
    u32 "integer" serialize_u32;
    u64 "integer" serialize_u64;
    i64 "integer" serialize_i64;
    f64 "number" serialize_f64;
}

impl Documented for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "Some text".into()
    }
}

impl Writable for String {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

/// A constant of the program.
impl Documented for &'static str {
    fn schema() -> Value {
        String::schema()
    }

    fn example() -> Value {
        String::example()
    }
}

impl Writable for &'static str {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<T: Documented> Documented for Vec<T> {
    const HOLDS_SECRET: bool = T::HOLDS_SECRET;

    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }

    fn example() -> Value {
        json!([T::example()])
    }

    fn collect(named: &mut Named) {
        T::collect(named);
    }
}

impl<T: Readable> Readable for Vec<T> {
    const SECRET: bool = T::SECRET;

    fn read(value: &Value) -> Result<Self, Issue> {
        value.as_array().ok_or(Issue::InvalidType)?.iter().map(T::read).collect()
    }

    fn read_field(field: &str, value: &Value, violations: &mut Vec<Violation>) -> Option<Self> {
        let Value::Array(items) = value else {
            violations.push(Self::flawed(field, Issue::InvalidType, value));
            return None;
        };
        // All items are parsed, so that all flaws are reported at once.
        let read: Vec<_> = (0..)
            .zip(items)
            .map(|(place, item): (usize, _)| T::read_field(&format!("{field}.{place}"), item, violations))
            .collect();
        read.into_iter().collect()
    }
}

impl<T: Writable> Writable for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for item in self {
            list.serialize_element(&Written(item))?;
        }
        list.end()
    }
}

/// A field that cannot be changed: any value is refused.
#[derive(Clone, Copy, Debug)]
pub enum Unchangeable {}

impl Documented for Unchangeable {
    const IN_EXAMPLES: bool = false;

    fn schema() -> Value {
        json!({ "type": "string", "readOnly": true })
    }

    fn example() -> Value {
        "acme".into()
    }
}

impl Readable for Unchangeable {
    fn read(_: &Value) -> Result<Self, Issue> {
        Err(Issue::Immutable)
    }
}
