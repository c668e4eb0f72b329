//! Patterns of `formatDate`.

use crate::value::Date;
use chrono::{DateTime, Datelike, Timelike, Utc};
use std::fmt::Write;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Writes a date in a pattern. Letters that mean nothing, and quotes that do not end, stand for themselves.
pub(super) fn write(date: Date, pattern: &str, out: &mut String) {
    let time = date.time();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let length = if let Some((text, length)) = quoted(rest) {
            out.push_str(text);
            length
        } else {
            let length = rest.find(|letter| letter != first).unwrap_or(rest.len());
            symbols(time, &rest[..length], out);
            length
        };
        rest = &rest[length..];
    }
}

/// The text between the brackets or quotes with which this begins, and its length with them.
fn quoted(rest: &str) -> Option<(&str, usize)> {
    let close = match rest.chars().next()? {
        '[' => ']',
        '\'' => '\'',
        _ => return None,
    };
    let end = rest[1..].find(close)? + 1;
    Some((&rest[1..end], end + 1))
}

/// Writes what a run of one letter stands for.
fn symbols(time: DateTime<Utc>, run: &str, out: &mut String) {
    let month = MONTHS[time.month0() as usize % MONTHS.len()];
    let weekday = WEEKDAYS[time.weekday().num_days_from_monday() as usize % WEEKDAYS.len()];
    let (is_afternoon, hour) = time.hour12();
    let millis = time.timestamp_subsec_millis();
    let (number, width) = match run {
        "YYYY" | "yyyy" => (time.year().unsigned_abs(), 4),
        "YY" | "yy" => (time.year().unsigned_abs() % 100, 2),
        "MMMM" => return out.push_str(month),
        "MMM" => return out.push_str(&month[..3]),
        "MM" => (time.month(), 2),
        "M" => (time.month(), 1),
        "DD" | "dd" => (time.day(), 2),
        "D" | "d" => (time.day(), 1),
        "dddd" | "EEEE" => return out.push_str(weekday),
        "ddd" | "EEE" => return out.push_str(&weekday[..3]),
        "HH" => (time.hour(), 2),
        "H" => (time.hour(), 1),
        "hh" => (hour, 2),
        "h" => (hour, 1),
        "mm" => (time.minute(), 2),
        "m" => (time.minute(), 1),
        "ss" => (time.second(), 2),
        "s" => (time.second(), 1),
        "SSS" => (millis, 3),
        "A" => return out.push_str(if is_afternoon { "PM" } else { "AM" }),
        "a" => return out.push_str(if is_afternoon { "pm" } else { "am" }),
        other => return out.push_str(other),
    };
    // Writing to a text cannot fail.
    let _ = write!(out, "{number:0width$}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn shown(date: &str, pattern: &str) -> String {
        let mut text = String::new();
        write(Date::parse(date).unwrap(), pattern, &mut text);
        text
    }

    #[test]
    fn every_symbol_has_its_meaning() {
        let time = "2024-03-05T00:07:09.042Z";
        for (pattern, expected) in [
            ("YYYY-MM-DDTHH:mm:ss.SSSZ", "2024-03-05T00:07:09.042Z"),
            ("yyyy/M/d", "2024/3/5"),
            ("yy YY", "24 24"),
            ("EEEE EEE dddd ddd", "Tuesday Tue Tuesday Tue"),
            ("MMMM MMM", "March Mar"),
            ("h:mm a, hh A, H, m, s", "12:07 am, 12 AM, 0, 7, 9"),
            ("[YYYY] 'MM' [open", "YYYY MM [open"),
            ("YYYYY é '", "YYYYY é '"),
            ("", ""),
        ] {
            assert_eq!(shown(time, pattern), expected, "{pattern}");
        }
        assert_eq!(shown("2024-03-05T15:00:00Z", "h a"), "3 pm");
        assert_eq!(shown("0001-01-01", "YYYY"), "0001");
    }

    proptest! {
        #[test]
        fn any_pattern_is_written(pattern in "\\PC{0,20}|[YMDdHhmsSAaE'\\[\\]]{0,20}") {
            let _ = shown("2024-03-05", &pattern);
        }
    }
}
