//! Charts drawn as SVG.
//!
//! The picture consists of shapes and texts alone: no scripts, styles, links or references, so that nothing in it can act
//! wherever it is shown. Everything that people wrote is cut to the room that there is, and escaped.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of points, rows and letters of a picture are small"
)]

mod canvas;
mod legend;
mod palette;
mod plane;
mod round;
mod scale;
#[cfg(test)]
mod tests;
mod words;

use crate::{
    data::ChartData,
    settings::{ChartSettings, Figure},
};
use canvas::{Anchor, Canvas, Font};
use octavo_core_model::named;
use palette::Palette;

named! {
    /// The colours of a picture.
    Theme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

/// How large a picture is, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u16,
    height: u16,
}

/// How a picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its size.
    pub size: Size,
    /// Its colours.
    pub theme: Theme,
}

impl Size {
    /// The smallest width.
    pub const MIN_WIDTH: u16 = 200;
    /// The largest width.
    pub const MAX_WIDTH: u16 = 2000;
    /// The smallest height.
    pub const MIN_HEIGHT: u16 = 150;
    /// The largest height.
    pub const MAX_HEIGHT: u16 = 1500;

    /// The size within the bounds that is nearest to this one.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width: width.clamp(Self::MIN_WIDTH, Self::MAX_WIDTH),
            height: height.clamp(Self::MIN_HEIGHT, Self::MAX_HEIGHT),
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self { size: Size::default(), theme: Theme::Light }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 720, height: 400 }
    }
}

/// A part of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    const fn right(self) -> f64 {
        self.left + self.width
    }

    const fn bottom(self) -> f64 {
        self.top + self.height
    }
}

const PADDING: f64 = 16.0;
const TITLE: Font = Font { size: 15.0, is_bold: true };
const SMALL: Font = Font { size: 11.0, is_bold: false };

/// What is drawn.
struct Picture<'a> {
    settings: &'a ChartSettings,
    data: &'a ChartData,
    palette: Palette,
    canvas: Canvas,
}

/// Draws a chart with this name.
pub fn draw(name: &str, settings: &ChartSettings, data: &ChartData, look: Look) -> String {
    let (width, height) = (f64::from(look.size.width), f64::from(look.size.height));
    let palette = Palette::new(look.theme, settings.color.as_ref());
    let canvas = Canvas::new(width, height, name, &palette);
    let mut picture = Picture { settings, data, palette, canvas };
    let text = palette_text(&picture);
    let title = Area { left: PADDING, top: PADDING, width: width - 2.0 * PADDING, height: 20.0 };
    picture.canvas.text(
        title.left,
        title.top + 13.0,
        Anchor::Start,
        TITLE,
        &text,
        &words::fit(name, title.width, TITLE.size),
    );
    let top = title.bottom() + 8.0;
    let area = Area { left: PADDING, top, width: title.width, height: height - top - PADDING };
    match settings.figure {
        Figure::Number => picture.number(area),
        Figure::Round(kind, _) => picture.round(kind, area),
        Figure::Plane(kind, ..) => picture.plane(kind, area),
    }
    picture.canvas.finish()
}

fn palette_text(picture: &Picture<'_>) -> String {
    picture.palette.text.to_owned()
}

impl Picture<'_> {
    /// One number as large as fits, and how many records it is about.
    fn number(&mut self, area: Area) {
        let total = self.data.total;
        let figure = total.value.map_or_else(|| "\u{2013}".to_owned(), words::grouped);
        let widest = words::width(&figure, 1.0).max(0.1);
        let size = (area.width / widest).min(area.height * 0.5).clamp(12.0, 96.0);
        let (x, y) = (area.left + area.width / 2.0, area.top + area.height / 2.0);
        let color = self.palette.series(0).to_owned();
        let big = Font { size, is_bold: true };
        self.canvas.text(x, y + size * 0.3, Anchor::Middle, big, &color, &words::fit(&figure, area.width, size));
        let records = if total.count == 1 { "1 record".to_owned() } else { format!("{} records", total.count) };
        let muted = self.palette.muted.to_owned();
        self.canvas.text(x, y + size * 0.55 + 16.0, Anchor::Middle, SMALL, &muted, &records);
    }

    /// What is shown if there is nothing to draw.
    fn nothing(&mut self, area: Area) {
        let (x, y) = (area.left + area.width / 2.0, area.top + area.height / 2.0);
        let muted = self.palette.muted.to_owned();
        self.canvas.text(x, y, Anchor::Middle, Font { size: 13.0, is_bold: false }, &muted, "No data");
    }
}
