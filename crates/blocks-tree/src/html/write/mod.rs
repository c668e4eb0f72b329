//! From blocks to HTML.

mod card;
mod code;
mod color;
mod media;
mod panel;
mod pointer;
mod table;

use super::{
    presentation::Presentation,
    text::{escape, rich},
};
use crate::{Body, Kind, Piece};
use color::tint;
use octavo_core_model::cancellation::Cancellation;
use serde_json::Value;
use std::fmt::Write as _;

/// The style sheet of blocks within an element of the class `content`, for light and dark, wide and narrow screens and
/// paper. Its first rules are the colours of the document.
pub const STYLE: &str = include_str!("../content.css");

/// The rest of the style sheet of a whole document.
const DOCUMENT_STYLE: &str = include_str!("../document.css");

/// The blocks after a cancellation are missing.
pub(super) fn document(
    title: &str,
    pieces: &[Piece],
    presentation: &dyn Presentation,
    cancellation: &Cancellation,
) -> String {
    let mut writer = Writer { presentation, cancellation, out: String::new() };
    writer.out.push_str("<!doctype html>\n<html><head><meta charset=\"utf-8\">");
    writer.out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>");
    escape(title, &mut writer.out);
    writer.out.extend(["</title><style>\n", STYLE, DOCUMENT_STYLE, "</style></head>\n"]);
    writer.out.push_str("<body><main class=\"content\" dir=\"auto\">\n<h1>");
    escape(title, &mut writer.out);
    writer.out.push_str("</h1>\n");
    writer.siblings(pieces);
    writer.out.push_str("</main></body></html>\n");
    writer.out
}

/// The blocks after a cancellation are missing.
pub(super) fn body(pieces: &[Piece], presentation: &dyn Presentation, cancellation: &Cancellation) -> String {
    let mut writer = Writer { presentation, cancellation, out: String::new() };
    writer.siblings(pieces);
    writer.out
}

struct Writer<'a> {
    presentation: &'a dyn Presentation,
    cancellation: &'a Cancellation,
    out: String,
}

impl Writer<'_> {
    fn siblings(&mut self, pieces: &[Piece]) {
        let is_same_list = |one: &Piece, other: &Piece| {
            list(one.body.kind()).is_some()
                && one.body.kind() == other.body.kind()
                && number(&other.body, "start").is_none()
        };
        for row in pieces.chunk_by(is_same_list) {
            match row.first().and_then(|first| list(first.body.kind()).map(|tag| (first, tag))) {
                Some((first, (begin, end))) => {
                    self.out.push_str(begin);
                    if let Some(start) = number(&first.body, "start") {
                        let _ = write!(self.out, " start=\"{start}\"");
                    }
                    self.out.push_str(">\n");
                    for piece in row {
                        self.item(piece);
                    }
                    self.out.push_str(end);
                }
                None => {
                    for piece in row {
                        self.block(piece);
                    }
                }
            }
        }
    }

    fn item(&mut self, piece: &Piece) {
        if self.cancellation.is_cancelled() {
            return;
        }
        self.out.push_str("<li>");
        if piece.body.kind() == Kind::Todo {
            let is_done = is_set(&piece.body, "checked");
            self.out.push_str("<label><input type=\"checkbox\"");
            self.out.push_str(if is_done { " checked disabled> " } else { " disabled> " });
            self.text(&piece.body);
            self.out.push_str("</label>");
        } else {
            self.text(&piece.body);
        }
        if !piece.children.is_empty() {
            self.out.push('\n');
            self.siblings(&piece.children);
        }
        self.out.push_str("</li>\n");
    }

    fn block(&mut self, piece: &Piece) {
        if self.cancellation.is_cancelled() {
            return;
        }
        let body = &piece.body;
        match body.kind() {
            Kind::Heading1 | Kind::Heading2 | Kind::Heading3 => self.heading(body),
            Kind::Quote => return self.quote(piece),
            Kind::Callout => return self.callout(piece),
            Kind::Toggle => return self.toggle(piece),
            Kind::Column => return self.column(piece),
            Kind::ColumnList => return self.columns(piece),
            Kind::Image => self.image(body),
            Kind::Video => self.media("video", body),
            Kind::Audio => self.media("audio", body),
            Kind::File => self.file(body),
            Kind::Bookmark => self.card("bookmark", body),
            Kind::Embed => self.card("embed", body),
            Kind::Code => self.code(body),
            Kind::Equation => self.equation(body),
            Kind::Divider => self.out.push_str("<hr>\n"),
            Kind::Spacer => self.spacer(body),
            Kind::Table => self.table(body),
            Kind::Database | Kind::LinkedDatabase | Kind::ChildDatabase => self.database(body),
            Kind::Chart => self.pointer("chart", "Chart", body),
            Kind::Form => self.pointer("form", "Form", body),
            Kind::ChildPage => self.child_page(body),
            // Its content is known only where pages are read.
            Kind::SyncedBlock => {}
            Kind::Paragraph | Kind::BulletedList | Kind::NumberedList | Kind::Todo => self.paragraph(body),
        }
        if !piece.children.is_empty() {
            self.out.push_str("<div class=\"below\">\n");
            self.siblings(&piece.children);
            self.out.push_str("</div>\n");
        }
    }

    fn text(&mut self, body: &Body) {
        if let Some(text) = body.text() {
            rich(text, self.presentation, &mut self.out);
        }
    }

    fn plain(&mut self, body: &Body, key: &str) {
        escape(string(body, key), &mut self.out);
    }

    fn open(&mut self, tag: &str, classes: &Classes) {
        self.out.extend(["<", tag]);
        classes.write(&mut self.out);
        self.out.push('>');
    }

    fn tagged(&mut self, tag: &str, classes: &Classes, inner: impl FnOnce(&mut Self)) {
        self.open(tag, classes);
        inner(self);
        self.out.extend(["</", tag, ">\n"]);
    }

    fn paragraph(&mut self, body: &Body) {
        let mut classes = Classes::default().with(align(body));
        if let Some(color) = property(body, "color") {
            let layer = if color.to_ascii_lowercase().contains("background") { "bg" } else { "ink" };
            classes = classes.tinted(layer, color);
        }
        self.tagged("p", &classes, |writer| writer.text(body));
    }

    fn heading(&mut self, body: &Body) {
        let (tag, lower, class) = match body.kind() {
            Kind::Heading1 => ("h1", "h2", "heading-1"),
            Kind::Heading2 => ("h2", "h3", "heading-2"),
            _ => ("h3", "h4", "heading-3"),
        };
        let is_lower = self.presentation.has_title();
        let mut classes = Classes::default();
        if is_lower {
            classes = classes.with(class);
        }
        if is_set(body, "showDivider") {
            classes = classes.with("divided");
        }
        let classes = classes.with(align(body));
        self.tagged(if is_lower { lower } else { tag }, &classes, |writer| writer.text(body));
    }

    /// Heights are classes, because the policy of pages for browsers allows no style at a tag.
    fn spacer(&mut self, body: &Body) {
        let height = number(body, "heightPx").unwrap_or(24).clamp(8, 200);
        let _ = writeln!(self.out, "<div class=\"spacer h{}\"></div>", height.div_ceil(8) * 8);
    }
}

/// The classes of a tag. They are words of this crate, never of users.
#[derive(Default)]
struct Classes(String);

impl Classes {
    fn of(class: &str) -> Self {
        Self(class.to_owned())
    }

    /// Adds a class, unless it is empty.
    #[must_use]
    fn with(mut self, class: &str) -> Self {
        if !class.is_empty() {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(class);
        }
        self
    }

    /// Adds the colour of the palette that is closest to the given one.
    #[must_use]
    fn tinted(self, layer: &str, color: &str) -> Self {
        match tint(color) {
            Some(tint) => self.with(&format!("{layer}-{tint}")),
            None => self,
        }
    }

    /// Adds a width in per cent, in steps of 5.
    #[must_use]
    fn wide(self, body: &Body) -> Self {
        let width = body.properties().get("widthPct").and_then(Value::as_f64);
        match width.and_then(|width| (1..=19_u8).find(|step| width < f64::from(*step) * 5.0 + 2.5)) {
            Some(step) => self.with(&format!("w{}", step * 5)),
            None => self,
        }
    }

    fn write(&self, out: &mut String) {
        if !self.0.is_empty() {
            out.extend([" class=\"", &self.0, "\""]);
        }
    }
}

/// The class of the alignment. Left is the default.
fn align(body: &Body) -> &'static str {
    match property(body, "align") {
        Some("center") => "center",
        Some("right") => "right",
        Some("justify") => "justify",
        _ => "",
    }
}

/// The opening and closing tags of the list for such items.
const fn list(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::BulletedList => Some(("<ul", "</ul>\n")),
        Kind::NumberedList => Some(("<ol", "</ol>\n")),
        Kind::Todo => Some(("<ul class=\"tasks\"", "</ul>\n")),
        _ => None,
    }
}

fn string<'a>(body: &'a Body, key: &str) -> &'a str {
    body.fields().get(key).and_then(Value::as_str).unwrap_or_default()
}

fn number(body: &Body, key: &str) -> Option<u64> {
    body.fields().get(key).and_then(Value::as_u64)
}

fn property<'a>(body: &'a Body, key: &str) -> Option<&'a str> {
    body.properties().get(key).and_then(Value::as_str)
}

fn is_set(body: &Body, property: &str) -> bool {
    body.properties().get(property) == Some(&Value::Bool(true))
}
