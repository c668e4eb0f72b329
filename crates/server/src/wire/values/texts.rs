//! Texts with a rule of the core, and secrets.

use super::text;
use crate::wire::{Documented, Readable, Writable, hint};
use octavo_core_model::{
    Secret,
    fault::{Hint, Issue},
    network::Network,
    oauth::RedirectUri,
    position::Position,
    share_link::SharePassword,
    text::{
        ChartName, Color, CommentText, DashboardName, DatabaseDescription, DatabaseTitle, Description, Email, Locale,
        Message, Name, NewPassword, PageIcon, PageTitle, PropertyName, SearchText, Slug, TeamName, TextFlaw, Theme,
        TimeZone, WebAddress,
    },
};
use serde::Serializer;
use serde_json::{Value, json};

const fn issue(flaw: TextFlaw) -> Issue {
    match flaw {
        TextFlaw::Empty | TextFlaw::TooShort => Issue::TooShort,
        TextFlaw::TooLong => Issue::TooLong,
        TextFlaw::Format => Issue::InvalidFormat,
    }
}

/// Texts with a rule, and the schema of the rule; in words if the schema does not say all of it.
macro_rules! texts {
    ($($text:ident $schema:tt $example:literal $(, $rule:literal)?;)*) => {$(
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

            $(fn hint(issue: Issue) -> Hint {
                hint::of_schema_and_rule(&Self::schema(), issue, $rule)
            })?
        }

        impl Writable for $text {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

texts! {
    Color { "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" } "#1f6feb";
    CommentText { "type": "string", "minLength": 1, "maxLength": 5000 } "Can you check this, @Ada?";
    Description { "type": "string", "maxLength": 500 } "What this is for.";
    DatabaseDescription { "type": "string", "maxLength": 2000 } "The people that we work with.";
    DatabaseTitle { "type": "string", "maxLength": 200 } "Contacts";
    Email { "type": "string", "format": "email", "maxLength": 254 } "ada@example.com";
    Message { "type": "string", "maxLength": 500 } "I keep the minutes from now on.";
    Name { "type": "string", "minLength": 1, "maxLength": 100 } "Ada Lovelace";
    Locale { "type": "string", "minLength": 2, "maxLength": 35 } "en-US", "a language tag (BCP 47), for example en or pt-BR";
    TimeZone { "type": "string", "maxLength": 64 } "Europe/London", "the name of an IANA time zone, for example Europe/London";
    SearchText { "type": "string", "maxLength": 254 } "ada";
    PageIcon { "type": "string", "maxLength": 2048 } "\u{1F680}", "one emoji, the id of a file, or an address that starts with http:// or https://";
    PageTitle { "type": "string", "maxLength": 300 } "Roadmap";
    PropertyName { "type": "string", "minLength": 1, "maxLength": 100 } "Price";
    ChartName { "type": "string", "minLength": 1, "maxLength": 100 } "Deals by stage";
    DashboardName { "type": "string", "minLength": 1, "maxLength": 100 } "Sales";
    Slug { "type": "string", "pattern": "^[a-z0-9-]{1,50}$" } "ada-lovelace-s-workspace";
    TeamName { "type": "string", "minLength": 1, "maxLength": 60 } "Design";
    Theme { "type": "string", "minLength": 1, "maxLength": 35 } "dark";
    WebAddress { "type": "string", "format": "uri", "maxLength": 2048 } "https://example.com/ada.png";
}

/// An address with more rules than its format has.
impl Documented for RedirectUri {
    fn schema() -> Value {
        json!({ "type": "string", "format": "uri", "maxLength": 2000 })
    }

    fn example() -> Value {
        "https://timesheets.example/back".into()
    }
}

impl Readable for RedirectUri {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(issue)
    }

    fn hint(issue: Issue) -> Hint {
        match issue {
            Issue::InvalidFormat => Hint::ruled_by(Self::RULES),
            _ => hint::of_schema(&Self::schema(), issue),
        }
    }
}

impl Writable for RedirectUri {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A position in an order. Its flaws have an issue of their own.
impl Documented for Position {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[0-9A-Za-z]{1,100}$" })
    }

    fn example() -> Value {
        "a1".into()
    }
}

impl Readable for Position {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(|_| Issue::InvalidPosition)
    }
}

impl Writable for Position {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Documented for Network {
    fn schema() -> Value {
        json!({ "type": "string", "format": "cidr" })
    }

    fn example() -> Value {
        "203.0.113.0/24".into()
    }
}

impl Readable for Network {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map_err(|_| Issue::InvalidFormat)
    }
}

impl Writable for Network {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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

    fn hint(issue: Issue) -> Hint {
        Hint { rules: Hint::ruled_by(&Self::RULES).rules, ..hint::of_schema(&Self::schema(), issue) }
    }
}

impl Documented for SharePassword {
    fn schema() -> Value {
        json!({ "type": "string", "format": "password", "minLength": 4, "maxLength": 128 })
    }

    fn example() -> Value {
        "open sesame".into()
    }
}

impl Readable for SharePassword {
    const SECRET: bool = true;

    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(issue)
    }
}

/// A password to compare or a token to look up: any text, never repeated in an answer.
impl Documented for Secret<String> {
    const HOLDS_SECRET: bool = true;

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

/// Written deliberately: a token in the one answer that contains it.
impl Writable for Secret<String> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.expose())
    }
}
