//! How the words of the core look on the wire.

use super::{Documented, Named, Readable, Writable, Written};
use octavo_core_model::{
    Role, Secret, Timestamp,
    fault::Issue,
    id::{AuditId, EventId, JobId, MembershipId, RequestId, SessionId, UserId, WorkspaceId},
    session::{Proof, SessionKind, SessionStatus},
    text::{Email, Locale, Name, NewPassword, Slug, TextFlaw, Theme, TimeZone, WebAddress},
};
use serde::{Serializer, ser::SerializeSeq};
use serde_json::{Value, json};

/// The part of an example id behind its prefix.
const BODY: &str = "01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

const fn issue(flaw: TextFlaw) -> Issue {
    match flaw {
        TextFlaw::Empty | TextFlaw::TooShort => Issue::TooShort,
        TextFlaw::TooLong => Issue::TooLong,
        TextFlaw::Format => Issue::InvalidFormat,
    }
}

fn text(value: &Value) -> Result<&str, Issue> {
    value.as_str().ok_or(Issue::InvalidType)
}

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl Documented for $id {
            fn schema() -> Value {
                json!({ "type": "string", "pattern": format!("^{}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$", $id::PREFIX) })
            }

            fn example() -> Value {
                format!("{}{BODY}", $id::PREFIX).into()
            }
        }

        impl Readable for $id {
            fn read(value: &Value) -> Result<Self, Issue> {
                text(value)?.parse().map_err(|_| Issue::InvalidId)
            }
        }

        impl Writable for $id {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

ids!(AuditId EventId JobId MembershipId RequestId SessionId UserId WorkspaceId);

/// Texts that keep a rule, with the schema of the rule.
macro_rules! texts {
    ($($text:ident $schema:tt $example:literal;)*) => {$(
        impl Documented for $text {
            fn schema() -> Value {
                json!($schema)
            }

            fn example() -> Value {
                $example.into()
            }
        }

        impl Readable for $text {
            fn read(value: &Value) -> Result<Self, Issue> {
                $text::parse(text(value)?).map_err(issue)
            }
        }

        impl Writable for $text {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

texts! {
    Email { "type": "string", "format": "email", "maxLength": 254 } "ada@example.com";
    Name { "type": "string", "minLength": 1, "maxLength": 100 } "Ada Lovelace";
    Locale { "type": "string", "minLength": 2, "maxLength": 35 } "en-US";
    TimeZone { "type": "string", "maxLength": 64 } "Europe/London";
    Theme { "type": "string", "minLength": 1, "maxLength": 35 } "dark";
    WebAddress { "type": "string", "format": "uri", "maxLength": 2048 } "https://example.com/ada.png";
}

impl Documented for Slug {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[a-z0-9-]{1,50}$" })
    }

    fn example() -> Value {
        "ada-lovelace-s-workspace".into()
    }
}

impl Writable for Slug {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Documented for NewPassword {
    fn schema() -> Value {
        json!({ "type": "string", "format": "password", "minLength": 8, "maxLength": 128 })
    }

    fn example() -> Value {
        "Correct-Horse-7".into()
    }
}

impl Readable for NewPassword {
    const SECRET: bool = true;

    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(issue)
    }
}

/// A password to compare or a token to look up: any text, never repeated in an answer.
impl Documented for Secret<String> {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        "...".into()
    }
}

impl Readable for Secret<String> {
    const SECRET: bool = true;

    fn read(value: &Value) -> Result<Self, Issue> {
        Ok(Self::new(text(value)?.to_owned()))
    }
}

/// Shown on purpose: a token in the one answer that hands it out.
impl Writable for Secret<String> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.expose())
    }
}

/// Closed sets of words.
macro_rules! words {
    ($($set:ident)*) => {$(
        impl Documented for $set {
            fn schema() -> Value {
                let words: Vec<_> = $set::ALL.iter().map(|word| word.name()).collect();
                json!({ "type": "string", "enum": words })
            }

            fn example() -> Value {
                $set::ALL.first().map(|word| word.name()).into()
            }
        }

        impl Readable for $set {
            fn read(value: &Value) -> Result<Self, Issue> {
                text(value)?.parse().map_err(|_| Issue::InvalidValue)
            }
        }

        impl Writable for $set {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )*};
}

words!(Proof Role SessionKind SessionStatus);

impl Documented for Timestamp {
    fn schema() -> Value {
        json!({ "type": "string", "format": "date-time" })
    }

    fn example() -> Value {
        "2026-11-21T09:30:00.000Z".into()
    }
}

impl Readable for Timestamp {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(|_| Issue::InvalidFormat)
    }
}

impl Writable for Timestamp {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

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

/// Plain numbers of replies. Requests bound theirs: [`Whole`].
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

/// A whole number between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: i64, const MAX: i64>(pub i64);

impl<const MIN: i64, const MAX: i64> Documented for Whole<MIN, MAX> {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn example() -> Value {
        MIN.into()
    }
}

impl<const MIN: i64, const MAX: i64> Readable for Whole<MIN, MAX> {
    fn read(value: &Value) -> Result<Self, Issue> {
        match value.as_i64() {
            Some(number) if number < MIN => Err(Issue::TooSmall),
            Some(number) if number > MAX => Err(Issue::TooLarge),
            Some(number) => Ok(Self(number)),
            None if value.as_u64().is_some() => Err(Issue::TooLarge),
            None => Err(Issue::InvalidType),
        }
    }

    fn read_text(text: &str) -> Result<Self, Issue> {
        let number: i64 = text.parse().map_err(|_| Issue::InvalidType)?;
        Self::read(&number.into())
    }
}

/// Free text of a bounded length, counted in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(pub String);

impl<const MIN: usize, const MAX: usize> Documented for Text<MIN, MAX> {
    fn schema() -> Value {
        json!({ "type": "string", "minLength": MIN, "maxLength": MAX })
    }

    fn example() -> Value {
        "Some text".into()
    }
}

impl<const MIN: usize, const MAX: usize> Readable for Text<MIN, MAX> {
    fn read(value: &Value) -> Result<Self, Issue> {
        let text = text(value)?;
        match text.chars().count() {
            length if length < MIN => Err(Issue::TooShort),
            length if length > MAX => Err(Issue::TooLong),
            _ => Ok(Self(text.to_owned())),
        }
    }
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

/// A word that is fixed in the program.
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

/// JSON whose shape depends on what it belongs to.
impl Documented for Value {
    fn schema() -> Value {
        json!({})
    }

    fn example() -> Value {
        json!({})
    }
}

impl Writable for Value {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(self, serializer)
    }
}

impl<T: Documented> Documented for Vec<T> {
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

impl<T: Writable> Writable for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for item in self {
            list.serialize_element(&Written(item))?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads<T: Readable>(value: &Value) -> Result<(), Issue> {
        T::read(value).map(|_| ())
    }

    #[test]
    fn every_flaw_has_its_issue() {
        for (found, expected) in [
            (reads::<Email>(&json!("ada@example.com")), Ok(())),
            (reads::<Email>(&json!(7)), Err(Issue::InvalidType)),
            (reads::<Email>(&json!("ada")), Err(Issue::InvalidFormat)),
            (reads::<Name>(&json!("  ")), Err(Issue::TooShort)),
            (reads::<Name>(&json!("x".repeat(101))), Err(Issue::TooLong)),
            (reads::<NewPassword>(&json!("short")), Err(Issue::TooShort)),
            (reads::<UserId>(&json!("wks_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")), Err(Issue::InvalidId)),
            (reads::<SessionStatus>(&json!("active")), Err(Issue::InvalidValue)),
            (reads::<Timestamp>(&json!("yesterday")), Err(Issue::InvalidFormat)),
            (reads::<bool>(&json!("true")), Err(Issue::InvalidType)),
            (reads::<Whole<1, 9>>(&json!(0)), Err(Issue::TooSmall)),
            (reads::<Whole<1, 9>>(&json!(u64::MAX)), Err(Issue::TooLarge)),
            (reads::<Whole<1, 9>>(&json!(1.5)), Err(Issue::InvalidType)),
            (reads::<Text<2, 3>>(&json!("\u{1F600}")), Err(Issue::TooShort)),
            (reads::<Text<2, 3>>(&json!("abcd")), Err(Issue::TooLong)),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn example_ids_are_ids() {
        assert!(reads::<UserId>(&UserId::example()).is_ok());
        assert!(reads::<SessionId>(&SessionId::example()).is_ok());
    }

    #[test]
    fn only_secrets_hide_what_was_received() {
        assert_eq!([NewPassword::SECRET, <Secret<String>>::SECRET], [true; 2]);
        assert_eq!([Email::SECRET, UserId::SECRET, Name::SECRET], [false; 3]);
    }
}
