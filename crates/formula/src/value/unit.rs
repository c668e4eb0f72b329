//! Units of time in formulas.

/// A unit of `dateAdd`, `dateSubtract` and `dateBetween`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 60 seconds.
    Minutes,
    /// 60 minutes.
    Hours,
    /// 24 hours.
    Days,
    /// Seven days.
    Weeks,
    /// Months of the calendar.
    Months,
    /// Years of the calendar.
    Years,
}

const MINUTE: i64 = 60_000;

impl Unit {
    /// Their names, plural.
    pub const NAMES: [&'static str; 6] = ["minutes", "hours", "days", "weeks", "months", "years"];

    /// The unit with this name, singular or plural.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.strip_suffix('s').unwrap_or(name) {
            "minute" => Self::Minutes,
            "hour" => Self::Hours,
            "day" => Self::Days,
            "week" => Self::Weeks,
            "month" => Self::Months,
            "year" => Self::Years,
            _ => return None,
        })
    }

    /// How long it is.
    pub(super) const fn length(self) -> Length {
        match self {
            Self::Minutes => Length::Millis(MINUTE),
            Self::Hours => Length::Millis(60 * MINUTE),
            Self::Days => Length::Millis(24 * 60 * MINUTE),
            Self::Weeks => Length::Millis(7 * 24 * 60 * MINUTE),
            Self::Months => Length::Months(1),
            Self::Years => Length::Months(12),
        }
    }

    /// Whether a day that moves by it stays a day.
    pub(super) const fn keeps_days(self) -> bool {
        !matches!(self, Self::Minutes | Self::Hours)
    }
}

/// Months differ in length.
pub(super) enum Length {
    Millis(i64),
    Months(i64),
}
