//! Every number has a range.

use super::env;
use crate::settings::table::{Fallback, Row, rows};

fn at(row: &Row, value: &str) -> Result<(), Vec<String>> {
    env(&row.variable(), value).load().map(|_| ())
}

/// The bounds that a row shows to the operator.
fn shown_bounds(row: &Row) -> Option<(String, String)> {
    let rest = row.wants.strip_prefix("a whole number from ").or_else(|| row.wants.strip_prefix("a duration from "))?;
    let (least, rest) = rest.split_once(" to ")?;
    Some((least.to_owned(), rest.split(',').next().unwrap_or_default().to_owned()))
}

fn beyond(bound: &str) -> String {
    let digits = bound.trim_end_matches(|c: char| !c.is_ascii_digit());
    format!("{}{}", digits.parse::<u64>().unwrap() + 1, &bound[digits.len()..])
}

#[test]
fn each_number_is_taken_at_its_bounds_and_refused_beyond_them() {
    let bounded: Vec<_> = rows().into_iter().filter_map(|row| shown_bounds(&row).map(|bounds| (row, bounds))).collect();
    assert!(bounded.len() > 15);
    for (row, (least, most)) in bounded {
        assert_eq!(at(&row, &least), Ok(()), "{}", row.name);
        assert_eq!(at(&row, &most), Ok(()), "{}", row.name);
        assert!(at(&row, &beyond(&most)).is_err(), "{}", row.name);
        assert!(at(&row, "-1").is_err(), "{}", row.name);
        assert!(at(&row, "99999999999999999999999999").is_err(), "{}", row.name);
        if let Ok(number @ 1..) = least.parse::<u64>() {
            assert!(at(&row, &(number - 1).to_string()).is_err(), "{}", row.name);
        }
    }
}

#[test]
fn zero_is_off_only_where_the_meaning_says_so() {
    for row in
        rows().into_iter().filter(|row| row.wants.starts_with("a whole number") && row.name != "CLOCK_SKEW_ALLOWED_S")
    {
        let says_so = row.meaning.contains("0 turns") || row.meaning.contains("0 means no limit");
        assert_eq!(at(&row, "0").is_ok(), says_so, "{}", row.name);
    }
}

#[test]
fn every_default_is_a_value_of_its_setting() {
    for row in rows() {
        if let Fallback::Value(default) = &row.fallback {
            assert_eq!(at(&row, default), Ok(()), "{}", row.name);
        }
    }
}

#[test]
fn every_setting_refuses_nonsense() {
    for row in rows() {
        assert!(at(&row, "\u{7f}\nnonsense").is_err() || row.name == "DATA_DIR", "{}", row.name);
    }
}
