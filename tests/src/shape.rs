//! The form of values.

use serde_json::Value;
use std::time::{SystemTime, UNIX_EPOCH};

/// A prefix and 26 characters of Crockford's base 32.
pub fn is_id(text: &str, prefix: &str) -> bool {
    let Some(body) = text.strip_prefix(prefix) else { return false };
    body.len() == 26
        && body.starts_with(|first| ('0'..='7').contains(&first))
        && body.bytes().all(|letter| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&letter))
}

/// A prefix and 256 bits in base64url.
pub fn is_token(text: &str, prefix: &str) -> bool {
    let Some(body) = text.strip_prefix(prefix) else { return false };
    body.len() == 43 && body.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"-_".contains(&letter))
}

#[track_caller]
pub fn id(value: &Value, prefix: &str) -> String {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no {prefix} id"));
    assert!(is_id(text, prefix), "{text} is no {prefix} id");
    text.to_owned()
}

#[track_caller]
pub fn token(value: &Value, prefix: &str) -> String {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no {prefix} token"));
    assert!(is_token(text, prefix), "{text} is no {prefix} token");
    text.to_owned()
}

/// A text, which must be present.
#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Milliseconds since 1970 of a timestamp, which must have the canonical form.
#[track_caller]
pub fn millis(value: &Value) -> i64 {
    let text = text(value);
    parse_millis(&text).unwrap_or_else(|| panic!("{text} is no timestamp"))
}

/// How many seconds a timestamp is in the future.
#[track_caller]
pub fn seconds_ahead(value: &Value) -> i64 {
    (millis(value) - now_millis()) / 1000
}

fn parse_millis(text: &str) -> Option<i64> {
    let form = "0000-00-00T00:00:00.000Z";
    let fits = |(letter, wanted): (u8, u8)| if wanted == b'0' { letter.is_ascii_digit() } else { letter == wanted };
    if text.len() != form.len() || !text.bytes().zip(form.bytes()).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, milli) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    // Days since 1970 in the proleptic Gregorian calendar; years start in March here.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli)
}

/// A number of milliseconds since 1970 as a timestamp.
pub fn timestamp(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(86_400_000) + 719_468, millis.rem_euclid(86_400_000));
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year + 400 * era, month + 3) } else { (year + 400 * era + 1, month - 9) };
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
}

pub fn now_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

pub fn now_seconds() -> i64 {
    now_millis() / 1000
}

/// Checks that an object has exactly these keys.
#[track_caller]
pub fn exactly(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
    let mut present: Vec<_> = object.keys().map(String::as_str).collect();
    let mut wanted = keys.to_vec();
    present.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(present, wanted, "{value}");
}

/// Checks that an object has these keys, and maybe others.
#[track_caller]
pub fn has(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
    let missing: Vec<_> = keys.iter().filter(|key| !object.contains_key(**key)).collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_read_exactly() {
        assert_eq!(parse_millis("1970-01-01T00:00:00.000Z"), Some(0));
        assert_eq!(parse_millis("2024-02-29T12:34:56.789Z"), Some(1_709_210_096_789));
        for wrong in ["2024-02-29T12:34:56Z", "2024-02-29T12:34:56.789+00:00", "2024-02-29 12:34:56.789Z", ""] {
            assert_eq!(parse_millis(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ids_have_one_form() {
        assert!(is_id("usr_01ARZ3NDEKTSV4RRFFQ69G5FAV", "usr_"));
        for wrong in [
            "usr_01arz3ndektsv4rrffq69g5fav",
            "usr_81ARZ3NDEKTSV4RRFFQ69G5FAV",
            "usr_01ARZ3",
            "wks_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        ] {
            assert!(!is_id(wrong, "usr_"), "{wrong}");
        }
    }
}
