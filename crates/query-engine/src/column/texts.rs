//! Texts with their folded forms.

use crate::number::{narrow, wide};
use octavo_databases::text::folded;
use std::str;

/// What separates texts. It occurs in no UTF-8, so a search through all texts finds nothing across two of them.
const SEPARATOR: u8 = 0xff;

/// Texts of a chunk. The folded forms are one long run of bytes, which is searched at once. The texts themselves are
/// kept only where they differ from their folded form. A missing text is an empty one.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    folded: Vec<u8>,
    /// Where each folded text begins, and the end of the last one.
    starts: Vec<u32>,
    exact: Vec<u8>,
    /// The same for the texts that differ; empty while there are none.
    exact_starts: Vec<u32>,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { folded: Vec::new(), starts: vec![0], exact: Vec::new(), exact_starts: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The folded text.
    pub(crate) fn folded(&self, row: usize) -> &[u8] {
        &self.folded[wide(self.starts[row])..wide(self.starts[row + 1]) - 1]
    }

    /// The text as it was written.
    pub(crate) fn exact(&self, row: usize) -> &[u8] {
        self.different(row).unwrap_or_else(|| self.folded(row))
    }

    /// The text as it was written.
    pub(crate) fn text(&self, row: usize) -> &str {
        // What was added is UTF-8.
        str::from_utf8(self.exact(row)).unwrap_or_default()
    }

    pub(crate) fn is_filled(&self, row: usize) -> bool {
        self.starts[row + 1] - self.starts[row] > 1
    }

    /// All folded texts with the place behind each.
    pub(crate) fn all(&self) -> (&[u8], &[u32]) {
        (&self.folded, &self.starts[1..])
    }

    fn different(&self, row: usize) -> Option<&[u8]> {
        let (start, end) = (*self.exact_starts.get(row)?, *self.exact_starts.get(row + 1)?);
        (start < end).then(|| &self.exact[wide(start)..wide(end)])
    }

    pub(crate) fn push(&mut self, text: &str) {
        if !text.is_ascii() {
            let folded = folded(text);
            self.push_both(folded.as_bytes(), (folded != text).then_some(text.as_bytes()));
        } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let start = self.folded.len();
            self.folded.extend_from_slice(text.as_bytes());
            self.folded[start..].make_ascii_lowercase();
            self.end(Some(text.as_bytes()));
        } else {
            self.push_both(text.as_bytes(), None);
        }
    }

    pub(crate) fn push_from(&mut self, other: &Self, row: usize) {
        self.push_both(other.folded(row), other.different(row));
    }

    fn push_both(&mut self, folded: &[u8], different: Option<&[u8]>) {
        self.folded.extend_from_slice(folded);
        self.end(different);
    }

    /// Ends the text whose folded form was just added.
    fn end(&mut self, different: Option<&[u8]>) {
        if let Some(different) = different {
            if self.exact_starts.is_empty() {
                self.exact_starts.resize(self.starts.len(), 0);
            }
            self.exact.extend_from_slice(different);
        }
        self.folded.push(SEPARATOR);
        self.starts.push(narrow(self.folded.len()));
        if !self.exact_starts.is_empty() {
            self.exact_starts.push(narrow(self.exact.len()));
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.folded.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.exact.shrink_to_fit();
        self.exact_starts.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.folded.capacity() + self.exact.capacity() + (self.starts.capacity() + self.exact_starts.capacity()) * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_read_back_with_their_folded_forms(list in prop::collection::vec(".{0,6}|[a-zA-Z ]{0,6}", 0..20)) {
            let mut texts = Texts::new();
            for text in &list {
                texts.push(text);
            }
            let mut copy = Texts::new();
            for row in 0..list.len() {
                copy.push_from(&texts, row);
            }
            for texts in [&texts, &copy] {
                prop_assert_eq!(texts.len(), list.len());
                for (row, text) in list.iter().enumerate() {
                    prop_assert_eq!(texts.text(row), text.as_str());
                    let folded = folded(text);
                    prop_assert_eq!(texts.folded(row), folded.as_bytes());
                    prop_assert_eq!(texts.is_filled(row), !text.is_empty());
                }
            }
        }
    }

    #[test]
    fn lower_case_texts_are_kept_once() {
        let mut texts = Texts::new();
        for _ in 0..100 {
            texts.push("a mail@example.com");
        }
        assert!(texts.exact.is_empty() && texts.exact_starts.is_empty());
    }
}
