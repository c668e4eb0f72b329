//! Days, points in time, and spans between them.

use chrono::{Datelike, NaiveDate};
use octavo_core_model::{Timestamp, text::TimeZone};
use std::{cmp::Ordering, fmt};

/// A day of the calendar in a year with four digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(NaiveDate);

/// A text is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDay;

impl Day {
    /// The day, if its year has four digits.
    pub fn new(date: NaiveDate) -> Option<Self> {
        (0..=9999).contains(&date.year()).then_some(Self(date))
    }

    /// Parses `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Result<Self, InvalidDay> {
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes[at].is_ascii_digit();
        let fits = bytes.len() == 10
            && bytes[4] == b'-'
            && bytes[7] == b'-'
            && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(is_digit);
        if !fits {
            return Err(InvalidDay);
        }
        let number = |digits: &[u8]| digits.iter().fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        let year = i32::try_from(number(&bytes[..4])).map_err(|_| InvalidDay)?;
        NaiveDate::from_ymd_opt(year, number(&bytes[5..7]), number(&bytes[8..])).map(Self).ok_or(InvalidDay)
    }

    /// The day as the library has it, for arithmetic.
    pub const fn date(self) -> NaiveDate {
        self.0
    }

    /// The first moment of the day in UTC.
    pub fn midnight(self) -> Timestamp {
        Timestamp::from_millis(self.0.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A date without or with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A whole day, wherever the reader is.
    Day(Day),
    /// A point in time.
    Instant(Timestamp),
}

impl Moment {
    /// Parses `YYYY-MM-DD` or an RFC 3339 timestamp with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        match Day::parse(text) {
            Ok(day) => Some(Self::Day(day)),
            Err(InvalidDay) => Timestamp::parse(text).ok().map(Self::Instant),
        }
    }

    /// The order in time if both are of the same kind; days and times are compared by the day in UTC.
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Day(a), Self::Day(b)) => a.cmp(&b),
            (Self::Instant(a), Self::Instant(b)) => a.cmp(&b),
            _ => self.day_in_utc().cmp(&other.day_in_utc()),
        }
    }

    /// The day; that of a point in time is the one in UTC.
    pub fn day_in_utc(self) -> NaiveDate {
        match self {
            Self::Day(day) => day.date(),
            Self::Instant(time) => {
                chrono::DateTime::from_timestamp_millis(time.millis()).unwrap_or_default().date_naive()
            }
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::Instant(time) => time.fmt(f),
        }
    }
}

/// The value of a property of the type `date`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    /// When it is, or when it begins.
    pub start: Moment,
    /// When it ends; not before the start.
    pub end: Option<Moment>,
    /// The time zone in which the times were meant.
    pub time_zone: Option<TimeZone>,
}

/// The value of a property of the type `date_range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    /// When it begins.
    pub start: Moment,
    /// When it ends; not before the start. `None` if it is open.
    pub end: Option<Moment>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_extended_form_is_a_day() {
        assert_eq!(Day::parse("2024-02-29").map(|day| day.to_string()).as_deref(), Ok("2024-02-29"));
        assert_eq!(Day::parse("0000-01-01").unwrap().to_string(), "0000-01-01");
        for wrong in ["2023-02-29", "2024-2-9", "20240229", "2024-02-29 ", "+2024-2-29", "2024-13-01", "\u{e4}024-02-9"]
        {
            assert_eq!(Day::parse(wrong), Err(InvalidDay), "{wrong}");
        }
    }

    #[test]
    fn moments_keep_their_kind() {
        let text = |text| Moment::parse(text).map(|moment| moment.to_string());
        assert_eq!(text("2024-05-01").as_deref(), Some("2024-05-01"));
        assert_eq!(text("2024-05-01T12:00:00.1239+02:00").as_deref(), Some("2024-05-01T10:00:00.123Z"));
        assert_eq!(text("2024-05-01T12:00:00"), None);
        assert_eq!(text("tomorrow"), None);
    }

    proptest! {
        #[test]
        fn reading_any_text_never_panics(text in "\\PC{0,12}|[0-9-]{10}") {
            let _ = Moment::parse(&text);
        }
    }
}
