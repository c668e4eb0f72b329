//! The forms of ISO 8601 beyond those of RFC 3339.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime};

/// A date or time as it was written.
pub(super) enum Written {
    Date(NaiveDate),
    /// A time without an offset.
    Local(NaiveDateTime),
    Offset(DateTime<FixedOffset>),
}

const DATES: [&str; 4] = ["%Y-%m-%d", "%Y%m%d", "%G-W%V-%u", "%Y-%j"];
const TIMES: [&str; 4] = ["%H:%M:%S%.f", "%H:%M", "%H%M%S%.f", "%H%M"];
const OFFSETS: [&str; 2] = ["%z", "%#z"];

/// Parses a text whose year has four digits.
pub(super) fn written(text: &str) -> Option<Written> {
    let has_year = text.len() <= 40 && text.as_bytes().get(..4)?.iter().all(u8::is_ascii_digit);
    if !has_year {
        return None;
    }
    let Some(at) = text.find(['T', 't', ' ']) else { return date(text).map(Written::Date) };
    let (day, time) = (date(&text[..at])?, &text[at + 1..]);
    let time = time.strip_suffix(['Z', 'z']).map_or_else(|| time.to_owned(), |time| format!("{time}+00:00"));
    let form = |time: &str| format!("{day}T{time}");
    for clock in TIMES {
        if let Ok(read) = NaiveDateTime::parse_from_str(&form(&time), &format!("%Y-%m-%dT{clock}")) {
            return Some(Written::Local(read));
        }
        for offset in OFFSETS {
            if let Ok(read) = DateTime::parse_from_str(&form(&time), &format!("%Y-%m-%dT{clock}{offset}")) {
                return Some(Written::Offset(read));
            }
        }
    }
    None
}

fn date(text: &str) -> Option<NaiveDate> {
    // Numbers of days and forms without separators would also fit texts that mean something else.
    let fits = |form: &str| !matches!(form, "%Y%m%d" | "%Y-%j") || text.len() == 8;
    DATES.into_iter().filter(|form| fits(form)).find_map(|form| NaiveDate::parse_from_str(text, form).ok())
}
