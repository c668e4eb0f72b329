//! Parses JSON strictly: whatever two parsers could understand differently is refused.
//!
//! In addition to malformed JSON this refuses duplicate keys in an object and NUL in a text; in a body also nesting
//! beyond 64 levels and more than 10,000 keys.
//!
//! A number without a fraction becomes an integer however it is written: JSON has one kind of number, and JSON Schema
//! counts `16.0` and `1.6e1` as the integer 16.

use octavo_core_model::{
    cancellation::Cancellation,
    fault::{Hint, Issue, TextPosition, Violation},
};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};
use std::{cell::Cell, fmt};

/// How much JSON may hold.
#[derive(Clone, Copy)]
struct Limits {
    depth: u32,
    keys: u32,
}

const OF_BODY: Limits = Limits { depth: 64, keys: 10_000 };

/// A page may have many more keys than a body, and its blocks are nested deeper. `serde_json` refuses more than 128
/// levels.
const OF_DOCUMENT: Limits = Limits { depth: 128, keys: u32::MAX };

/// The bytes are not a body that this service accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub(super) issue: Issue,
    /// Where reading stopped, if that is known.
    pub(super) position: Option<TextPosition>,
}

impl From<Unreadable> for Violation {
    fn from(Unreadable { issue, position }: Unreadable) -> Self {
        Self::new("body", issue).hinting(Hint { position, ..Hint::default() })
    }
}

/// Parses exactly one JSON value, which is the body of a call.
pub fn parse(bytes: &[u8]) -> Result<Value, Unreadable> {
    parse_within(bytes, OF_BODY, None)
}

/// Like [`parse`], for a document, which may be larger. Cancellation is checked at each value; a cancelled document
/// counts as unreadable.
pub fn parse_document(text: &str, cancellation: &Cancellation) -> Result<Value, Unreadable> {
    parse_within(text.as_bytes(), OF_DOCUMENT, Some(cancellation))
}

fn parse_within(bytes: &[u8], limits: Limits, cancellation: Option<&Cancellation>) -> Result<Value, Unreadable> {
    let rules = Rules { limits, cancellation, keys: Cell::new(0), broken: Cell::new(Issue::InvalidFormat) };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Seed { rules: &rules, depth: 0 }.deserialize(&mut reader);
    match value.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(error) => Err(Unreadable { issue: rules.broken.get(), position: position_of(&error, bytes) }),
    }
}

/// Where reading stopped. `serde_json` counts the bytes of a line; editors count its characters.
fn position_of(error: &serde_json::Error, bytes: &[u8]) -> Option<TextPosition> {
    let line = error.line();
    let text = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    let begins_character = |byte: &&u8| !matches!(**byte, 0x80..=0xbf);
    Some(TextPosition { line, column: text.iter().take(error.column()).filter(begins_character).count() })
}

struct Rules<'a> {
    limits: Limits,
    cancellation: Option<&'a Cancellation>,
    keys: Cell<u32>,
    /// Why parsing stopped; a syntax error unless one of the stricter rules applied.
    broken: Cell<Issue>,
}

impl Rules<'_> {
    fn stop<E: Error>(&self, issue: Issue) -> E {
        self.broken.set(issue);
        E::custom("")
    }

    fn count_key<E: Error>(&self) -> Result<(), E> {
        self.keys.set(self.keys.get() + 1);
        if self.keys.get() > self.limits.keys { Err(self.stop(Issue::TooLarge)) } else { Ok(()) }
    }

    fn check_text<E: Error>(&self, text: &str) -> Result<(), E> {
        if text.contains('\0') { Err(self.stop(Issue::InvalidFormat)) } else { Ok(()) }
    }

    fn check_cancelled<E: Error>(&self) -> Result<(), E> {
        let is_cancelled = self.cancellation.is_some_and(Cancellation::is_cancelled);
        if is_cancelled { Err(self.stop(Issue::InvalidFormat)) } else { Ok(()) }
    }
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    rules: &'a Rules<'a>,
    depth: u32,
}

impl Seed<'_> {
    fn descend<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > self.rules.limits.depth { Err(self.rules.stop(Issue::TooLarge)) } else { Ok(Self { depth, ..self }) }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.rules.check_cancelled()?;
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
        let number = as_integer(value).map(Number::from).or_else(|| Number::from_f64(value));
        Ok(number.map_or(Value::Null, Value::Number))
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

/// The greatest integer that no other integer is rounded to as an `f64`.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// The number as an integer, if it is one and loses nothing.
fn as_integer(number: f64) -> Option<i64> {
    if number.fract() != 0.0 || number.abs() > EXACT {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and is in range")]
    let integer = number as i64;
    Some(integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: impl AsRef<[u8]>) -> Option<Issue> {
        parse(bytes.as_ref()).err().map(|unreadable| unreadable.issue)
    }

    #[test]
    fn a_refusal_says_where_reading_stopped() {
        let line_of = |text: &str| parse(text.as_bytes()).err()?.position.map(|position| position.line);
        for (text, line) in
            [("{\n\"a\": 1,\n}", 3), ("{\"a\":\n1,\n\n\"a\":2}", 4), ("{\n\n\"a\":\"\\u0000\"}", 3), ("[\n1,\n2", 3)]
        {
            assert_eq!(line_of(text), Some(line), "{text}");
        }
        let position_in = |text: &str| parse(text.as_bytes()).err()?.position;
        for (text, line, column) in [
            ("{\"a\":x}", 1, 6),
            ("{\"title\":\"\u{e9}\u{e9}\u{e9}\u{e9}\" x}", 1, 17),
            ("{\"a\":\"\u{1F680}\",\n\"\u{e9}\":x}", 2, 5),
        ] {
            assert_eq!(position_in(text), Some(TextPosition { line, column }), "{text}");
        }
    }

    #[test]
    fn plain_json_is_read_as_it_is() {
        let text = r#"{"a":[1,-2,2.5,1e30,true,null,"\u00e9\ud83d\ude00"],"b":{"c":18446744073709551615}}"#;
        assert_eq!(parse(text.as_bytes()).ok(), serde_json::from_str(text).ok());
    }

    #[test]
    fn a_number_without_a_fraction_is_an_integer_however_it_is_written() {
        for (text, integer) in [
            ("16", Some(16)),
            ("16.0", Some(16)),
            ("1.6e1", Some(16)),
            ("160E-1", Some(16)),
            ("-3.00", Some(-3)),
            ("-0", Some(0)),
            ("-0.0", Some(0)),
            ("9007199254740991.0", Some(9_007_199_254_740_991)),
            ("-9007199254740991.0", Some(-9_007_199_254_740_991)),
            ("9007199254740993", Some(9_007_199_254_740_993)),
            ("9007199254740992.0", None),
            ("9007199254740993.0", None),
            ("-9007199254740993.0", None),
            ("16.5", None),
            ("1e-400", Some(0)),
            ("1e30", None),
            ("18446744073709551616", None),
        ] {
            assert_eq!(parse(text.as_bytes()).ok().and_then(|value| value.as_i64()), integer, "{text}");
        }
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

    #[test]
    fn a_document_may_be_larger_than_a_body() {
        let read = |text: &str| parse_document(text, &Cancellation::default());
        let objects = format!("[{}]", vec![r#"{"a":1}"#; 20_000].join(","));
        assert_eq!(read(&objects).ok(), serde_json::from_str(&objects).ok());
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(100)).is_ok());
        assert!(read(&nested(100_000)).is_err());
        assert!(read(r#"{"a":1,"a":2}"#).is_err());
    }

    #[test]
    fn a_document_that_nobody_waits_for_is_not_read() {
        let cancellation = Cancellation::default();
        assert!(parse_document("[1]", &cancellation).is_ok());
        cancellation.cancel();
        assert!(parse_document("[1]", &cancellation).is_err());
    }
}
