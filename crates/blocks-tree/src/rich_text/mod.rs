//! Text with marks on parts of it.

mod hint;
mod link;
mod read;

pub use link::{LINK, is_link};
pub use read::read;

use serde_json::{Map, Value, json};

/// The types of marks without attributes.
pub(crate) const PLAIN_MARKS: [&str; 7] =
    ["bold", "italic", "underline", "strikethrough", "code", "highlight", "equation"];
/// The type of a mark that leads to an address.
pub(crate) const LINK_MARK: &str = "link";
/// The type of a mark that names a person, a team, a page or a database.
pub(crate) const MENTION_MARK: &str = "mention";

/// Text and its marks. Marks are within the text, never empty, and ordered by their start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RichText {
    text: String,
    marks: Vec<Mark>,
}

/// A mark on a part of a text. Offsets count UTF-16 code units, as editors in browsers do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// What the mark says.
    pub kind: MarkKind,
    /// Where the marked part begins.
    pub from: usize,
    /// Where the marked part ends; the offset of the first unit after it.
    pub to: usize,
}

/// What a mark says of the text that it covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// `bold`
    Bold,
    /// `italic`
    Italic,
    /// `underline`
    Underline,
    /// `strikethrough`
    Strikethrough,
    /// `code`
    Code,
    /// `highlight`
    Highlight,
    /// A formula within the line, `equation`; the marked text is its source.
    Equation,
    /// `link`
    Link {
        /// Where the link leads.
        url: String,
    },
    /// `mention`
    Mention {
        /// What is mentioned.
        kind: MentionKind,
        /// The id of the mentioned thing; its prefix matches the kind.
        id: String,
    },
}

/// What a text can mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MentionKind {
    /// An account.
    User,
    /// A team of the workspace.
    Team,
    /// A page.
    Page,
    /// A database.
    Database,
}

/// A mark is empty, extends beyond the text or splits a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMark;

impl RichText {
    /// The longest text of a block, in characters.
    pub const MAX_CHARS: usize = 100_000;
    /// The largest number of marks on one text.
    pub const MAX_MARKS: usize = 10_000;

    /// A text without marks.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), marks: Vec::new() }
    }

    /// Adds marks to a text. They are sorted, so that equal texts are equal values.
    pub fn new(text: impl Into<String>, marks: Vec<Mark>) -> Result<Self, InvalidMark> {
        let text = text.into();
        let borders = Boundaries::of(&text);
        if marks.iter().all(|mark| borders.hold(mark)) { Ok(Self::sorted(text, marks)) } else { Err(InvalidMark) }
    }

    fn sorted(text: String, mut marks: Vec<Mark>) -> Self {
        marks.sort_by(|a, b| (a.from, b.to, &a.kind).cmp(&(b.from, a.to, &b.kind)));
        marks.dedup();
        marks.shrink_to_fit();
        Self { text, marks }
    }

    /// Keeps only the marks for which this is true; it may change them.
    pub(crate) fn retain_marks(&mut self, keep: impl FnMut(&mut Mark) -> bool) {
        self.marks.retain_mut(keep);
    }

    /// The text alone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The marks, in the order of their beginning.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The form for callers: `{ text, marks }`.
    pub fn to_json(&self) -> Map<String, Value> {
        self.clone().into_json()
    }

    /// Like [`Self::to_json`], without copying the text.
    pub(crate) fn into_json(self) -> Map<String, Value> {
        let marks = self.marks.iter().map(Mark::to_json).collect();
        Map::from_iter([("text".to_owned(), Value::String(self.text)), ("marks".to_owned(), Value::Array(marks))])
    }

    /// Parses the output of `to_json`. Whatever is invalid is left out, because the store only contains what was
    /// checked before.
    pub fn from_stored(stored: &Map<String, Value>) -> Self {
        let text = stored.get("text").and_then(Value::as_str).unwrap_or_default();
        Self { text: text.to_owned(), marks: stored_marks(stored.get("marks")) }
    }

    /// Like [`Self::from_stored`], but moves the text out.
    pub(crate) fn take_stored(stored: &mut Map<String, Value>) -> Self {
        let marks = stored_marks(stored.remove("marks").as_ref());
        let text = if let Some(Value::String(text)) = stored.remove("text") { text } else { String::new() };
        Self { text, marks }
    }
}

fn stored_marks(stored: Option<&Value>) -> Vec<Mark> {
    let stored = stored.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut marks = Vec::with_capacity(stored.len());
    marks.extend(stored.iter().filter_map(|mark| read::mark(mark).ok()));
    marks
}

impl Mark {
    fn to_json(&self) -> Value {
        let mut mark = json!({ "type": self.kind.name(), "from": self.from, "to": self.to });
        let attrs = match &self.kind {
            MarkKind::Link { url } => json!({ "url": url }),
            MarkKind::Mention { kind, id } => json!({ "mentionId": id, "mentionType": kind.name() }),
            _ => return mark,
        };
        mark["attrs"] = attrs;
        mark
    }
}

impl MarkKind {
    /// The name of the mark in the API.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Underline => "underline",
            Self::Strikethrough => "strikethrough",
            Self::Code => "code",
            Self::Highlight => "highlight",
            Self::Equation => "equation",
            Self::Link { .. } => "link",
            Self::Mention { .. } => "mention",
        }
    }
}

impl MentionKind {
    /// The name of the kind in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Team => "team",
            Self::Page => "page",
            Self::Database => "database",
        }
    }
}

/// The offsets between the characters of a text, in UTF-16 code units.
struct Boundaries {
    length: usize,
    /// Offsets inside a character with two units; these are rare.
    inside: Vec<usize>,
}

impl Boundaries {
    fn of(text: &str) -> Self {
        let (mut length, mut inside) = (0, Vec::new());
        for letter in text.chars() {
            length += letter.len_utf16();
            if letter.len_utf16() == 2 {
                inside.push(length - 1);
            }
        }
        Self { length, inside }
    }

    fn hold(&self, mark: &Mark) -> bool {
        mark.from < mark.to && self.has(mark.from) && self.has(mark.to)
    }

    fn has(&self, offset: usize) -> bool {
        offset <= self.length && self.inside.binary_search(&offset).is_err()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn bold(from: usize, to: usize) -> Mark {
        Mark { kind: MarkKind::Bold, from, to }
    }

    #[test]
    fn offsets_count_utf16_units() {
        // One character with two units, one with a single unit.
        let text = "\u{1F600}a";
        assert!(RichText::new(text, vec![bold(0, 2), bold(2, 3)]).is_ok());
        for (from, to) in [(0, 1), (1, 2), (0, 4), (2, 2), (3, 2)] {
            assert_eq!(RichText::new(text, vec![bold(from, to)]), Err(InvalidMark), "{from} to {to}");
        }
    }

    #[test]
    fn the_order_in_which_marks_are_sent_makes_no_difference() {
        let one = RichText::new("abcd", vec![bold(2, 3), bold(0, 4)]);
        let other = RichText::new("abcd", vec![bold(0, 4), bold(2, 3), bold(2, 3)]);
        assert_eq!(one, other);
    }

    #[test]
    fn what_is_stored_reads_back() {
        let marks = vec![
            Mark { kind: MarkKind::Link { url: "https://example.com".to_owned() }, from: 0, to: 2 },
            Mark {
                kind: MarkKind::Mention { kind: MentionKind::Page, id: "pg_00000000000000000000000000".to_owned() },
                from: 2,
                to: 4,
            },
        ];
        let text = RichText::new("abcd", marks).unwrap();
        assert_eq!(RichText::from_stored(&text.to_json()), text);
    }
}
