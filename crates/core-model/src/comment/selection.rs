//! A part of the text of a block.

use crate::text::has_at_most;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A part of the text of a block, as it was when somebody commented on it. The text may have changed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    start: u32,
    end: u32,
    quote: String,
}

impl Selection {
    /// How many characters the quoted text has at most.
    pub const MAX_QUOTE: usize = 10_000;

    /// A selection of a text. Offsets count UTF-16 code units. `None` if it is empty, extends beyond the text or splits a
    /// character, or if the quote is too long. Without a quote, the selected text is quoted.
    pub fn of(text: &str, range: Range<u32>, quote: Option<String>) -> Option<Self> {
        let start = byte_at(text, range.start)?;
        let end = byte_at(text, range.end)?;
        let selected = text.get(start..end).filter(|selected| !selected.is_empty())?;
        let quote = quote.unwrap_or_else(|| selected.chars().take(Self::MAX_QUOTE).collect());
        let is_short = has_at_most(&quote, Self::MAX_QUOTE);
        is_short.then_some(Self { start: range.start, end: range.end, quote })
    }

    /// Where it begins.
    pub const fn start(&self) -> u32 {
        self.start
    }

    /// Where it ends: the offset of the first unit after it.
    pub const fn end(&self) -> u32 {
        self.end
    }

    /// The text that was selected, as the author quoted it.
    pub fn quote(&self) -> &str {
        &self.quote
    }
}

/// The byte at which this UTF-16 code unit of a text begins; `None` within a character and behind the end.
fn byte_at(text: &str, offset: u32) -> Option<usize> {
    let (mut units, offset) = (0, offset as usize);
    for (byte, letter) in text.char_indices() {
        if units >= offset {
            return (units == offset).then_some(byte);
        }
        units += letter.len_utf16();
    }
    (units == offset).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_a_part_of_the_text() {
        let text = "a\u{1F600}b";
        for (range, expected) in [
            (0..1, Some("a")),
            (1..3, Some("\u{1F600}")),
            (0..4, Some(text)),
            (3..4, Some("b")),
            (0..2, None),
            (2..3, None),
            (1..1, None),
            (Range { start: 3, end: 1 }, None),
            (4..5, None),
            (0..5, None),
        ] {
            let selection = Selection::of(text, range.clone(), None);
            assert_eq!(selection.as_ref().map(Selection::quote), expected, "{range:?}");
        }
        assert_eq!(Selection::of("", 0..0, None), None);
    }

    #[test]
    fn a_quote_is_kept_as_it_was_sent() {
        let selection = Selection::of("abc", 0..2, Some(" x ".to_owned()));
        assert_eq!(selection.as_ref().map(Selection::quote), Some(" x "));
        let long = "x".repeat(Selection::MAX_QUOTE + 1);
        assert_eq!(Selection::of("abc", 0..2, Some(long)), None);
    }
}
