//! The ids of options.

use std::{fmt, sync::Arc};

/// The id of an option, unique in its property. Copies share their text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionId(Arc<str>);

/// A text cannot be the id of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidOptionId;

impl OptionId {
    /// How many characters it has at most.
    pub const MAX: usize = 100;
    /// What [`Self::parse`] accepts.
    pub const PATTERN: &'static str = "^[A-Za-z0-9_-]{1,100}$";

    /// Parses an id that a caller chose.
    pub fn parse(text: &str) -> Result<Self, InvalidOptionId> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let fits = (1..=Self::MAX).contains(&text.len()) && text.bytes().all(is_letter);
        if fits { Ok(Self(text.into())) } else { Err(InvalidOptionId) }
    }

    /// Accepts an id from the store, which was valid when it was written. Ids that were derived from names can have
    /// letters of any script.
    pub fn from_stored(text: &str) -> Self {
        Self(text.into())
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for OptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for OptionId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
