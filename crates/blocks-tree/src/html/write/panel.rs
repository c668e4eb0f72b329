//! Blocks around other blocks: quotes, callouts, toggles and columns.

use super::{Classes, Writer, align, is_set, property, string};
use crate::{Piece, html::text::escape};
use serde_json::Value;

impl Writer<'_> {
    pub(super) fn quote(&mut self, piece: &Piece) {
        self.tagged("blockquote", &Classes::default(), |writer| {
            writer.tagged("p", &Classes::default().with(align(&piece.body)), |writer| writer.text(&piece.body));
            writer.siblings(&piece.children);
            if !string(&piece.body, "citation").is_empty() {
                writer.tagged("footer", &Classes::default(), |writer| writer.plain(&piece.body, "citation"));
            }
        });
    }

    /// Not an `aside`, which would be a landmark within the landmark of the page.
    pub(super) fn callout(&mut self, piece: &Piece) {
        let emoji = property(&piece.body, "emoji");
        let mut classes = Classes::of("callout");
        if emoji.is_some() {
            classes = classes.with("with-emoji");
        }
        if let Some(color) = property(&piece.body, "backgroundColor") {
            classes = classes.tinted("bg", color);
        }
        if let Some(color) = property(&piece.body, "textColor") {
            classes = classes.tinted("ink", color);
        }
        self.out.push_str("<div");
        classes.write(&mut self.out);
        self.out.push_str(" role=\"note\">");
        self.tagged("p", &Classes::default(), |writer| {
            if let Some(emoji) = emoji {
                writer.out.push_str("<span class=\"emoji\">");
                escape(emoji, &mut writer.out);
                writer.out.push_str("</span> ");
            }
            writer.text(&piece.body);
        });
        self.siblings(&piece.children);
        self.out.push_str("</div>\n");
    }

    pub(super) fn toggle(&mut self, piece: &Piece) {
        self.out.push_str(if is_set(&piece.body, "collapsed") { "<details>" } else { "<details open>" });
        self.tagged("summary", &Classes::default(), |writer| writer.text(&piece.body));
        self.siblings(&piece.children);
        self.out.push_str("</details>\n");
    }

    pub(super) fn column(&mut self, piece: &Piece) {
        self.around(&Classes::of("column").wide(&piece.body), piece);
    }

    pub(super) fn columns(&mut self, piece: &Piece) {
        let mut classes = Classes::of("columns");
        if let Some(color) = property(&piece.body, "background") {
            classes = classes.tinted("bg", color);
        }
        if piece.body.properties().get("padding").and_then(Value::as_u64).is_some_and(|padding| padding > 0) {
            classes = classes.with("padded");
        }
        self.around(&classes, piece);
    }

    fn around(&mut self, classes: &Classes, piece: &Piece) {
        self.tagged("div", classes, |writer| {
            writer.out.push('\n');
            writer.siblings(&piece.children);
        });
    }
}
