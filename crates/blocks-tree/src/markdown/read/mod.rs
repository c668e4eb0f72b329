//! From Markdown to blocks.

pub(super) mod address;
mod blocks;
mod inline;
mod item;
mod table;
mod tags;

use super::{
    directive::{self, DirectiveLine},
    isolate::isolate,
};
use crate::{
    Body, Kind, Piece, RichText,
    forest::Forest,
    refusal::{Budget, Refusal, check_cancelled, check_nesting},
    run::cut_plain,
};
use blocks::single;
use inline::{Inline, Paragraph};
use item::{List, Shell};
use octavo_core_model::cancellation::Cancellation;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::{borrow::Cow, ops::Range};
use table::Table;
use tags::{is_block, is_block_end, language};

pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_MATH);

pub(super) fn read(text: &str, budget: Budget, cancellation: &Cancellation) -> Result<Vec<Piece>, Refusal> {
    budget.allow(text)?;
    let text = with_plain_breaks(text);
    super::bomb::check(&text, budget)?;
    let text = with_room(isolate(&text, cancellation)?);
    let mut reader = Reader::new(&text, budget);
    for (event, range) in Parser::new_ext(&text, OPTIONS).into_offset_iter() {
        check_cancelled(cancellation)?;
        reader.read_event(event, range)?;
    }
    let pieces = reader.finish()?;
    check_nesting(&pieces, None)?;
    Ok(pieces)
}

/// Puts empty lines, which mean nothing, in front of a long text. The parser reserves memory by the length of the text,
/// for one node per byte at most. A text that consists of delimiters has a few nodes more than bytes, so without these
/// lines the parser would double its memory for the last few.
fn with_room(text: Cow<'_, str>) -> Cow<'_, str> {
    const LONG: usize = 64 << 10;
    if text.len() < LONG { text } else { Cow::Owned(format!("{}{text}", "\n".repeat(text.len() / 16))) }
}

fn with_plain_breaks(text: &str) -> Cow<'_, str> {
    if text.contains(['\r', '\0']) {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

struct Reader<'a> {
    source: &'a str,
    budget: Budget,
    forest: Forest<Shell>,
    lists: Vec<List>,
    /// The text that is being parsed, and its range in the source.
    inline: Option<(Inline, Range<usize>)>,
    /// Code or HTML that is being parsed, and the language of the code.
    verbatim: Option<(String, String)>,
    /// The name of a footnote whose text starts with the next paragraph.
    note: Option<String>,
    table: Option<Table>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, budget: Budget) -> Self {
        Self {
            source,
            budget,
            forest: Forest::new(budget),
            lists: Vec::new(),
            inline: None,
            verbatim: None,
            note: None,
            table: None,
        }
    }

    fn read_event(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), Refusal> {
        match event {
            Event::Start(tag) if is_block(&tag) => self.start(tag, range),
            Event::End(tag) if is_block_end(tag) => self.end(tag, range),
            Event::Rule => {
                self.end_text()?;
                self.forest.add(Body::empty(Kind::Divider))
            }
            Event::TaskListMarker(is_done) => self.make_task(is_done),
            Event::Text(text) | Event::Html(text) if self.verbatim.is_some() => {
                if let Some((verbatim, _)) = &mut self.verbatim {
                    verbatim.push_str(&text);
                }
                Ok(())
            }
            event => {
                let (inline, whole) = self.inline.get_or_insert_with(|| (Inline::default(), range.clone()));
                whole.end = whole.end.max(range.end);
                inline.read_event(event, &range, self.source);
                // The line of a directive is JSON, in which marks have no meaning.
                let may_be_directive = |first: char| first == ':' || first.is_whitespace();
                let marks = if self.source[whole.start..].starts_with(may_be_directive) { 0 } else { inline.marks() };
                self.budget.allow_marks(marks)
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) -> Result<(), Refusal> {
        self.end_text()?;
        match tag {
            Tag::Paragraph => self.inline = Some((self.take_note(), range.clone())),
            _ => self.end_note()?,
        }
        match tag {
            Tag::Heading { .. } | Tag::TableCell => self.inline = Some((Inline::default(), range)),
            Tag::CodeBlock(kind) => self.verbatim = Some((String::new(), language(&kind))),
            Tag::HtmlBlock => self.verbatim = Some((String::new(), String::new())),
            Tag::BlockQuote(_) => self.forest.open(Shell::Quote { has_text: false }, Body::empty(Kind::Quote))?,
            Tag::List(first) => self.lists.push(List::new(first)),
            Tag::Item => {
                let sign = self.source[range].trim_start().bytes().next();
                if let Some(list) = self.lists.last_mut() {
                    let item = list.next(sign);
                    let body = item.body(RichText::default());
                    self.forest.open(Shell::Item(item), body)?;
                }
            }
            Tag::FootnoteDefinition(name) => self.note = Some(name.into_string()),
            Tag::Table(_) => self.table = Some(Table::default()),
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.begin_row();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) -> Result<(), Refusal> {
        match tag {
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.end_text()?;
                while matches!(self.forest.close(), Some(Shell::Directive)) {}
                Ok(())
            }
            TagEnd::List(_) => {
                self.lists.pop();
                Ok(())
            }
            TagEnd::TableCell => {
                let (texts, pictures) = self.inline.take().unwrap_or_default().0.into_texts();
                if let Some(table) = &mut self.table {
                    table.cell(texts, pictures);
                    self.budget.allow_cells(table.cells())?;
                }
                Ok(())
            }
            TagEnd::Table => self.end_table(range),
            TagEnd::FootnoteDefinition => {
                self.end_text()?;
                self.end_note()
            }
            _ => self.end_text(),
        }
    }

    fn make_task(&mut self, is_done: bool) -> Result<(), Refusal> {
        let Some(Shell::Item(item)) = self.forest.shell() else { return Ok(()) };
        item.make_task(is_done);
        let body = item.body(RichText::default());
        self.forest.set_body(body)
    }

    /// Starts a text, with the name of the footnote if it is one.
    fn take_note(&mut self) -> Inline {
        let mut inline = Inline::default();
        if let Some(name) = self.note.take() {
            inline.read_event(Event::Text(format!("[^{name}]: ").into()), &(0..0), "");
        }
        inline
    }

    /// The name of a footnote that does not start with a text becomes a text on its own.
    fn end_note(&mut self) -> Result<(), Refusal> {
        self.note.take().map_or(Ok(()), |name| self.add_text(RichText::plain(format!("[^{name}]:"))))
    }

    /// Ends a paragraph, or the text of a list item without one.
    fn end_text(&mut self) -> Result<(), Refusal> {
        let Some((inline, range)) = self.inline.take() else { return Ok(()) };
        match self.directive(&range) {
            Some(DirectiveLine::Open(body)) => return self.forest.open_json(Shell::Directive, *body),
            Some(DirectiveLine::Close) if matches!(self.forest.shell(), Some(Shell::Directive)) => {
                self.forest.close();
                return Ok(());
            }
            _ => {}
        }
        match inline.into_paragraph() {
            Paragraph::Equation(latex) => {
                for latex in cut_plain(&latex) {
                    self.forest.add(single(Kind::Equation, "latex", latex))?;
                }
                Ok(())
            }
            Paragraph::Text(texts, pictures) => {
                for text in texts {
                    self.add_text(text)?;
                }
                self.add_pictures(pictures)
            }
        }
    }

    fn directive(&self, range: &Range<usize>) -> Option<DirectiveLine> {
        let is_escaped = range.start > 0 && self.source.as_bytes()[range.start - 1] == b'\\';
        let line = self.source.get(range.clone()).filter(|_| !is_escaped)?.trim();
        if line.starts_with(":::") && !line.contains('\n') { directive::read(line) } else { None }
    }

    /// A text becomes the text of its list item or quote if it comes first there, otherwise a paragraph.
    fn add_text(&mut self, text: RichText) -> Result<(), Refusal> {
        let is_first = self.forest.is_bare();
        let body = match self.forest.shell() {
            Some(Shell::Quote { has_text }) if is_first && !*has_text => {
                *has_text = true;
                Body::with_text(Kind::Quote, text)
            }
            Some(Shell::Item(item)) if is_first && !item.has_text => {
                item.has_text = true;
                item.body(text)
            }
            _ => return self.forest.add(Body::with_text(Kind::Paragraph, text)),
        };
        self.forest.set_body(body)
    }

    fn finish(mut self) -> Result<Vec<Piece>, Refusal> {
        self.end_text()?;
        Ok(self.forest.finish())
    }
}
