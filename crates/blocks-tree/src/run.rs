//! A text with marks that grows while a document is parsed.

use crate::{Mark, MarkKind, RichText};
use std::mem;

#[derive(Default)]
pub(crate) struct Run {
    text: String,
    units: usize,
    marks: Vec<Mark>,
    open: Vec<(MarkKind, usize)>,
}

impl Run {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn push(&mut self, text: &str) {
        for letter in text.chars() {
            self.push_letter(letter);
        }
    }

    pub(crate) fn push_letter(&mut self, letter: char) {
        // Texts of blocks cannot contain this character.
        let letter = if letter == '\0' { char::REPLACEMENT_CHARACTER } else { letter };
        self.text.push(letter);
        self.units += letter.len_utf16();
    }

    /// Removes white space at the end.
    pub(crate) fn trim_end(&mut self) {
        let kept = self.text.trim_end_matches([' ', '\n']).len();
        // A space or a line break is one unit.
        self.units -= self.text.len() - kept;
        self.text.truncate(kept);
        for (_, from) in &mut self.open {
            *from = self.units.min(*from);
        }
        // Marks are ordered by their ends.
        for mark in self.marks.iter_mut().rev().take_while(|mark| mark.to > self.units) {
            mark.to = self.units;
        }
    }

    pub(crate) fn open(&mut self, kind: MarkKind) {
        self.open.push((kind, self.units));
    }

    /// Ends the mark that was opened last among those that fit. A mark within an equal one is redundant and left out.
    pub(crate) fn close(&mut self, fits: impl Fn(&MarkKind) -> bool) {
        let Some(at) = self.open.iter().rposition(|(kind, _)| fits(kind)) else { return };
        let (kind, from) = self.open.remove(at);
        if self.open[..at].iter().all(|(outer, _)| *outer != kind) {
            self.marks.push(Mark { kind, from, to: self.units });
        }
    }

    /// The text so far, split if it is longer than the text of one block may be. Open marks continue in the next
    /// text.
    pub(crate) fn take_texts(&mut self) -> Vec<RichText> {
        let open = self.open.iter().map(|(kind, from)| Mark { kind: kind.clone(), from: *from, to: self.units });
        let mut marks = mem::take(&mut self.marks);
        marks.extend(open);
        for (_, from) in &mut self.open {
            *from = 0;
        }
        let text = mem::take(&mut self.text);
        let units = mem::take(&mut self.units);
        for mark in &mut marks {
            mark.to = mark.to.min(units);
        }
        marks.retain(|mark| mark.from < mark.to);
        let mut whole = Vec::new();
        cut(&text, marks, &mut whole);
        whole
    }
}

fn cut(text: &str, mut marks: Vec<Mark>, into: &mut Vec<RichText>) {
    let letters = text.chars().count();
    if letters <= RichText::MAX_CHARS && marks.len() <= RichText::MAX_MARKS {
        into.push(RichText::new(text, marks).unwrap_or_else(|_| RichText::plain(text)));
        return;
    }
    if letters < 2 {
        marks.truncate(RichText::MAX_MARKS);
        return cut(text, marks, into);
    }
    let middle = if letters > RichText::MAX_CHARS { RichText::MAX_CHARS } else { letters / 2 };
    let middle = text.char_indices().nth(middle).map_or(text.len(), |(at, _)| at);
    let (left, right) = text.split_at(middle);
    let border = left.encode_utf16().count();
    let before = marks.iter().filter(|mark| mark.from < border);
    let before = before.map(|mark| Mark { kind: mark.kind.clone(), from: mark.from, to: mark.to.min(border) });
    cut(left, before.collect(), into);
    let behind = marks.into_iter().filter(|mark| mark.to > border);
    let behind =
        behind.map(|mark| Mark { kind: mark.kind, from: mark.from.max(border) - border, to: mark.to - border });
    cut(right, behind.collect(), into);
}

/// A plain text, split at the limit of one block.
pub(crate) fn cut_plain(text: &str) -> Vec<String> {
    let mut left = text;
    let mut cut = Vec::new();
    while let Some((at, _)) = left.char_indices().nth(RichText::MAX_CHARS) {
        let (head, tail) = left.split_at(at);
        cut.push(head.to_owned());
        left = tail;
    }
    cut.push(left.to_owned());
    cut
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn marks_within_equal_marks_are_left_out() {
        let mut run = Run::default();
        run.open(MarkKind::Bold);
        run.push("a");
        run.open(MarkKind::Bold);
        run.push("b");
        run.close(|kind| *kind == MarkKind::Bold);
        run.close(|kind| *kind == MarkKind::Bold);
        let bold = Mark { kind: MarkKind::Bold, from: 0, to: 2 };
        assert_eq!(run.take_texts(), [RichText::new("ab", vec![bold]).unwrap()]);
    }

    #[test]
    fn what_no_block_can_hold_is_cut_and_nothing_is_lost() {
        let mut run = Run::default();
        run.open(MarkKind::Bold);
        run.push(&"\u{1F600}a".repeat(RichText::MAX_CHARS));
        run.close(|_| true);
        let texts = run.take_texts();
        assert_eq!(texts.len(), 2);
        let whole = texts.iter().map(RichText::text).collect::<String>();
        assert_eq!(whole.chars().count(), 2 * RichText::MAX_CHARS);
        assert!(texts.iter().all(|text| text.marks().len() == 1));
    }
}
