//! `number`: a finite number. The configuration changes only how it is shown.

use super::{Facts, FilterKind, Rules, SortKind};
use octavo_core_model::named;

named! {
    /// How a number is shown.
    NumberFormat {
        Number = "number",
        Percent = "percent",
        Currency = "currency",
        Scientific = "scientific",
        Decimal = "decimal",
    }
}

/// Three upper-case letters, as in ISO 4217.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency([u8; 3]);

impl Currency {
    /// What [`Self::parse`] accepts.
    pub const PATTERN: &'static str = "^[A-Z]{3}$";

    /// Parses the code of a currency.
    pub fn parse(code: &str) -> Option<Self> {
        <[u8; 3]>::try_from(code.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_uppercase)).map(Self)
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The configuration of `number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberConfig {
    /// How the number is shown.
    pub format: NumberFormat,
    /// The currency that is shown with it.
    pub currency: Option<Currency>,
    /// How many digits are shown after the point.
    pub precision: Option<u8>,
}

impl Default for NumberConfig {
    fn default() -> Self {
        Self { format: NumberFormat::Number, currency: None, precision: None }
    }
}

pub(super) struct Number;

impl Rules for Number {
    type Config = NumberConfig;

    const FACTS: Facts = Facts::in_bag("A finite number.", FilterKind::Number, SortKind::Number);
}
