//! From blocks to Markdown.

mod escape;
mod marks;
mod plain;

use super::{directive, read};
use crate::{
    Body, Kind, Piece,
    refusal::{Budget, Refusal, Spent, check_cancelled},
};
use octavo_core_model::cancellation::Cancellation;
use std::ops::Range;

/// Markdown, and the range of each block in it.
pub(super) struct Written {
    pub(super) text: String,
    /// One for each block, parents before their children.
    pub(super) spans: Vec<Span>,
}

/// The range of a block in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The whole block with its children.
    pub(super) whole: Range<usize>,
    /// The start of its children.
    pub(super) inner: usize,
    /// The index of the next block that is not a descendant.
    pub(super) next: usize,
}

/// Parses the result to check it. If it differs, the forms are checked block by block.
pub(super) fn write(pieces: &[Piece], cancellation: &Cancellation) -> Result<Written, Refusal> {
    for choice in [Choice::Plain, Choice::PlainTried] {
        let written = compose(pieces, choice, cancellation);
        check_cancelled(cancellation)?;
        match read::read(&written.text, Budget::EXISTING, cancellation) {
            Ok(read) if are_same(&read, pieces) => return Ok(written),
            // Checking this text would need too much memory. Directives need no check.
            Err(Refusal::TooManyDelimiters { .. }) => break,
            _ => {}
        }
    }
    let written = compose(pieces, Choice::Directives, cancellation);
    check_cancelled(cancellation).map(|()| written)
}

/// Whether trees have the same content, ignoring ids.
pub(super) fn are_same(read: &[Piece], meant: &[Piece]) -> bool {
    let is_same = |(one, other): (&Piece, &Piece)| one.body == other.body && are_same(&one.children, &other.children);
    read.len() == meant.len() && read.iter().zip(meant).all(is_same)
}

/// Which forms to use for blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// Plain forms; doubtful ones are parsed to check them.
    Plain,
    /// Plain forms; each is parsed to check it.
    PlainTried,
    Directives,
}

/// The blocks after a cancellation are missing.
pub(super) fn compose(pieces: &[Piece], choice: Choice, cancellation: &Cancellation) -> Written {
    let mut writer = Writer {
        choice,
        cancellation,
        out: String::new(),
        spans: Vec::new(),
        prefix: String::new(),
        spent: Spent::default(),
    };
    writer.siblings(pieces, None);
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    Written { text: writer.out, spans: writer.spans }
}

struct Writer<'a> {
    choice: Choice,
    cancellation: &'a Cancellation,
    out: String,
    spans: Vec<Span>,
    /// The prefix of each line: quote markers and the indentation of lists.
    prefix: String,
    /// The cells and marks of the blocks that are written in plain forms.
    spent: Spent,
}

/// What must be known about the previous item.
#[derive(Clone, Copy, Default)]
struct Row {
    /// The number of the previous item, and the delimiter after it.
    number: Option<(u64, char)>,
    /// Whether the next item may follow without an empty line.
    is_tight: bool,
}

impl Row {
    /// Whether the list continues, or bullets follow a list: a number could be parsed as part of the preceding text.
    fn goes_on_with(self, body: &Body) -> bool {
        let is_number = body.kind() == Kind::NumberedList;
        self.is_tight && (!is_number || (self.number.is_some() && plain::begins_anew(body)))
    }
}

impl Writer<'_> {
    /// Writes blocks one after the other. `above` says whether the first one may follow without an empty line, if
    /// something precedes it. Returns true if there is no empty line before any of them.
    fn siblings(&mut self, pieces: &[Piece], above: Option<bool>) -> bool {
        let mut row = Row::default();
        let mut are_tight = true;
        for (index, piece) in pieces.iter().enumerate() {
            if self.cancellation.is_cancelled() {
                break;
            }
            let head = plain::head(piece, self.choice, self.cancellation)
                .filter(|head| !self.would_close_too_much(piece, head))
                .filter(|_| self.spend(&piece.body));
            let may_be_tight = head.as_ref().is_some_and(|head| head.is_tight);
            if index > 0 {
                self.gap(may_be_tight && row.goes_on_with(&piece.body));
            } else if let Some(above) = above {
                // Only a list that starts with its first number can directly follow a text.
                self.gap(may_be_tight && above && plain::begins_anew(&piece.body));
            }
            are_tight &= may_be_tight && if index > 0 { row.goes_on_with(&piece.body) } else { above.unwrap_or(true) };
            let start = self.out.len();
            let at = self.spans.len();
            self.spans.push(Span { whole: start..start, inner: start, next: 0 });
            row = match head {
                Some(head) => self.plain(piece, &head, row, at),
                None => self.directive(piece, at),
            };
            self.spans[at].whole.end = self.out.len();
            self.spans[at].next = self.spans.len();
        }
        are_tight
    }

    /// After an empty item at the end of a quote within an item, the parser would treat the blank line as the end of
    /// the outer item.
    fn would_close_too_much(&self, piece: &Piece, head: &plain::Head) -> bool {
        let is_item = matches!(piece.body.kind(), Kind::BulletedList | Kind::NumberedList | Kind::Todo);
        is_item && head.text.is_empty() && self.prefix.trim_start_matches("> ").contains('>')
    }

    /// Counts the cells and marks of a block that is about to be written in its plain form. Returns false if the text
    /// would then have more than the parser accepts; in directives they do not count.
    fn spend(&mut self, body: &Body) -> bool {
        let mut spent = self.spent;
        spent.body(body);
        let fits = spent.check(Budget::EXISTING).is_ok();
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Ends a line, and adds a blank one unless the list is tight.
    fn gap(&mut self, is_tight: bool) {
        self.out.push('\n');
        if !is_tight {
            self.out.push_str(self.prefix.trim_end());
            self.out.push('\n');
        }
        self.out.push_str(&self.prefix);
    }

    fn lines(&mut self, text: &str) {
        let mut is_first = true;
        for line in text.split('\n') {
            if !is_first {
                self.out.push('\n');
                self.out.push_str(if line.is_empty() { self.prefix.trim_end() } else { &self.prefix });
            }
            self.out.push_str(line);
            is_first = false;
        }
    }

    fn plain(&mut self, piece: &Piece, head: &plain::Head, row: Row, at: usize) -> Row {
        let outside = self.prefix.len();
        let mut number = None;
        match piece.body.kind() {
            Kind::Quote => {
                self.out.push_str(if head.text.is_empty() { ">" } else { "> " });
                self.prefix.push_str("> ");
            }
            Kind::NumberedList => {
                let (this, sign) = plain::number(&piece.body, row.number);
                number = Some((this, sign));
                let marker = format!("{this}{sign} ");
                self.out.push_str(if head.text.is_empty() { marker.trim_end() } else { &marker });
                self.prefix.extend(std::iter::repeat_n(' ', marker.len()));
            }
            Kind::BulletedList | Kind::Todo => {
                self.out.push_str(if head.text.is_empty() { head.marker.trim_end() } else { head.marker });
                self.prefix.push_str("  ");
            }
            _ => {}
        }
        self.lines(&head.text);
        self.spans[at].inner = self.out.len();
        let is_quote = piece.body.kind() == Kind::Quote;
        let are_tight = piece.children.is_empty() || self.siblings(&piece.children, Some(head.is_tight && !is_quote));
        self.prefix.truncate(outside);
        Row { number, is_tight: head.is_tight && are_tight }
    }

    fn directive(&mut self, piece: &Piece, at: usize) -> Row {
        self.out.push_str(&directive::open(&piece.body));
        self.spans[at].inner = self.out.len();
        if !piece.children.is_empty() {
            self.siblings(&piece.children, Some(false));
        }
        self.gap(piece.children.is_empty());
        self.out.push_str(directive::close());
        Row::default()
    }
}
