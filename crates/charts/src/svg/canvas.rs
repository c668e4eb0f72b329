//! The elements of a picture.

use super::{palette::Palette, words::escaped};
use std::fmt::Write;

/// Where a text stands in relation to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The size and the weight of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) is_bold: bool,
}

/// A picture that is being written.
pub(super) struct Canvas(String);

/// A coordinate with two digits after the point.
pub(super) fn px(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64, name: &str, palette: &Palette) -> Self {
        let (width, height, title) = (px(width), px(height), escaped(name));
        let mut svg = String::with_capacity(8 << 10);
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', \
             Roboto, 'Noto Sans', sans-serif\"><title>{title}</title>\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            palette.background
        );
        Self(svg)
    }

    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let (x, y, width, height) = (px(x), px(y), px(width.max(0.0)), px(height.max(0.0)));
        let _ = write!(self.0, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>");
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), stroke: &str) {
        let (x1, y1, x2, y2) = (px(x1), px(y1), px(x2), px(y2));
        let _ = write!(self.0, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{stroke}\"/>");
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let _ = write!(self.0, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\"/>", px(x), px(y), px(radius));
    }

    /// A closed shape. `path` consists of commands and coordinates.
    pub(super) fn shape(&mut self, path: &str, fill: &str, opacity: f64) {
        let _ = write!(self.0, "<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\"{}\"/>", px(opacity));
    }

    /// A slice, which is separated from its neighbours.
    pub(super) fn slice(&mut self, path: &str, fill: &str, border: &str) {
        let _ = write!(
            self.0,
            "<path d=\"{path}\" fill=\"{fill}\" fill-rule=\"evenodd\" stroke=\"{border}\" stroke-width=\"1.5\"/>"
        );
    }

    pub(super) fn stroke(&mut self, path: &str, stroke: &str) {
        let _ = write!(
            self.0,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\"/>"
        );
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, font: Font, fill: &str, text: &str) {
        self.turned_text((x, y), 0.0, anchor, font, fill, text);
    }

    /// A text that is turned around its place by degrees.
    pub(super) fn turned_text(
        &mut self,
        (x, y): (f64, f64),
        degrees: f64,
        anchor: Anchor,
        font: Font,
        fill: &str,
        text: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if font.is_bold { " font-weight=\"600\"" } else { "" };
        let (x, y) = (px(x), px(y));
        let turn =
            if degrees == 0.0 { String::new() } else { format!(" transform=\"rotate({} {x} {y})\"", px(degrees)) };
        let _ = write!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{fill}\"{anchor}{bold}{turn}>{}</text>",
            px(font.size),
            escaped(text)
        );
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}
