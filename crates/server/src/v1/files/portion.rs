//! Which part of a file a call requests (RFC 9110).

use crate::entity_tag;
use octavo_core_model::Fault;
use std::ops::Range;

/// The range headers of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeRequest {
    pub(super) range: Option<String>,
    pub(super) if_range: Option<String>,
    pub(super) if_none_match: Option<String>,
}

/// What to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Portion {
    Whole,
    Part(Range<u64>),
    /// The caller already has it.
    Unchanged,
}

impl RangeRequest {
    /// Several ranges, and headers that cannot be parsed, are answered with the whole file.
    pub(super) fn portion(&self, etag: &str, size: u64) -> Result<Portion, Fault> {
        if self.if_none_match.as_deref().is_some_and(|tags| entity_tag::names(tags, etag)) {
            return Ok(Portion::Unchanged);
        }
        if self.if_range.as_deref().is_some_and(|tag| tag.trim() != etag) {
            return Ok(Portion::Whole);
        }
        let Some(bounds) = self.range.as_deref().and_then(bounds) else { return Ok(Portion::Whole) };
        let part = match bounds {
            (Some(first), last) => first..last.map_or(size, |last| last.saturating_add(1).min(size)),
            (None, Some(length)) => size.saturating_sub(length)..size,
            (None, None) => return Ok(Portion::Whole),
        };
        if part.is_empty() { Err(Fault::OutOfRange { size }) } else { Ok(Portion::Part(part)) }
    }
}

/// The bounds of a single range, both inclusive; a last bound alone is a length from the end.
fn bounds(range: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (unit, set) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    let number = |text: &str| -> Option<Option<u64>> {
        match text {
            "" => Some(None),
            digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                Some(Some(digits.parse().unwrap_or(u64::MAX)))
            }
            _ => None,
        }
    };
    match (number(first)?, number(last)?) {
        (None, None) => None,
        (Some(first), Some(last)) if first > last => None,
        bounds => Some(bounds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &str = "\"abc\"";

    fn portion(range: &str) -> Result<Portion, Fault> {
        RangeRequest { range: Some(range.to_owned()), ..RangeRequest::default() }.portion(TAG, 10)
    }

    #[test]
    fn one_range_that_is_there_is_a_part() {
        for (range, part) in [
            ("bytes=0-", 0..10),
            ("bytes=0-9", 0..10),
            ("bytes=0-0", 0..1),
            ("bytes=4-6", 4..7),
            ("bytes=4-99999999999999999999999", 4..10),
            ("bytes=-3", 7..10),
            ("bytes=-99", 0..10),
            ("Bytes=9-", 9..10),
        ] {
            assert_eq!(portion(range), Ok(Portion::Part(part)), "{range}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_the_whole() {
        for range in ["bytes=0-1,3-4", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "lines=0-1", "0-1", "bytes=+1-2"]
        {
            assert_eq!(portion(range), Ok(Portion::Whole), "{range}");
        }
        assert_eq!(RangeRequest::default().portion(TAG, 10), Ok(Portion::Whole));
    }

    #[test]
    fn a_range_beyond_the_file_is_refused() {
        for range in ["bytes=10-", "bytes=10-20", "bytes=-0"] {
            assert_eq!(portion(range), Err(Fault::OutOfRange { size: 10 }), "{range}");
        }
        let asked = RangeRequest { range: Some("bytes=0-".to_owned()), ..RangeRequest::default() };
        assert_eq!(asked.portion(TAG, 0), Err(Fault::OutOfRange { size: 0 }));
    }

    #[test]
    fn conditions_are_kept() {
        let asked = |if_range: Option<&str>, if_none_match: Option<&str>| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let range = Some("bytes=1-2".to_owned());
            RangeRequest { range, if_range: own(if_range), if_none_match: own(if_none_match) }.portion(TAG, 10)
        };
        assert_eq!(asked(Some(TAG), None), Ok(Portion::Part(1..3)));
        assert_eq!(asked(Some("\"old\""), None), Ok(Portion::Whole));
        assert_eq!(asked(Some("W/\"abc\""), None), Ok(Portion::Whole), "a weak tag promises too little");
        assert_eq!(asked(None, Some("\"x\", W/\"abc\"")), Ok(Portion::Unchanged));
        assert_eq!(asked(None, Some("*")), Ok(Portion::Unchanged));
        assert_eq!(asked(None, Some("\"x\"")), Ok(Portion::Part(1..3)));
    }
}
