//! Points in time, in whole milliseconds UTC.

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use std::{fmt, ops::RangeInclusive, time::Duration};

/// From the first millisecond of the year 0000 to the last of 9999.
const FOUR_DIGITS: RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// Milliseconds since the Unix epoch. Only adapters read the clock; everything else gets the time as an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A text is not a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTimestamp;

impl Timestamp {
    /// The time that is so many milliseconds after the beginning of 1970, in UTC.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the beginning of 1970, in UTC.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole Unix seconds, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The time that is so much later.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(millis_of(span)))
    }

    /// The time that is so much earlier.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(millis_of(span)))
    }

    /// How long ago `earlier` was; zero if it is in the future.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Parses RFC 3339 with any offset. Digits beyond milliseconds are cut. In UTC the year must still have four
    /// digits, because other years cannot be written.
    pub fn parse(text: &str) -> Result<Self, InvalidTimestamp> {
        let time = DateTime::parse_from_rfc3339(text).map_err(|_| InvalidTimestamp)?;
        let millis = time.timestamp_millis();
        if FOUR_DIGITS.contains(&millis) { Ok(Self(millis)) } else { Err(InvalidTimestamp) }
    }
}

fn millis_of(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

/// A number of whole days.
pub const fn days(count: u64) -> Duration {
    Duration::from_secs(count * 86_400)
}

/// The text of a time in a year with four digits, written digit by digit: lists contain thousands of times, and the
/// general method is ten times slower.
fn four_digits(time: DateTime<Utc>) -> Option<[u8; 24]> {
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let mut put = |at: usize, count: usize, mut number: u32| {
        for slot in text[at..at + count].iter_mut().rev() {
            *slot = b'0' + u8::try_from(number % 10).unwrap_or(0);
            number /= 10;
        }
    };
    put(0, 4, u32::try_from(time.year()).ok().filter(|year| *year <= 9999)?);
    put(5, 2, time.month());
    put(8, 2, time.day());
    put(11, 2, time.hour());
    put(14, 2, time.minute());
    put(17, 2, time.second());
    put(20, 3, time.timestamp_subsec_millis());
    Some(text)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or_default();
        match four_digits(time) {
            Some(text) => f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?),
            None => f.write_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true)),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(|_| serde::de::Error::custom("not an RFC 3339 timestamp"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_timestamp_is_written_with_milliseconds_in_utc() {
        assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(1_700_000_000_123).to_string(), "2023-11-14T22:13:20.123Z");
    }

    proptest! {
        #[test]
        fn it_is_written_as_the_library_writes_it(millis in -70_000_000_000_000i64..300_000_000_000_000) {
            let expected = DateTime::<Utc>::from_timestamp_millis(millis)
                .map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true));
            prop_assert_eq!(Some(Timestamp::from_millis(millis).to_string()), expected);
        }
    }

    #[test]
    fn any_offset_is_read_and_finer_digits_are_cut() {
        let read = |text| Timestamp::parse(text).map(Timestamp::millis);
        assert_eq!(read("2023-11-15T00:13:20.123999+02:00"), Ok(1_700_000_000_123));
        assert_eq!(read("2023-11-14 is a Tuesday"), Err(InvalidTimestamp));
        assert_eq!(read("2023-11-14"), Err(InvalidTimestamp));
    }

    #[test]
    fn a_year_has_four_digits_in_utc_too() {
        for text in ["0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59.999-00:01", "9999-12-31T23:59:60Z"] {
            assert_eq!(Timestamp::parse(text), Err(InvalidTimestamp), "{text}");
        }
        for text in ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            assert_eq!(Timestamp::parse(text).map(|time| time.to_string()).as_deref(), Ok(text));
        }
    }
}
