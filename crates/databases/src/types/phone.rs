//! `phone`: a telephone number as people write it.

use super::{Facts, FilterKind, Rules, SortKind};

/// Two upper-case letters, as in ISO 3166.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country([u8; 2]);

impl Country {
    /// What [`Self::parse`] accepts.
    pub const PATTERN: &'static str = "^[A-Z]{2}$";

    /// Parses the code of a country.
    pub fn parse(code: &str) -> Option<Self> {
        <[u8; 2]>::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase)).map(Self)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The configuration of `phone`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhoneConfig {
    /// The country of numbers without a country code.
    pub default_country: Option<Country>,
}

pub(super) struct Phone;

impl Rules for Phone {
    type Config = PhoneConfig;

    const FACTS: Facts = Facts::in_bag("A telephone number as people write it.", FilterKind::Text, SortKind::Text);
}
