//! Dates in cells.

use chrono::{NaiveDate, NaiveTime};

/// A date with or without time, or two of them with `/` in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateCell {
    /// When it begins.
    pub start: Moment,
    /// When it ends, if that is written.
    pub end: Option<Moment>,
}

/// A date with or without time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day.
    pub day: NaiveDate,
    /// The time of the day.
    pub time: Option<NaiveTime>,
    /// How many minutes the time is ahead of UTC, if that is written.
    pub offset: Option<i32>,
}

/// Reads an ISO 8601 date (`2024-02-29`) or date and time (`2024-02-29T13:05`, with a space in place of the `T`,
/// seconds, a fraction, `Z` or an offset), or two of them with `/` in between, the later one second.
///
/// It returns none for days that do not exist and for everything in which day and month could be confused, as in
/// `01/02/2024`. White space around the date is ignored.
pub fn date(text: &str) -> Option<DateCell> {
    let text = text.trim();
    let Some((start, end)) = text.split_once('/') else {
        return Some(DateCell { start: moment(text)?, end: None });
    };
    let (start, end) = (moment(start)?, moment(end)?);
    (start.day <= end.day).then_some(DateCell { start, end: Some(end) })
}

fn moment(text: &str) -> Option<Moment> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = read_day(day)?;
    if rest.is_empty() {
        return Some(Moment { day, time: None, offset: None });
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = match rest.find(['Z', 'z', '+', '-']) {
        Some(at) => (&rest[..at], Some(read_offset(&rest[at..])?)),
        None => (rest, None),
    };
    Some(Moment { day, time: Some(read_clock(clock)?), offset })
}

fn read_day(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    if parts.next().is_some() {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

fn read_clock(text: &str) -> Option<NaiveTime> {
    let (clock, nanos) = match text.split_once('.') {
        Some((clock, fraction)) if clock.len() == 8 => (clock, read_fraction(fraction)?),
        Some(_) => return None,
        None => (text, 0),
    };
    let mut parts = clock.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let second = parts.next().map_or(Some(0), |second| digits(second, 2))?;
    if parts.next().is_some() {
        return None;
    }
    NaiveTime::from_hms_nano_opt(hour, minute, second, nanos)
}

fn read_fraction(text: &str) -> Option<u32> {
    let value = digits(text, text.len())?;
    let missing = 9_usize.checked_sub(text.len())?;
    Some(value * 10_u32.pow(u32::try_from(missing).ok()?))
}

fn read_offset(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = text.split_at_checked(1)?;
    let hours = digits(rest.get(..2)?, 2)?;
    let minutes = digits(rest[2..].strip_prefix(':').unwrap_or(&rest[2..]), 2)?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let minutes = i32::try_from(hours * 60 + minutes).ok()?;
    Some(if sign == "-" { -minutes } else { minutes })
}

/// A number of exactly so many digits, at most nine.
fn digits(text: &str, count: usize) -> Option<u32> {
    let is_number = (1..=9).contains(&count) && text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn a_day_may_have_a_time_and_an_offset() {
        let leap = day(2024, 2, 29);
        let read = |text| date(text).map(|cell| (cell.start.day, cell.start.time, cell.start.offset));
        assert_eq!(read(" 2024-02-29 "), Some((leap, None, None)));
        let time = |hour, minute, second, milli| NaiveTime::from_hms_milli_opt(hour, minute, second, milli);
        assert_eq!(read("2024-02-29T13:05"), Some((leap, time(13, 5, 0, 0), None)));
        assert_eq!(read("2024-02-29 13:05:07"), Some((leap, time(13, 5, 7, 0), None)));
        assert_eq!(read("2024-02-29T13:05:07.250Z"), Some((leap, time(13, 5, 7, 250), Some(0))));
        assert_eq!(read("2024-02-29T13:05:07+05:30"), Some((leap, time(13, 5, 7, 0), Some(330))));
        assert_eq!(read("2024-02-29T13:05:07-0800"), Some((leap, time(13, 5, 7, 0), Some(-480))));
    }

    #[test]
    fn a_range_has_two_days() {
        let cell = date("2024-01-01/2024-01-05T10:00Z").unwrap();
        assert_eq!(cell.start.day, day(2024, 1, 1));
        assert_eq!(cell.end.map(|end| end.day), Some(day(2024, 1, 5)));
        for text in ["2024-01-05/2024-01-01", "2024-01-01/", "/2024-01-01", "2024-01-01/2024-01-02/2024-01-03"] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "01/02/2024",
            "31/12/2024",
            "12/31/2024",
            "31.12.2024",
            "2024/01/02",
            "20240102",
            "2024-1-2",
            "2024-02-30",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-01",
            "2024-W05-1",
            "2024-01-02T",
            "2024-01-02T25:00",
            "2024-01-02T10",
            "2024-01-02T10:60",
            "2024-01-02T10:00:60",
            "2024-01-02T10:00.5",
            "2024-01-02T10:00:00.",
            "2024-01-02T10:00+5",
            "2024-01-02T10:00+24:00",
            "2024-01-02T10:00Zx",
            "2024-01-02x",
            "Jan 2, 2024",
            "12024-01-02",
            "-024-01-02",
            "\u{662}024-01-02",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_date_or_not(text in "[-0-9TZ:./+ é]{0,30}") {
            let _ = date(&text);
        }

        #[test]
        fn every_day_is_read(days in -700_000..2_900_000_i32) {
            let day = NaiveDate::from_num_days_from_ce_opt(days.max(1)).unwrap();
            prop_assert_eq!(date(&day.to_string()).map(|cell| cell.start.day), Some(day));
        }
    }
}
