//! Days and points in time, in UTC.

use super::unit::{Length, Unit};
use chrono::{DateTime, Datelike, Months, NaiveDate, Timelike, Utc};
use std::{cmp::Ordering, fmt, ops::RangeInclusive};

const MILLIS_A_DAY: i64 = 86_400_000;

/// From the first millisecond of the year 0000 to the last of 9999.
const FOUR_DIGITS: RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// A whole day, or a point in time in whole milliseconds; its year has four digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    /// Since the beginning of 1970; that of a day is its midnight.
    millis: i64,
    has_time: bool,
}

impl Date {
    /// Midnight of the first day of 1970, which stands where there is no date.
    pub(crate) const PLACEHOLDER: Self = Self { millis: 0, has_time: false };

    /// A point in time, in milliseconds since the beginning of 1970 in UTC.
    pub fn at(millis: i64) -> Option<Self> {
        FOUR_DIGITS.contains(&millis).then_some(Self { millis, has_time: true })
    }

    /// The day in UTC on which a point in time lies.
    pub fn day_of(millis: i64) -> Option<Self> {
        FOUR_DIGITS.contains(&millis).then_some(Self { millis: midnight(millis), has_time: false })
    }

    /// Parses `YYYY-MM-DD`, or an RFC 3339 timestamp with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() > 10 {
            return Self::at(DateTime::parse_from_rfc3339(text).ok()?.timestamp_millis());
        }
        let is_dash = |at: usize| at == 4 || at == 7;
        let fits = |(at, byte): (usize, &u8)| if is_dash(at) { *byte == b'-' } else { byte.is_ascii_digit() };
        if bytes.len() != 10 || !bytes.iter().enumerate().all(fits) {
            return None;
        }
        let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok());
        let year = i32::try_from(number(0..4)?).ok()?;
        let day = NaiveDate::from_ymd_opt(year, number(5..7)?, number(8..10)?)?;
        Self::day_of(day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis())
    }

    /// Milliseconds since the beginning of 1970 in UTC; those of a day are its midnight.
    pub const fn millis(self) -> i64 {
        self.millis
    }

    /// Whether it is a point in time and not a day.
    pub const fn has_time(self) -> bool {
        self.has_time
    }

    /// The day it is or lies on.
    #[must_use]
    pub fn day(self) -> Self {
        Self { millis: midnight(self.millis), has_time: false }
    }

    /// The order by calendar day if one of the two is a day, otherwise by instant.
    pub fn compare(self, other: Self) -> Ordering {
        if self.has_time && other.has_time {
            self.millis.cmp(&other.millis)
        } else {
            midnight(self.millis).cmp(&midnight(other.millis))
        }
    }

    /// The date that is so much later, or earlier if the amount is negative. The day of the month is reduced to the
    /// last one of its month. A day becomes a point in time if minutes or hours are added.
    pub fn plus(self, amount: i64, unit: Unit) -> Option<Self> {
        let millis = match unit.length() {
            Length::Millis(length) => self.millis.checked_add(amount.checked_mul(length)?)?,
            Length::Months(length) => {
                let months = amount.checked_mul(length)?;
                let count = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
                let time = self.time();
                let moved = if months < 0 { time.checked_sub_months(count) } else { time.checked_add_months(count) };
                moved?.timestamp_millis()
            }
        };
        let has_time = self.has_time || !unit.keeps_days();
        FOUR_DIGITS.contains(&millis).then_some(Self { millis, has_time })
    }

    /// How many whole units lie between another date and this one; negative if the other is later.
    pub fn minus(self, other: Self, unit: Unit) -> i64 {
        match unit.length() {
            Length::Millis(length) => (self.millis - other.millis) / length,
            Length::Months(length) if self.millis >= other.millis => self.whole_months_since(other) / length,
            Length::Months(length) => -(other.whole_months_since(self) / length),
        }
    }

    fn whole_months_since(self, earlier: Self) -> i64 {
        let month = |date: Self| i64::from(date.year()) * 12 + i64::from(date.month());
        let count = month(self) - month(earlier);
        let is_reached = earlier.plus(count, Unit::Months).is_some_and(|date| date.millis <= self.millis);
        if is_reached { count } else { count - 1 }
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.time().year()
    }

    /// The month; January is 1.
    pub fn month(self) -> u32 {
        self.time().month()
    }

    /// The day of the month; the first is 1.
    pub fn day_of_month(self) -> u32 {
        self.time().day()
    }

    /// The time in the library's form.
    pub(crate) fn time(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.millis).unwrap_or_default()
    }
}

fn midnight(millis: i64) -> i64 {
    millis - millis.rem_euclid(MILLIS_A_DAY)
}

/// `YYYY-MM-DD`, or RFC 3339 in UTC with milliseconds.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time();
        write!(f, "{:04}-{:02}-{:02}", time.year(), time.month(), time.day())?;
        if !self.has_time {
            return Ok(());
        }
        let millis = time.timestamp_subsec_millis();
        write!(f, "T{:02}:{:02}:{:02}.{millis:03}Z", time.hour(), time.minute(), time.second())
    }
}
