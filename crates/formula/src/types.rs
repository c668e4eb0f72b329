//! Types of values, as far as they are known before a formula runs.

use std::{fmt, ops::BitOr};

/// A set of types that a value can have. Every value can also be null, and every row can have an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Types(pub(crate) u8);

impl Types {
    /// No type: the value is always null or an error.
    pub const NONE: Self = Self(0);
    /// Numbers.
    pub const NUMBER: Self = Self(1);
    /// Texts.
    pub const TEXT: Self = Self(2);
    /// Booleans.
    pub const BOOLEAN: Self = Self(4);
    /// Days and points in time.
    pub const DATE: Self = Self(8);
    /// Any of them.
    pub const ANY: Self = Self(15);
    /// What functions of dates take: a text can be a date in ISO 8601.
    pub(crate) const DATE_OR_TEXT: Self = Self(10);

    /// The types that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether it has no type.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has all types of the other.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Types {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// `number`, or `number or text`.
impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("any");
        }
        let names = [(Self::NUMBER, "number"), (Self::TEXT, "text"), (Self::BOOLEAN, "boolean"), (Self::DATE, "date")];
        let mut separator = "";
        for (types, name) in names {
            if self.contains(types) {
                write!(f, "{separator}{name}")?;
                separator = " or ";
            }
        }
        if separator.is_empty() { f.write_str("null") } else { Ok(()) }
    }
}
