//! The functions of the second evaluator.

use super::naive::{Answer, Plain};
use crate::RowError;

const BAD: Answer = Err(RowError::InvalidArgument);
const DAY: i64 = 86_400_000;
const YEARS: std::ops::RangeInclusive<i64> = 0..=9999;

/// What a function gives, and how many bytes of texts it handles if it is one of texts.
pub(super) fn call(name: &str, given: &[Option<Plain>], now: i64) -> (Answer, usize) {
    match name {
        "empty" => {
            let is_empty = given[0].as_ref().is_none_or(|value| *value == Plain::Text(String::new()));
            return (Ok(Some(Plain::Boolean(is_empty))), 0);
        }
        "coalesce" => return (Ok(given.iter().flatten().next().cloned()), 0),
        "concat" => {
            let text: String = given.iter().flatten().map(format).collect();
            let read: usize = given.iter().flatten().map(bytes).sum();
            let length = read + text.len();
            return (Ok(Some(Plain::Text(text))), length);
        }
        _ => {}
    }
    let Some(given) = given.iter().cloned().collect::<Option<Vec<_>>>() else { return (Ok(None), 0) };
    let answer = of_values(name, &given, now);
    let is_of_texts =
        ["length", "lower", "upper", "trim", "contains", "replace", "substring", "format", "toNumber", "formatDate"];
    if !is_of_texts.contains(&name) {
        return (answer, 0);
    }
    // A call that fails reads nothing.
    let handled = match &answer {
        Ok(Some(Plain::Text(text))) => given.iter().map(bytes).sum::<usize>() + text.len(),
        Ok(_) => given.iter().map(bytes).sum(),
        Err(_) => 0,
    };
    (answer, handled)
}

fn bytes(value: &Plain) -> usize {
    if let Plain::Text(text) = value { text.len() } else { 0 }
}

fn of_values(name: &str, given: &[Plain], now: i64) -> Answer {
    use Plain::{Boolean, Date, Number, Text};
    let number = |number: f64| if number.is_finite() { Ok(Some(Number(number))) } else { BAD };
    let text = |text: String| Ok(Some(Text(text)));
    match (name, given) {
        ("abs", [Number(a)]) => number(if *a < 0.0 { -a } else { *a }),
        ("floor", [Number(a)]) => number(a - a.rem_euclid(1.0)),
        ("ceil", [Number(a)]) => number(-(-a - (-a).rem_euclid(1.0))),
        ("sqrt", [Number(a)]) => number(if *a < 0.0 { f64::NAN } else { a.sqrt() }),
        ("round", [Number(a)]) => number(if *a < 0.0 { -(-a + 0.5).floor() } else { (a + 0.5).floor() }),
        ("min" | "max" | "sum", _) => {
            let mut numbers = Vec::new();
            for value in given {
                let Number(number) = value else { return BAD };
                numbers.push(*number);
            }
            number(match name {
                "sum" => numbers.iter().sum(),
                "min" => numbers.iter().copied().reduce(|a, b| if b < a { b } else { a }).unwrap(),
                _ => numbers.iter().copied().reduce(|a, b| if b > a { b } else { a }).unwrap(),
            })
        }
        ("length", [Text(a)]) => number(f64::from(u32::try_from(a.chars().count()).unwrap())),
        ("lower", [Text(a)]) => text(a.to_lowercase()),
        ("upper", [Text(a)]) => text(a.chars().flat_map(char::to_uppercase).collect()),
        ("trim", [Text(a)]) => text(a.trim_start().trim_end().to_owned()),
        ("contains", [Text(a), Text(b)]) => Ok(Some(Boolean(a.find(b.as_str()).is_some()))),
        ("replace", [Text(a), Text(b), Text(c)]) => {
            text(if b.is_empty() { a.clone() } else { a.split(b.as_str()).collect::<Vec<_>>().join(c) })
        }
        ("substring", [Text(a), Number(from), Number(to)]) if from.fract() == 0.0 && to.fract() == 0.0 => {
            let is_in = |at: usize| (*from..*to).contains(&f64::from(u32::try_from(at).unwrap()));
            text(a.chars().enumerate().filter(|(at, _)| is_in(*at)).map(|(_, letter)| letter).collect())
        }
        ("format", [value]) => text(format(value)),
        ("toNumber", [Number(a)]) => number(*a),
        ("toNumber", [Boolean(a)]) => number(if *a { 1.0 } else { 0.0 }),
        ("toNumber", [Text(a)]) if a.chars().all(|letter| "0123456789+-.eE ".contains(letter)) => {
            a.trim().parse().map_or(BAD, number)
        }
        ("now", []) => Ok(Some(Date(now, true))),
        ("today", []) => Ok(Some(Date(now - now.rem_euclid(DAY), false))),
        ("dateAdd", [Date(..), Number(amount), Text(unit)]) => add(&given[0], *amount, unit),
        ("dateSubtract", [Date(..), Number(amount), Text(unit)]) => add(&given[0], -amount, unit),
        ("dateBetween", [Date(a, _), Date(b, _), Text(unit)]) => match length(unit) {
            Some(millis) => number(((a - b) / millis).to_string().parse().unwrap()),
            None => BAD,
        },
        ("formatDate", [date @ Date(..)]) => text(format(date)),
        ("year", [Date(a, _)]) => number(f64::from(i32::try_from(civil(*a).0).unwrap())),
        ("month", [Date(a, _)]) => number(f64::from(i32::try_from(civil(*a).1).unwrap())),
        ("day", [Date(a, _)]) => number(f64::from(i32::try_from(civil(*a).2).unwrap())),
        _ => BAD,
    }
}

fn length(unit: &str) -> Option<i64> {
    Some(match unit {
        "minute" | "minutes" => 60_000,
        "hour" | "hours" => 3_600_000,
        "day" | "days" => DAY,
        "week" | "weeks" => 7 * DAY,
        _ => return None,
    })
}

fn add(date: &Plain, amount: f64, unit: &str) -> Answer {
    let Plain::Date(millis, has_time) = *date else { return BAD };
    // More minutes than this lead out of the calendar.
    if amount.fract() != 0.0 || amount.abs() > 6e9 {
        return BAD;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is small")]
    let amount = amount as i64;
    if let Some(length) = length(unit) {
        let millis = millis + amount * length;
        let has_time = has_time || length < DAY;
        let is_dated = (days(0, 1, 1) * DAY..days(10_000, 1, 1) * DAY).contains(&millis);
        return if is_dated { Ok(Some(Plain::Date(millis, has_time))) } else { BAD };
    }
    let months = match unit {
        "month" | "months" => amount,
        "year" | "years" => amount * 12,
        _ => return BAD,
    };
    let (year, month, day) = civil(millis);
    let (year, month) = ((year * 12 + month - 1 + months).div_euclid(12), (month - 1 + months).rem_euclid(12) + 1);
    if !YEARS.contains(&year) {
        return BAD;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let day = day.min(last[usize::try_from(month).unwrap() - 1]);
    Ok(Some(Plain::Date(days(year, month, day) * DAY + millis.rem_euclid(DAY), has_time)))
}

/// Days from the beginning of 1970 to a day, by counting the days of years and months.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Year, month and day: the last ones whose first day is not later.
fn civil(millis: i64) -> (i64, i64, i64) {
    let day = millis.div_euclid(DAY);
    let mut year = 1970 + day.div_euclid(366) - 30;
    while days(year + 1, 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| days(year, *month, 1) <= day).unwrap();
    (year, month, day - days(year, month, 1) + 1)
}

fn format(value: &Plain) -> String {
    match value {
        Plain::Text(text) => text.clone(),
        Plain::Boolean(boolean) => boolean.to_string(),
        Plain::Number(number) => {
            let scientific = format!("{:e}", number + 0.0);
            let (digits, power) = scientific.split_once('e').unwrap();
            let power: i32 = power.parse().unwrap();
            if (-6..=20).contains(&power) { (number + 0.0).to_string() } else { format!("{digits}e{power:+}") }
        }
        Plain::Date(millis, has_time) => {
            let (year, month, day) = civil(*millis);
            let date = format!("{year:04}-{month:02}-{day:02}");
            let time = millis.rem_euclid(DAY);
            let (hour, minute, second) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
            let time = format!("T{hour:02}:{minute:02}:{second:02}.{:03}Z", time % 1000);
            if *has_time { date + &time } else { date }
        }
    }
}
