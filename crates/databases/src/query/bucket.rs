//! Ranges of dates and numbers whose records form one group.

use crate::value::{Day, Number};
use chrono::{Datelike, Days, Months, NaiveDate};
use octavo_core_model::named;

named! {
    /// A span of the calendar.
    TimeBucket {
        /// A day.
        Day = "day",
        /// A week; weeks begin on Monday.
        Week = "week",
        /// A month.
        Month = "month",
        /// Three months; the first quarter begins in January.
        Quarter = "quarter",
        /// A year.
        Year = "year",
    }
}

/// What the records of a group have in common, if that is no single value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bucket {
    /// Their dates are in the same span of the calendar.
    Time(TimeBucket),
    /// Their numbers are in the same bin.
    Number(BinWidth),
}

/// How wide the bins of numbers are: a positive number. One of the bins begins at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinWidth(f64);

impl TimeBucket {
    /// The first day of the span that a day is in.
    pub fn start(self, day: NaiveDate) -> NaiveDate {
        let first_of = |month| NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day);
        match self {
            Self::Day => day,
            Self::Week => {
                let since_monday = Days::new(day.weekday().num_days_from_monday().into());
                day.checked_sub_days(since_monday).unwrap_or(day)
            }
            Self::Month => first_of(day.month()),
            Self::Quarter => first_of(day.month0() / 3 * 3 + 1),
            Self::Year => first_of(1),
        }
    }

    /// The first day of a later span, counted from the first day of one; `None` beyond the calendar.
    pub fn later(self, start: NaiveDate, spans: u32) -> Option<NaiveDate> {
        match self {
            Self::Day => start.checked_add_days(Days::new(spans.into())),
            Self::Week => start.checked_add_days(Days::new(u64::from(spans) * 7)),
            Self::Month => start.checked_add_months(Months::new(spans)),
            Self::Quarter => start.checked_add_months(Months::new(spans.checked_mul(3)?)),
            Self::Year => start.checked_add_months(Months::new(spans.checked_mul(12)?)),
        }
    }

    /// How many spans lie between the first days of two of them; none if the second is not later.
    pub fn between(self, start: NaiveDate, end: NaiveDate) -> u32 {
        let days = end.signed_duration_since(start).num_days();
        let months = i64::from(end.year() - start.year()) * 12 + i64::from(end.month()) - i64::from(start.month());
        let spans = match self {
            Self::Day => days,
            Self::Week => days / 7,
            Self::Month => months,
            Self::Quarter => months / 3,
            Self::Year => months / 12,
        };
        u32::try_from(spans).unwrap_or(0)
    }

    /// What people call the span that begins on a day.
    pub fn label(self, start: Day) -> String {
        let (day, text) = (start.date(), start.to_string());
        match self {
            Self::Day => text,
            Self::Week => {
                let week = day.iso_week();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            Self::Month => format!("{:04}-{:02}", day.year(), day.month()),
            Self::Quarter => format!("{:04}-Q{}", day.year(), day.month0() / 3 + 1),
            Self::Year => format!("{:04}", day.year()),
        }
    }
}

impl BinWidth {
    /// The width, if it is a positive number.
    pub fn new(width: f64) -> Option<Self> {
        (width.is_finite() && width > 0.0).then_some(Self(width))
    }

    /// The width.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Where the bin begins that a number is in. A number that is a multiple of the width up to rounding begins a bin:
    /// 0.3 is no multiple of 0.1 in binary, and people expect that it is.
    pub fn start(self, number: f64) -> f64 {
        let quotient = number / self.0;
        let nearest = quotient.round();
        let is_multiple = (quotient - nearest).abs() <= 1e-9 * nearest.abs().max(1.0);
        let bin = if is_multiple { nearest } else { quotient.floor() };
        rounded(bin * self.0)
    }

    /// What people call the bin that begins at a number.
    pub fn label(self, start: f64) -> String {
        let text = |number: f64| Number::new(number).map_or_else(String::new, |number| number.to_json().to_string());
        format!("{} \u{2013} {}", text(start), text(rounded(start + self.0)))
    }
}

/// The number with 14 digits, which hides what arithmetic in binary adds. Too large ones stay what they are.
fn rounded(number: f64) -> f64 {
    let short = format!("{number:.13e}").parse::<f64>().unwrap_or(number);
    if short.is_finite() { short + 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "bins begin at exact numbers")]
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> NaiveDate {
        Day::parse(text).unwrap().date()
    }

    #[test]
    fn spans_begin_where_the_calendar_says() {
        let start = |bucket: TimeBucket, text| Day::new(bucket.start(day(text))).unwrap();
        assert_eq!(start(TimeBucket::Day, "2026-11-27").to_string(), "2026-11-27");
        // A Sunday, and the Monday after it.
        assert_eq!(start(TimeBucket::Week, "2026-11-29").to_string(), "2026-11-23");
        assert_eq!(start(TimeBucket::Week, "2026-11-30").to_string(), "2026-11-30");
        assert_eq!(start(TimeBucket::Month, "2024-02-29").to_string(), "2024-02-01");
        assert_eq!(start(TimeBucket::Quarter, "2026-11-27").to_string(), "2026-10-01");
        assert_eq!(start(TimeBucket::Year, "2026-11-27").to_string(), "2026-01-01");
    }

    #[test]
    fn spans_have_short_names() {
        let label = |bucket: TimeBucket, text| bucket.label(Day::parse(text).unwrap());
        assert_eq!(label(TimeBucket::Week, "2026-12-28"), "2026-W53");
        assert_eq!(label(TimeBucket::Month, "2026-10-01"), "2026-10");
        assert_eq!(label(TimeBucket::Quarter, "2026-10-01"), "2026-Q4");
        assert_eq!(label(TimeBucket::Year, "0987-01-01"), "0987");
        assert_eq!(BinWidth::new(10.0).unwrap().label(20.0), "20 \u{2013} 30");
        assert_eq!(BinWidth::new(0.1).unwrap().label(0.2), "0.2 \u{2013} 0.3");
    }

    #[test]
    fn a_multiple_of_the_width_begins_a_bin() {
        let start = |width, number| BinWidth::new(width).unwrap().start(number);
        assert_eq!(start(0.1, 0.3), 0.3);
        assert_eq!(start(0.1, 0.39), 0.3);
        assert_eq!(start(10.0, -0.5), -10.0);
        assert_eq!(start(10.0, 9.999), 0.0);
        assert_eq!(start(2.5, 7.5), 7.5);
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(BinWidth::new(wrong), None);
        }
    }

    proptest! {
        #[test]
        fn a_span_contains_its_days(from_1970 in -100_000..100_000_i64, at in 0..TimeBucket::ALL.len()) {
            let bucket = TimeBucket::ALL[at];
            let day = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap() + chrono::TimeDelta::days(from_1970);
            let start = bucket.start(day);
            let next = bucket.later(start, 1).unwrap();
            prop_assert!(start <= day && day < next);
            prop_assert_eq!(bucket.start(next), next);
            prop_assert_eq!(bucket.start(start), start);
            prop_assert_eq!(bucket.between(start, bucket.later(start, 17).unwrap()), 17);
        }

        #[test]
        fn a_number_is_in_its_bin(width in 0.001..1e6_f64, number in -1e9..1e9_f64) {
            let start = BinWidth::new(width).unwrap().start(number);
            let slack = 1e-6 * width.max(1.0) + number.abs() * 1e-9;
            prop_assert!(start <= number + slack && number < start + width + slack, "{start} {number}");
        }
    }
}
