//! Parses JSON strictly: whatever two parsers could understand differently is refused.
//!
//! In addition to malformed JSON this refuses duplicate keys in an object, NUL in a text, nesting beyond 64 levels,
//! and more than 10,000 keys.

use octavo_core_model::fault::{Issue, Violation};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};
use std::{cell::Cell, fmt};

const MAX_DEPTH: u32 = 64;
const MAX_KEYS: u32 = 10_000;

/// The bytes are not JSON that this service accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub(super) Issue);

impl From<Unreadable> for Violation {
    fn from(Unreadable(issue): Unreadable) -> Self {
        Self::new("body", issue)
    }
}

/// Parses exactly one JSON value.
pub fn parse(bytes: &[u8]) -> Result<Value, Unreadable> {
    let rules = Rules { keys: Cell::new(0), broken: Cell::new(Issue::InvalidFormat) };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Seed { rules: &rules, depth: 0 }.deserialize(&mut reader);
    match value.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(_) => Err(Unreadable(rules.broken.get())),
    }
}

struct Rules {
    keys: Cell<u32>,
    /// Why parsing stopped; a syntax error unless one of the stricter rules applied.
    broken: Cell<Issue>,
}

impl Rules {
    fn stop<E: Error>(&self, issue: Issue) -> E {
        self.broken.set(issue);
        E::custom("")
    }

    fn count_key<E: Error>(&self) -> Result<(), E> {
        self.keys.set(self.keys.get() + 1);
        if self.keys.get() > MAX_KEYS { Err(self.stop(Issue::TooLarge)) } else { Ok(()) }
    }

    fn check_text<E: Error>(&self, text: &str) -> Result<(), E> {
        if text.contains('\0') { Err(self.stop(Issue::InvalidFormat)) } else { Ok(()) }
    }
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    rules: &'a Rules,
    depth: u32,
}

impl Seed<'_> {
    fn descend<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH { Err(self.rules.stop(Issue::TooLarge)) } else { Ok(Self { depth, ..self }) }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.rules.check_text(text)?;
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        self.rules.check_text(&text)?;
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.descend()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.descend()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            self.rules.count_key()?;
            self.rules.check_text(&key)?;
            match object.entry(key) {
                Entry::Occupied(_) => return Err(self.rules.stop(Issue::Duplicate)),
                Entry::Vacant(place) => place.insert(entries.next_value_seed(inner)?),
            };
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: impl AsRef<[u8]>) -> Option<Issue> {
        parse(bytes.as_ref()).err().map(|Unreadable(issue)| issue)
    }

    #[test]
    fn plain_json_is_read_as_it_is() {
        let text = r#"{"a":[1,-2,2.5,1e3,true,null,"\u00e9\ud83d\ude00"],"b":{"c":18446744073709551615}}"#;
        assert_eq!(parse(text.as_bytes()).ok(), serde_json::from_str(text).ok());
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        for (bytes, issue) in [
            (&b""[..], Issue::InvalidFormat),
            (b"{", Issue::InvalidFormat),
            (b"{} {}", Issue::InvalidFormat),
            (b"{\"a\":1,}", Issue::InvalidFormat),
            (b"{\"a\":NaN}", Issue::InvalidFormat),
            (b"{\"a\":1e999}", Issue::InvalidFormat),
            (b"{\"a\":\"\\u0000\"}", Issue::InvalidFormat),
            (b"{\"a\\u0000\":1}", Issue::InvalidFormat),
            (b"{\"a\":\"\\ud800\"}", Issue::InvalidFormat),
            (b"{\"a\":\"\\udc00x\"}", Issue::InvalidFormat),
            (b"{\"a\":\"\xff\"}", Issue::InvalidFormat),
            (b"\xef\xbb\xbf{}", Issue::InvalidFormat),
            (b"{\"a\":1,\"a\":2}", Issue::Duplicate),
            (b"{\"x\":{\"a\":1,\"\\u0061\":2}}", Issue::Duplicate),
        ] {
            assert_eq!(refusal(bytes), Some(issue), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn nesting_and_keys_have_a_limit() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(refusal(nested(64)), None);
        assert_eq!(refusal(nested(65)), Some(Issue::TooLarge));
        assert_eq!(refusal(nested(100_000)), Some(Issue::TooLarge));
        let keyed = |count: usize| {
            let fields: Vec<_> = (0..count).map(|n| format!("\"k{n}\":0")).collect();
            format!("{{{}}}", fields.join(","))
        };
        assert_eq!(refusal(keyed(10_000)), None);
        assert_eq!(refusal(keyed(10_001)), Some(Issue::TooLarge));
    }
}
