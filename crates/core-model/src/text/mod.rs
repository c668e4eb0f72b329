//! Texts with rules: addresses, names, passwords, time zones.
//!
//! Lengths are counted in Unicode scalar values.

mod database;
mod form;
mod page;

use crate::{id::UserId, secret::Secret};
use std::fmt;
use validator::{ValidateEmail, ValidateLength, ValidateUrl};

/// The rule that a text breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFlaw {
    /// It is empty after trimming.
    Empty,
    /// It is too short.
    TooShort,
    /// It is too long.
    TooLong,
    /// It is not written as it should be.
    Format,
}

/// Whether a character is a control character or bidirectional override, which can make a name look like another one.
fn is_deceptive(letter: char) -> bool {
    is_overriding(letter) || matches!(letter, '\u{061C}' | '\u{200E}' | '\u{200F}')
}

/// Whether a character changes the direction of others. Marks, which occur in ordinary right-to-left text, do not.
fn is_overriding(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether a text has at least `min` characters.
pub(crate) fn has_at_least(text: &str, min: usize) -> bool {
    text.validate_length(Some(min as u64), None, None)
}

/// Whether a text has at most `max` characters.
pub(crate) fn has_at_most(text: &str, max: usize) -> bool {
    text.validate_length(None, Some(max as u64), None)
}

/// A line of 1 to `max` characters without deceptive ones; outer white space is trimmed.
fn line(text: &str, max: usize) -> Result<String, TextFlaw> {
    let text = text.trim();
    if text.is_empty() {
        return Err(TextFlaw::Empty);
    }
    if !has_at_most(text, max) {
        return Err(TextFlaw::TooLong);
    }
    if text.chars().any(is_deceptive) {
        return Err(TextFlaw::Format);
    }
    Ok(text.to_owned())
}

/// A text of up to `max` characters with any number of lines, unchanged.
fn lines(text: &str, max: usize) -> Result<String, TextFlaw> {
    if !has_at_most(text, max) {
        return Err(TextFlaw::TooLong);
    }
    if text.chars().any(|letter| is_deceptive(letter) && !matches!(letter, '\n' | '\r' | '\t')) {
        return Err(TextFlaw::Format);
    }
    Ok(text.to_owned())
}

macro_rules! text_types {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Accepts a value from the store, which was valid when it was written.
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self)
            }
        }
    )*};
}

text_types! {
    /// An email address in lower case.
    Email;
    /// The name of a person or workspace: one line of 1 to 100 characters.
    Name;
    /// A language tag, for example `en-US`.
    Locale;
    /// An IANA time zone.
    TimeZone;
    /// A user's theme: a word of 1 to 35 characters.
    Theme;
    /// An http or https address of at most 2048 characters.
    WebAddress;
    /// A description: up to 500 characters, possibly with line breaks.
    Description;
    /// A message to other people: up to 500 characters, possibly with line breaks.
    Message;
    /// The name of a team: one line of 1 to 60 characters.
    TeamName;
    /// A text to search for: one line of at most 254 characters, unchanged.
    SearchText;
    /// A colour, written `#rrggbb` in lower case.
    Color;
    /// The name of a workspace in its address: 1 to 50 of `a-z`, `0-9` and `-`.
    Slug;
    /// The title of a page: one line of up to 300 characters, possibly empty.
    PageTitle;
    /// The name of a property of a database: one line of 1 to 100 characters.
    PropertyName;
    /// The name of an option or of a group of options: one line of 1 to 100 characters.
    OptionName;
    /// The name of a view of a database: one line of 1 to 100 characters.
    ViewName;
    /// The name of a chart: one line of 1 to 100 characters.
    ChartName;
    /// The name of a dashboard: one line of 1 to 100 characters.
    DashboardName;
    /// The title of a widget of a dashboard: one line of 1 to 100 characters.
    WidgetTitle;
    /// The name of a form: one line of 1 to 100 characters.
    FormName;
    /// The name of a form in its public address: 2 to 50 of `a-z` and `0-9`, with single hyphens between them.
    FormSlug;
    /// What a form says above its questions: Markdown of up to 2000 characters.
    FormIntro;
    /// What a form or a question says besides its name: up to 500 characters, possibly with line breaks.
    FormText;
    /// What a question asks: one line of 1 to 100 characters.
    QuestionLabel;
    /// An example in an empty field: up to 200 characters, possibly with line breaks.
    Placeholder;
    /// The title of a database: one line of up to 200 characters, possibly empty.
    DatabaseTitle;
    /// The description of a database: up to 2000 characters, possibly with line breaks.
    DatabaseDescription;
    /// What somebody wrote as a comment: 1 to 5000 characters, unchanged.
    CommentText;
    /// The icon of a page: one emoji, the id of a file, or an http or https address.
    PageIcon;
}

impl Email {
    /// How many characters it has at most.
    pub const MAX: usize = 254;

    /// Reads an address and turns it into lower case.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        if text.validate_email() && Self::is_plain(text) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(TextFlaw::Format)
        }
    }

    /// Rejects what the crate accepts: it follows the rules of HTML forms, so it allows dots anywhere before the `@`,
    /// and after it hosts without a dot, addresses in brackets and names beyond ASCII.
    fn is_plain(text: &str) -> bool {
        let (local, domain) = text.rsplit_once('@').unwrap_or_default();
        text.is_ascii()
            && local.split('.').all(|word| !word.is_empty())
            && domain.contains('.')
            && !domain.contains('[')
    }
}

impl Email {
    /// What a placeholder ends in. No mail leads to a name below `.invalid` (RFC 2606).
    const PLACEHOLDER: &str = "@no-address.invalid";

    /// What an account has in place of an address that it lost. The id must be a new one, so that nobody can have
    /// registered the placeholder before.
    #[must_use]
    pub fn placeholder(id: UserId) -> Self {
        Self(format!("{id}{}", Self::PLACEHOLDER).to_ascii_lowercase())
    }

    /// Whether no mail can reach this address, because it is a placeholder.
    pub fn is_placeholder(&self) -> bool {
        self.0.ends_with(Self::PLACEHOLDER)
    }

    /// The address with most of the part before the `@` hidden: enough for its owner to recognise it.
    pub fn masked(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or(("", &self.0));
        let first = local.chars().next().map(String::from).unwrap_or_default();
        format!("{first}***@{domain}")
    }
}

impl Name {
    /// How many characters it has at most.
    pub const MAX: usize = 100;

    /// Reads a name that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        line(text, Self::MAX).map(Self)
    }

    /// `<name>'s workspace`, cut to the length of a name.
    #[must_use]
    pub fn of_personal_workspace(&self) -> Self {
        const SUFFIX: &str = "'s workspace";
        let room = Self::MAX - SUFFIX.chars().count();
        let owner: String = self.0.chars().take(room).collect();
        Self(format!("{}{SUFFIX}", owner.trim_end()))
    }
}

impl Locale {
    /// How many characters it has at most.
    pub const MAX: usize = 35;

    /// Parses a BCP 47 tag: letters first, then parts of 1 to 8 letters and digits.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        let mut parts = text.split('-');
        let language = parts.next().unwrap_or_default();
        let language_fits = (2..=8).contains(&language.len()) && language.chars().all(|c| c.is_ascii_alphabetic());
        let part_fits = |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
        if language_fits && parts.all(part_fits) { Ok(Self(text.to_owned())) } else { Err(TextFlaw::Format) }
    }
}

impl TimeZone {
    /// Reads the name of a time zone.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        text.parse::<chrono_tz::Tz>().map(|zone| Self(zone.name().to_owned())).map_err(|_| TextFlaw::Format)
    }
}

impl Theme {
    /// How many characters it has at most.
    pub const MAX: usize = 35;

    /// Reads a theme.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        line(text, Self::MAX).map(Self)
    }
}

impl WebAddress {
    /// How many characters it has at most.
    pub const MAX: usize = 2048;

    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        let lower = text.to_ascii_lowercase();
        let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).ok_or(TextFlaw::Format)?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        // The crate repairs URLs like a browser: it drops tabs and line breaks, and accepts any number of slashes
        // before the host. It also accepts user names and any scheme.
        let host_fits = !host.is_empty() && !host.contains('@') && !host.starts_with(':');
        if host_fits && text.validate_url() && !text.chars().any(|c| c.is_whitespace() || is_deceptive(c)) {
            Ok(Self(text.to_owned()))
        } else {
            Err(TextFlaw::Format)
        }
    }
}

impl Description {
    /// How many characters it has at most.
    pub const MAX: usize = 500;

    /// Reads a description that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl Message {
    /// How many characters it has at most.
    pub const MAX: usize = 500;

    /// Reads a message that somebody wrote.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        lines(text, Self::MAX).map(Self)
    }
}

impl TeamName {
    /// How many characters it has at most.
    pub const MAX: usize = 60;

    /// Reads a name that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        line(text, Self::MAX).map(Self)
    }
}

impl SearchText {
    /// How many characters it has at most.
    pub const MAX: usize = Email::MAX;

    /// Reads what somebody searches for.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        if text.chars().any(char::is_control) { Err(TextFlaw::Format) } else { Ok(Self(text.to_owned())) }
    }
}

impl Color {
    /// Reads a colour, whatever the case of its digits.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        let digits = text.strip_prefix('#').ok_or(TextFlaw::Format)?;
        if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(TextFlaw::Format)
        }
    }
}

impl Slug {
    /// How many characters it has at most.
    pub const MAX: usize = 50;

    /// Parses a slug that a caller chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if text.is_empty() {
            return Err(TextFlaw::Empty);
        }
        if !has_at_most(text, Self::MAX) {
            return Err(TextFlaw::TooLong);
        }
        if text.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-') {
            Ok(Self(text.to_owned()))
        } else {
            Err(TextFlaw::Format)
        }
    }

    const RESERVED: &'static [&'static str] = &[
        "www",
        "api",
        "app",
        "admin",
        "auth",
        "docs",
        "oauth",
        "sso",
        "scim",
        "health",
        "static",
        "public",
        "well-known",
        "support",
        "security",
    ];

    /// A slug derived from a name, or `fallback` if the name has no suitable letter or digit.
    pub fn from_name(name: &str, fallback: &str) -> Self {
        let mut slug = String::new();
        for letter in name.to_lowercase().chars() {
            if letter.is_ascii_lowercase() || letter.is_ascii_digit() {
                slug.push(letter);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(Self::MAX);
        let slug = slug.trim_end_matches('-');
        Self(if slug.is_empty() { fallback.to_owned() } else { slug.to_owned() })
    }

    /// Whether addresses of the product need the word.
    pub fn is_reserved(&self) -> bool {
        Self::RESERVED.contains(&self.as_str())
    }

    /// The slug with a number appended, within the maximum length.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        let suffix = format!("-{number}");
        let room = Self::MAX.saturating_sub(suffix.len());
        let stem: String = self.0.chars().take(room).collect();
        Self(format!("{}{suffix}", stem.trim_end_matches('-')))
    }
}

/// A new password: 8 to 128 characters, at most 512 bytes, with an upper-case letter, a lower-case letter and a
/// digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPassword(Secret<String>);

impl NewPassword {
    /// How many characters it has at least.
    pub const MIN: usize = 8;
    /// How many characters it has at most.
    pub const MAX: usize = 128;
    const MAX_BYTES: usize = 512;
    /// The rules of [`Self::parse`] in words.
    pub const RULES: [&str; 4] = [
        "8 to 128 characters, at most 512 bytes",
        "at least one upper-case letter",
        "at least one lower-case letter",
        "at least one digit from 0 to 9",
    ];

    /// Reads a password that somebody chose.
    pub fn parse(text: &str) -> Result<Self, TextFlaw> {
        if !has_at_least(text, Self::MIN) {
            return Err(TextFlaw::TooShort);
        }
        if !has_at_most(text, Self::MAX) || text.len() > Self::MAX_BYTES {
            return Err(TextFlaw::TooLong);
        }
        let has = |wanted: fn(char) -> bool| text.chars().any(wanted);
        if has(char::is_uppercase) && has(char::is_lowercase) && has(|c| c.is_ascii_digit()) {
            Ok(Self(Secret::new(text.to_owned())))
        } else {
            Err(TextFlaw::Format)
        }
    }

    /// The password itself, for hashing.
    pub fn into_secret(self) -> Secret<String> {
        self.0
    }
}

#[cfg(test)]
mod tests;
