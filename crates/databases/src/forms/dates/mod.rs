//! `{ start, end }` with dates or times.

mod iso;

use crate::{
    read::Flaw,
    value::{Day, Moment},
};
use chrono::{NaiveDateTime, TimeZone as _, offset::LocalResult};
use iso::{Written, written};
use octavo_core_model::{Timestamp, fault::Issue, text::TimeZone};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Start and end of a span.
pub(crate) type Span = (Moment, Option<Moment>);

const MOMENT: &str = "a date `YYYY-MM-DD` or a time as in RFC 3339 with an offset, in the years 0000 to 9999";
const ORDER: &str = "`end` is not before `start`";

/// Reads `start` and `end`. `None` if both are null.
pub(crate) fn read(sent: &Map<String, Value>, shape: &str) -> Result<Option<Span>, Flaw> {
    if sent.get("start").is_none() {
        return Err(Flaw::of_shape(shape));
    }
    match (moment(sent.get("start"))?, moment(sent.get("end"))?) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Flaw::new(Issue::InvalidValue).ruled(&["an `end` needs a `start`"])),
        (Some(start), end) => ordered((start, end)).map(Some),
    }
}

fn moment(sent: Option<&Value>) -> Result<Option<Moment>, Flaw> {
    match sent {
        None | Some(Value::Null) => Ok(None),
        Some(sent) => {
            let flaw = |issue| Flaw::new(issue).ruled(&[MOMENT]).with(sent.clone());
            let text = sent.as_str().ok_or_else(|| flaw(Issue::InvalidType))?;
            Moment::parse(text).map(Some).ok_or_else(|| flaw(Issue::InvalidFormat))
        }
    }
}

fn ordered(span: Span) -> Result<Span, Flaw> {
    match span {
        (start, Some(end)) if end.compare(start) == Ordering::Less => {
            Err(Flaw::new(Issue::InvalidValue).ruled(&[ORDER]))
        }
        span => Ok(span),
    }
}

/// Parses a text with a start, or a start and an end with a slash between them. Times without an offset are in the
/// given zone.
pub(crate) fn parse(text: &str, zone: Option<&TimeZone>) -> Result<Span, Flaw> {
    let one = |text: &str| {
        let flaw = || Flaw::new(Issue::InvalidFormat).ruled(&["a date or time as in ISO 8601; `start/end` for a span"]);
        plain_moment(text.trim(), zone).ok_or_else(flaw)
    };
    match text.split_once('/') {
        Some((start, end)) if end.trim().is_empty() => Ok((one(start)?, None)),
        Some((start, end)) => ordered((one(start)?, Some(one(end)?))),
        None => Ok((one(text)?, None)),
    }
}

/// Parses several texts: a start, and an end that can be missing.
pub(crate) fn cast(texts: &[String], zone: Option<&TimeZone>) -> Result<Span, Flaw> {
    match texts {
        [start] => parse(start, zone),
        [start, end] => parse(&format!("{start}/{end}"), zone),
        _ => Err(Flaw::too_long(2)),
    }
}

fn plain_moment(text: &str, zone: Option<&TimeZone>) -> Option<Moment> {
    if let Some(moment) = Moment::parse(text) {
        return Some(moment);
    }
    match written(text)? {
        Written::Date(date) => Day::new(date).map(Moment::Day),
        Written::Local(time) => in_zone(time, zone).map(Moment::Instant),
        Written::Offset(time) => Timestamp::parse(&time.to_rfc3339()).ok().map(Moment::Instant),
    }
}

/// A local time; the first one if clocks showed it twice, and the one after a gap.
fn in_zone(time: NaiveDateTime, zone: Option<&TimeZone>) -> Option<Timestamp> {
    let zone = zone.and_then(|zone| zone.as_str().parse::<chrono_tz::Tz>().ok()).unwrap_or(chrono_tz::UTC);
    let resolved = match zone.from_local_datetime(&time) {
        LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => time,
        LocalResult::None => {
            zone.from_local_datetime(&time.checked_add_signed(chrono::TimeDelta::hours(1))?).earliest()?
        }
    };
    Timestamp::parse(&resolved.to_rfc3339()).ok()
}

/// `{ start, end }` as JSON Schema, with further keys.
pub(crate) fn schema(more: Option<(&str, Value)>) -> Value {
    let moment = |is_nullable: bool| {
        let kind = if is_nullable { json!(["string", "null"]) } else { json!("string") };
        json!({ "type": kind, "description": MOMENT })
    };
    let mut schema = json!({
        "type": "object",
        "properties": { "start": moment(false), "end": moment(true) },
        "required": ["start"],
    });
    if let Some((name, more)) = more {
        schema["properties"][name] = more;
    }
    schema
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn start(text: &str, zone: &str) -> Option<String> {
        let zone = TimeZone::parse(zone).ok();
        parse(text, zone.as_ref()).ok().map(|(start, _)| start.to_string())
    }

    #[test]
    fn dates_and_times_of_iso_8601_are_parsed() {
        for (text, read) in [
            ("2024-05-01", "2024-05-01"),
            ("20240501", "2024-05-01"),
            ("2024-05-01T10:30:00Z", "2024-05-01T10:30:00.000Z"),
            ("2024-05-01T10:30+02:00", "2024-05-01T08:30:00.000Z"),
            ("2024-05-01T10:30:15.25+0200", "2024-05-01T08:30:15.250Z"),
            ("20240501T103000Z", "2024-05-01T10:30:00.000Z"),
            ("2024-05-01 10:30", "2024-05-01T08:30:00.000Z"),
            ("2024-03-31T02:30", "2024-03-31T01:30:00.000Z"),
            ("2024-W18-3", "2024-05-01"),
        ] {
            assert_eq!(start(text, "Europe/Berlin").as_deref(), Some(read), "{text}");
        }
        assert_eq!(start("2024-05-01 10:30", "").as_deref(), Some("2024-05-01T10:30:00.000Z"));
        for wrong in ["1.5.2024", "May 1", "2024", "2024-05", "12:30", "2024-05-01T25:00Z", "-2024-05-01"] {
            assert_eq!(start(wrong, ""), None, "{wrong}");
        }
    }

    #[test]
    fn a_span_has_its_end_after_its_start() {
        let span = |text| parse(text, None).map(|(_, end)| end.map(|end| end.to_string())).map_err(|flaw| flaw.issue);
        assert_eq!(span("2024-05-01/2024-05-03"), Ok(Some("2024-05-03".to_owned())));
        assert_eq!(span("2024-05-01/"), Ok(None));
        assert_eq!(span("2024-05-03/2024-05-01"), Err(Issue::InvalidValue));
    }

    proptest! {
        #[test]
        fn reading_any_text_never_panics(text in "\\PC{0,20}|[0-9TWZ:+./ -]{0,25}") {
            let _ = parse(&text, TimeZone::parse("America/Sao_Paulo").ok().as_ref());
        }
    }
}
