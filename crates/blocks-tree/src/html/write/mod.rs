//! From blocks to HTML.

mod media;

use super::{
    FileUrl,
    text::{escape, rich},
};
use crate::{Body, Kind, Piece, body::Cells};
use octavo_core_model::cancellation::Cancellation;
use serde_json::Value;
use std::fmt::Write as _;

/// The style sheet of the documents, for light and dark, wide and narrow screens.
pub const STYLE: &str = include_str!("../style.css");

/// The blocks after a cancellation are missing.
pub(super) fn document(title: &str, pieces: &[Piece], file_url: FileUrl<'_>, cancellation: &Cancellation) -> String {
    let mut writer = Writer { file_url, cancellation, out: String::new() };
    writer.out.push_str("<!doctype html>\n<html><head><meta charset=\"utf-8\">");
    writer.out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>");
    escape(title, &mut writer.out);
    writer.out.extend(["</title><style>\n", STYLE, "</style></head>\n<body><main dir=\"auto\">\n<h1>"]);
    escape(title, &mut writer.out);
    writer.out.push_str("</h1>\n");
    writer.siblings(pieces);
    writer.out.push_str("</main></body></html>\n");
    writer.out
}

/// The blocks after a cancellation are missing.
pub(super) fn body(pieces: &[Piece], file_url: FileUrl<'_>, cancellation: &Cancellation) -> String {
    let mut writer = Writer { file_url, cancellation, out: String::new() };
    writer.siblings(pieces);
    writer.out
}

struct Writer<'a> {
    file_url: FileUrl<'a>,
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
            let is_done = piece.body.properties().get("checked") == Some(&Value::Bool(true));
            self.out.push_str(if is_done {
                "<input type=\"checkbox\" checked disabled> "
            } else {
                "<input type=\"checkbox\" disabled> "
            });
        }
        self.text(&piece.body);
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
            Kind::Heading1 => self.aligned("h1", body),
            Kind::Heading2 => self.aligned("h2", body),
            Kind::Heading3 => self.aligned("h3", body),
            Kind::Quote => return self.quote(piece),
            Kind::Callout => return self.callout(piece),
            Kind::Toggle => return self.toggle(piece),
            Kind::Column => return self.around("div", "column", piece),
            Kind::ColumnList => return self.around("div", "columns", piece),
            Kind::Image => self.image(body),
            Kind::Video => self.media("video", body),
            Kind::Audio => self.media("audio", body),
            Kind::File => self.file(body),
            Kind::Bookmark | Kind::Embed => self.address(body),
            Kind::Code => self.code(body),
            Kind::Equation => self.tagged("p", "equation", |writer| {
                writer.out.push_str("<code>");
                writer.plain(body, "latex");
                writer.out.push_str("</code>");
            }),
            Kind::Divider => self.out.push_str("<hr>\n"),
            Kind::Spacer => self.out.push_str("<div class=\"spacer\"></div>\n"),
            Kind::Table => self.table(body),
            Kind::Database | Kind::LinkedDatabase | Kind::ChildDatabase => self.pointer("Database", body),
            Kind::Chart => self.pointer("Chart", body),
            Kind::Form => self.pointer("Form", body),
            Kind::ChildPage => self.pointer("Page", body),
            // Its content is known only where pages are read.
            Kind::SyncedBlock => {}
            Kind::Paragraph | Kind::BulletedList | Kind::NumberedList | Kind::Todo => self.aligned("p", body),
        }
        if !piece.children.is_empty() {
            self.out.push_str("<div class=\"below\">\n");
            self.siblings(&piece.children);
            self.out.push_str("</div>\n");
        }
    }

    fn text(&mut self, body: &Body) {
        if let Some(text) = body.text() {
            rich(text, &mut self.out);
        }
    }

    fn plain(&mut self, body: &Body, key: &str) {
        escape(string(body, key), &mut self.out);
    }

    fn tagged(&mut self, tag: &str, class: &str, inner: impl FnOnce(&mut Self)) {
        self.out.extend(["<", tag]);
        if !class.is_empty() {
            self.out.push_str(" class=\"");
            escape(class, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        inner(self);
        self.out.extend(["</", tag, ">\n"]);
    }

    fn aligned(&mut self, tag: &str, body: &Body) {
        let align = body.properties().get("align").and_then(Value::as_str).filter(|align| *align != "left");
        self.tagged(tag, align.unwrap_or_default(), |writer| writer.text(body));
    }

    fn around(&mut self, tag: &str, class: &str, piece: &Piece) {
        self.tagged(tag, class, |writer| {
            writer.out.push('\n');
            writer.siblings(&piece.children);
        });
    }

    fn quote(&mut self, piece: &Piece) {
        self.tagged("blockquote", "", |writer| {
            writer.aligned("p", &piece.body);
            writer.siblings(&piece.children);
            if !string(&piece.body, "citation").is_empty() {
                writer.tagged("footer", "", |writer| writer.plain(&piece.body, "citation"));
            }
        });
    }

    fn callout(&mut self, piece: &Piece) {
        self.tagged("aside", "", |writer| {
            writer.tagged("p", "", |writer| {
                if let Some(emoji) = piece.body.properties().get("emoji").and_then(Value::as_str) {
                    escape(emoji, &mut writer.out);
                    writer.out.push(' ');
                }
                writer.text(&piece.body);
            });
            writer.siblings(&piece.children);
        });
    }

    fn toggle(&mut self, piece: &Piece) {
        let is_closed = piece.body.properties().get("collapsed") == Some(&Value::Bool(true));
        self.out.push_str(if is_closed { "<details>" } else { "<details open>" });
        self.tagged("summary", "", |writer| writer.text(&piece.body));
        self.siblings(&piece.children);
        self.out.push_str("</details>\n");
    }

    fn code(&mut self, body: &Body) {
        self.out.push_str("<pre><code class=\"language-");
        self.plain(body, "language");
        // A line break directly after the tag would be ignored.
        self.out.push_str("\">");
        self.plain(body, "code");
        self.out.push_str("</code></pre>\n");
    }

    fn pointer(&mut self, what: &str, body: &Body) {
        let title = if string(body, "title").is_empty() { what } else { string(body, "title") };
        self.tagged("p", "pointer", |writer| escape(title, &mut writer.out));
    }

    fn table(&mut self, body: &Body) {
        let has_head = body.fields().get("headerRow") == Some(&Value::Bool(true));
        self.out.push_str("<div class=\"scroll\"><table>\n");
        for (index, row) in body.cells().into_iter().flat_map(Cells::rows).enumerate() {
            let tag = if has_head && index == 0 { "th" } else { "td" };
            self.out.push_str("<tr>");
            for cell in row {
                self.out.extend(["<", tag, ">"]);
                rich(cell, &mut self.out);
                self.out.extend(["</", tag, ">"]);
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table></div>\n");
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
