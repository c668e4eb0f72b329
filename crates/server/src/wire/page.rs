//! The page of a list that a caller requests: its size and its start.

use super::{PageLimits, ParameterDoc, parse};
use octavo_core_model::fault::{Hint, Issue};
use serde_json::json;

/// A requested page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest<K> {
    pub limit: u32,
    /// Whether the caller sent the size.
    pub is_sized: bool,
    /// The last item of the previous page.
    pub after: Option<K>,
}

impl<K> PageRequest<K> {
    /// How many items to fetch: one more than the page holds, which shows whether there is a next page.
    pub const fn fetch(&self) -> u32 {
        self.limit + 1
    }
}

impl PageLimits {
    /// Parses the size of a page. A larger value than the maximum is lowered to it; a value below 1 or one that is not a whole
    /// number is a flaw.
    pub fn read(self, text: Option<&str>) -> Result<u32, Issue> {
        let Some(text) = text else { return Ok(self.default) };
        // As in a body, `16.0` is an integer.
        let plain = parse(text.as_bytes()).ok().and_then(|number| number.as_i64()).map(|number| number.to_string());
        let text = plain.as_deref().unwrap_or(text);
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Issue::InvalidType);
        }
        if text.starts_with('-') || digits.bytes().all(|byte| byte == b'0') {
            return Err(Issue::TooSmall);
        }
        // A number beyond the range of integers is above the maximum too.
        Ok(digits.parse().map_or(self.max, |limit: u32| limit.min(self.max)))
    }

    /// The bounds of the size of a page.
    pub fn hint(self) -> Hint {
        Hint { min: Some(1), max: Some(self.max.into()), ..Hint::default() }
    }

    pub fn describe(self) -> [ParameterDoc; 2] {
        [
            ParameterDoc {
                name: "cursor",
                about: "The `nextCursor` of the previous page. Valid only for the same list and the same caller."
                    .into(),
                required: false,
                schema: json!({ "type": "string", "maxLength": super::cursor::MAX_CURSOR }),
                example: json!("kJ2v0cA1u9R6m3f8h5e7"),
            },
            ParameterDoc {
                name: self.name,
                about: format!("How many items to answer; more than {} is lowered to that.", self.max),
                required: false,
                schema: json!({ "type": "integer", "minimum": 1, "default": self.default }),
                example: json!(self.default),
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_lowered_but_never_invented() {
        let limits = PageLimits { name: "limit", default: 20, max: 100 };
        for (text, expected) in [
            (None, Ok(20)),
            (Some("1"), Ok(1)),
            (Some("100"), Ok(100)),
            (Some("101"), Ok(100)),
            (Some("16.0"), Ok(16)),
            (Some("1.6e1"), Ok(16)),
            (Some("007"), Ok(7)),
            (Some("99999999999999999999"), Ok(100)),
            (Some("0"), Err(Issue::TooSmall)),
            (Some("-1"), Err(Issue::TooSmall)),
            (Some(""), Err(Issue::InvalidType)),
            (Some("1.5"), Err(Issue::InvalidType)),
            (Some("ten"), Err(Issue::InvalidType)),
        ] {
            assert_eq!(limits.read(text), expected, "{text:?}");
        }
    }
}
