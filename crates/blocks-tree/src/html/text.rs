//! Text with marks.

use super::presentation::Presentation;
use crate::{Mark, MarkKind, MentionKind, RichText};
use octavo_core_model::id::PageId;
use std::collections::BTreeSet;

/// Escapes a text, so that nothing in it becomes a tag or ends an attribute.
pub fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
}

/// Whether links to this address are kept everywhere. Relative addresses are meaningless outside of the original page.
pub(super) fn is_followed(url: &str) -> bool {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    crate::rich_text::is_link(url) && ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

pub(super) fn link(url: &str, out: &mut String) {
    out.push_str("<a href=\"");
    escape(url, out);
    out.push_str("\" rel=\"noopener noreferrer nofollow\">");
}

/// The marks by nesting, outermost first.
const KINDS: [(MarkKind, &str); 7] = [
    (MarkKind::Bold, "strong"),
    (MarkKind::Italic, "em"),
    (MarkKind::Underline, "u"),
    (MarkKind::Strikethrough, "s"),
    (MarkKind::Highlight, "mark"),
    (MarkKind::Code, "code"),
    (MarkKind::Equation, "code"),
];

/// Marks can overlap, tags cannot: all tags are closed and reopened wherever a mark begins or ends.
pub(super) fn rich(text: &RichText, presentation: &dyn Presentation, out: &mut String) {
    let mut borders = text.marks().iter().flat_map(|mark| [mark.from, mark.to]).collect::<Vec<_>>();
    borders.sort_unstable();
    borders.dedup();
    let mut ends = text.marks().iter().enumerate().collect::<Vec<_>>();
    ends.sort_by_key(|(_, mark)| mark.to);
    let mut state = Marks {
        all: text.marks(),
        presentation,
        counts: [0; KINDS.len()],
        anchors: BTreeSet::new(),
        open: Vec::new(),
        equation: None,
    };
    let (mut begun, mut ended) = (0, 0);
    let mut units = 0;
    let mut borders = borders.into_iter().peekable();
    for letter in text.text().chars() {
        if borders.next_if(|border| *border <= units).is_some() {
            while let Some((at, mark)) = ends.get(ended).filter(|(_, mark)| mark.to <= units) {
                state.count(*at, mark, false);
                ended += 1;
            }
            while let Some(mark) = text.marks().get(begun).filter(|mark| mark.from <= units) {
                state.count(begun, mark, true);
                begun += 1;
            }
            state.reopen(out);
        }
        if let Some(equation) = &mut state.equation {
            equation.source.push(letter);
        }
        if letter == '\n' {
            out.push_str("<br>");
        } else {
            escape(letter.encode_utf8(&mut [0; 4]), out);
        }
        units += letter.len_utf16();
    }
    state.close(0, out);
}

/// The marks at a position in the text.
struct Marks<'a> {
    all: &'a [Mark],
    presentation: &'a dyn Presentation,
    counts: [usize; KINDS.len()],
    /// Links and mentions. The first one counts, because a text can link to one place only.
    anchors: BTreeSet<usize>,
    /// The open tags with their names.
    open: Vec<(Tag, &'static str)>,
    /// The open equation. No tag is opened within it, because it is the innermost mark.
    equation: Option<Equation>,
}

struct Equation {
    /// Where its tag begins.
    start: usize,
    source: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Anchor(usize),
    Kind(usize),
}

impl Marks<'_> {
    fn count(&mut self, at: usize, mark: &Mark, begins: bool) {
        match KINDS.iter().position(|(kind, _)| *kind == mark.kind) {
            Some(kind) if begins => self.counts[kind] += 1,
            Some(kind) => self.counts[kind] -= 1,
            None if begins => {
                self.anchors.insert(at);
            }
            None => {
                self.anchors.remove(&at);
            }
        }
    }

    fn reopen(&mut self, out: &mut String) {
        let kinds = (0..KINDS.len()).filter(|kind| self.counts[*kind] > 0).map(Tag::Kind);
        let wanted = self.anchors.first().map(|at| Tag::Anchor(*at)).into_iter().chain(kinds).collect::<Vec<_>>();
        let kept = self.open.iter().zip(&wanted).take_while(|((one, _), other)| one == *other).count();
        self.close(kept, out);
        for tag in wanted.into_iter().skip(kept) {
            let name = self.begin(tag, out);
            self.open.push((tag, name));
        }
    }

    /// Writes a tag and returns its name.
    fn begin(&mut self, tag: Tag, out: &mut String) -> &'static str {
        let at = match tag {
            Tag::Kind(kind) => {
                if KINDS[kind].0 == MarkKind::Equation {
                    self.equation = Some(Equation { start: out.len(), source: String::new() });
                }
                out.extend(["<", KINDS[kind].1, ">"]);
                return KINDS[kind].1;
            }
            Tag::Anchor(at) => at,
        };
        match &self.all[at].kind {
            MarkKind::Link { url } if is_followed(url) || self.presentation.follows_path(url) => {
                link(url, out);
                "a"
            }
            MarkKind::Mention { kind, id } => {
                if let Some(address) = self.address_of(*kind, id) {
                    out.push_str("<a class=\"mention\" href=\"");
                    escape(&address, out);
                    out.push_str("\">");
                    "a"
                } else {
                    out.push_str("<span class=\"mention\">");
                    "span"
                }
            }
            _ => {
                out.push_str("<span>");
                "span"
            }
        }
    }

    /// Where a mention leads to.
    fn address_of(&self, kind: MentionKind, id: &str) -> Option<String> {
        if kind != MentionKind::Page {
            return None;
        }
        let page: PageId = id.parse().ok()?;
        self.presentation.page(page).map(|page| page.address)
    }

    fn close(&mut self, kept: usize, out: &mut String) {
        for (tag, name) in self.open.drain(kept..).rev() {
            let is_equation = matches!(tag, Tag::Kind(kind) if KINDS[kind].0 == MarkKind::Equation);
            let equation = self.equation.take_if(|_| is_equation);
            let set = equation.and_then(|Equation { start, source }| {
                self.presentation.equation(&source, false).map(|markup| (start, markup))
            });
            if let Some((start, markup)) = set {
                out.truncate(start);
                out.push_str(&markup);
            } else {
                out.extend(["</", name, ">"]);
            }
        }
    }
}
