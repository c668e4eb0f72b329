//! Pies and donuts.

use super::{
    Area, Picture, SMALL,
    canvas::{Anchor, Font, px},
    legend::Entry,
    words,
};
use crate::settings::Round;
use std::f64::consts::TAU;

struct Slice {
    label: String,
    value: f64,
    color: String,
}

/// From this share of the whole on, a slice has its share written on it.
const LEAST_WRITTEN: f64 = 0.045;

impl Picture<'_> {
    /// Shares of a whole. Values that are not positive are no shares: they are in the legend alone.
    pub(super) fn round(&mut self, kind: Round, area: Area) {
        let slices = self.slices();
        let entry = |slice: &Slice| Entry {
            color: slice.color.clone(),
            label: format!("{}: {}", slice.label, words::grouped(slice.value)),
        };
        let area = self.legend(&slices.iter().map(entry).collect::<Vec<_>>(), area);
        // Divided, so that the sum of large values is finite.
        let largest = slices.iter().map(|slice| slice.value).fold(0.0, f64::max);
        let sum: f64 = slices.iter().map(|slice| (slice.value / largest).max(0.0)).sum();
        if largest <= 0.0 || !sum.is_finite() {
            return self.nothing(area);
        }
        let radius = (area.width.min(area.height) / 2.0 - 4.0).max(10.0);
        let center = (area.left + area.width / 2.0, area.top + area.height / 2.0);
        let inner = if kind == Round::Donut { radius * 0.58 } else { 0.0 };
        let mut start = 0.0;
        let (border, is_labelled) = (self.palette.background, !self.settings.legend.is_shown);
        let mut texts = Vec::new();
        for slice in slices.iter().filter(|slice| slice.value > 0.0) {
            let share = slice.value / largest / sum;
            self.canvas.slice(&ring(center, radius, inner, start, share), &slice.color, border);
            if share >= LEAST_WRITTEN {
                let at = point(
                    center,
                    if inner > 0.0 { f64::midpoint(radius, inner) } else { radius * 0.65 },
                    start + share / 2.0,
                );
                let percent = format!("{}%", words::short((share * 1000.0).round() / 10.0));
                texts.push((at, percent, is_labelled.then(|| slice.label.clone())));
            }
            start += share;
        }
        let font = Font { size: 11.0, is_bold: true };
        for ((x, y), percent, label) in texts {
            self.canvas.text(x, y + 4.0, Anchor::Middle, font, "#ffffff", &percent);
            if let Some(label) = label {
                self.canvas.text(
                    x,
                    y + 16.0,
                    Anchor::Middle,
                    SMALL,
                    "#ffffff",
                    &words::fit(&label, radius * 0.6, SMALL.size),
                );
            }
        }
        if let (Round::Donut, Some(total)) = (kind, self.data.total.value) {
            let size = (inner * 0.36).clamp(11.0, 30.0);
            let text = words::fit(&words::short(total), inner * 1.7, size);
            let color = self.palette.text;
            self.canvas.text(
                center.0,
                center.1 + size * 0.35,
                Anchor::Middle,
                Font { size, is_bold: true },
                color,
                &text,
            );
        }
    }

    fn slices(&self) -> Vec<Slice> {
        let point = |(place, point): (usize, &crate::data::Point)| {
            let color = self.palette.series(place).to_owned();
            Some(Slice { label: point.key.label.clone(), value: point.value?, color })
        };
        let mut slices: Vec<_> = self.data.points.iter().enumerate().filter_map(point).collect();
        if let Some(other) = self.data.other
            && let Some(value) = other.total.value
        {
            slices.push(Slice {
                label: format!("Other ({})", other.points),
                value,
                color: self.palette.rest.to_owned(),
            });
        }
        slices
    }
}

/// A place on a circle; the turn begins at the top and goes clockwise.
fn point((x, y): (f64, f64), radius: f64, turn: f64) -> (f64, f64) {
    let angle = turn * TAU;
    (x + radius * angle.sin(), y - radius * angle.cos())
}

/// A part of a ring, or of a circle if nothing is cut out.
fn ring(center: (f64, f64), outer: f64, inner: f64, start: f64, share: f64) -> String {
    if share > 0.9999 {
        return format!("{}{}", circle(center, outer), if inner > 0.0 { circle(center, inner) } else { String::new() });
    }
    let large = u8::from(share > 0.5);
    let ((x1, y1), (x2, y2)) = (point(center, outer, start), point(center, outer, start + share));
    let arc = format!("M{} {}A{r} {r} 0 {large} 1 {} {}", px(x1), px(y1), px(x2), px(y2), r = px(outer));
    if inner <= 0.0 {
        return format!("{arc}L{} {}Z", px(center.0), px(center.1));
    }
    let ((x3, y3), (x4, y4)) = (point(center, inner, start + share), point(center, inner, start));
    format!("{arc}L{} {}A{r} {r} 0 {large} 0 {} {}Z", px(x3), px(y3), px(x4), px(y4), r = px(inner))
}

fn circle((x, y): (f64, f64), radius: f64) -> String {
    let (top, bottom, r, x) = (px(y - radius), px(y + radius), px(radius), px(x));
    format!("M{x} {top}A{r} {r} 0 1 1 {x} {bottom}A{r} {r} 0 1 1 {x} {top}Z")
}
