//! Bars, lines and areas.

use super::{
    Area, Picture, SMALL,
    canvas::{Anchor, px},
    legend::Entry,
    scale::Scale,
    words,
};
use crate::{data::Point, settings::Plane};
use octavo_databases::value::Number;
use std::fmt::Write;

/// The points with one key, by series.
struct Slot {
    label: String,
    /// In the order of the series; a chart without series has one.
    values: Vec<Option<f64>>,
    /// Whether it is what was merged.
    is_rest: bool,
}

/// How far labels below the axis are turned.
const TURN: f64 = 40.0;
/// How long a turned label is at most.
const TURNED: f64 = 150.0;
/// How far turned labels are from each other at least.
const TURNED_ROW: f64 = 22.0;

impl Picture<'_> {
    pub(super) fn plane(&mut self, kind: Plane, area: Area) {
        let slots = self.slots(kind);
        let series = self.data.series.len();
        let entry = |(place, key): (usize, &crate::key::Key)| Entry {
            color: self.palette.series(place).to_owned(),
            label: key.label.clone(),
        };
        let entries: Vec<_> = self.data.series.iter().enumerate().map(entry).collect();
        let area = self.legend(&entries, area);
        let stacked = self.settings.stacked && series > 1;
        let ranges = ranges(&slots, stacked);
        let Some((least, most)) = ranges else { return self.nothing(area) };
        let (plot, scale) = self.axes(area, &slots, least, most);
        match kind {
            Plane::Bar => self.bars(&slots, stacked, plot, &scale),
            Plane::Line => self.lines(&slots, plot, &scale),
            Plane::Area if stacked => self.stacked_areas(&slots, plot, &scale),
            Plane::Area => {
                self.areas(&slots, plot, &scale);
                self.lines(&slots, plot, &scale);
            }
        }
        self.baseline(plot, &scale);
    }

    fn slots(&self, kind: Plane) -> Vec<Slot> {
        let series = self.data.series.len().max(1);
        let mut slots: Vec<Slot> = Vec::new();
        let mut last: Option<&Point> = None;
        for point in &self.data.points {
            if last.is_none_or(|last| last.key != point.key) {
                slots.push(Slot { label: point.key.label.clone(), values: vec![None; series], is_rest: false });
            }
            if let Some(slot) = slots.last_mut() {
                slot.values[point.series.unwrap_or(0)] = point.value;
            }
            last = Some(point);
        }
        // What was merged has no place on the way of a line.
        if let Some(other) = self.data.other.filter(|_| kind == Plane::Bar) {
            let mut values = vec![None; series];
            values[0] = other.total.value;
            slots.push(Slot { label: format!("Other ({})", other.points), values, is_rest: true });
        }
        slots
    }

    /// Draws the axes, their labels and the grid, and returns what is left for the points.
    fn axes(&mut self, area: Area, slots: &[Slot], least: f64, most: f64) -> (Area, Scale) {
        let labels = self.settings.labels.clone();
        let (text, muted, grid) = (self.palette.text, self.palette.muted, self.palette.grid);
        let chosen = (labels.y_min.map(Number::get), labels.y_max.map(Number::get));
        let scale = Scale::new(least, most, chosen, area.height * 0.75);
        let y_label = if labels.y.is_some() { 18.0 } else { 0.0 };
        let ticks: Vec<_> = scale.ticks.iter().map(|tick| (*tick, words::short(*tick))).collect();
        let tick_width = ticks.iter().map(|(_, text)| words::width(text, SMALL.size)).fold(0.0, f64::max);
        let left = area.left + y_label + tick_width + 8.0;
        let width = (area.right() - left).max(20.0);
        let slot = width / slots.len().max(1) as f64;
        let widest = slots.iter().map(|slot| words::width(&slot.label, SMALL.size)).fold(0.0, f64::max);
        let is_turned = widest + 8.0 > slot;
        let turned_room = TURNED.min(area.height * 0.42);
        let label_height = if is_turned { widest.min(turned_room) * TURN.to_radians().sin() + 16.0 } else { 20.0 };
        let x_label = if labels.x.is_some() { 18.0 } else { 0.0 };
        let plot = Area { left, width, height: (area.height - label_height - x_label).max(20.0), ..area };
        for (tick, label) in &ticks {
            let y = y_of(plot, &scale, *tick);
            self.canvas.line((plot.left, y), (plot.right(), y), grid);
            self.canvas.text(plot.left - 6.0, y + 4.0, Anchor::End, SMALL, muted, label);
        }
        let step = if is_turned { ((TURNED_ROW / slot).ceil() as usize).max(1) } else { 1 };
        for (place, found) in slots.iter().enumerate().step_by(step) {
            let x = plot.left + (place as f64 + 0.5) * slot;
            if is_turned {
                // A label at the left edge must not begin outside the picture.
                let room = ((x - 2.0) / TURN.to_radians().cos()).min(turned_room);
                let label = words::fit(&found.label, room, SMALL.size);
                self.canvas.turned_text((x + 3.0, plot.bottom() + 12.0), -TURN, Anchor::End, SMALL, muted, &label);
            } else {
                self.canvas.text(x, plot.bottom() + 15.0, Anchor::Middle, SMALL, muted, &found.label);
            }
        }
        if let Some(label) = &labels.x {
            let x = plot.left + plot.width / 2.0;
            let label = words::fit(label, plot.width, SMALL.size);
            self.canvas.text(x, area.bottom() - 2.0, Anchor::Middle, SMALL, text, &label);
        }
        if let Some(label) = &labels.y {
            let y = plot.top + plot.height / 2.0;
            let label = words::fit(label, plot.height, SMALL.size);
            self.canvas.turned_text((area.left + 10.0, y), -90.0, Anchor::Middle, SMALL, text, &label);
        }
        (plot, scale)
    }

    /// The line at zero, or at the end that is nearest to it.
    fn baseline(&mut self, plot: Area, scale: &Scale) {
        let y = y_of(plot, scale, 0.0);
        let color = self.palette.muted;
        self.canvas.line((plot.left, y), (plot.right(), y), color);
    }

    fn bars(&mut self, slots: &[Slot], stacked: bool, plot: Area, scale: &Scale) {
        let slot_width = plot.width / slots.len().max(1) as f64;
        let group = (slot_width * 0.78).clamp(0.5, 120.0);
        for (place, slot) in slots.iter().enumerate() {
            let left = plot.left + (place as f64 + 0.5) * slot_width - group / 2.0;
            let parts = if slot.is_rest || stacked { 1 } else { slot.values.len() };
            let width = group / parts as f64;
            let (mut above, mut below) = (0.0, 0.0);
            for (series, value) in slot.values.iter().enumerate() {
                let Some(value) = *value else { continue };
                let color =
                    if slot.is_rest { self.palette.rest.to_owned() } else { self.palette.series(series).to_owned() };
                let base: &mut f64 = if value < 0.0 { &mut below } else { &mut above };
                let start = if stacked { *base } else { 0.0 };
                let end = start + value;
                *base = end;
                let (a, b) = (y_of(plot, scale, start), y_of(plot, scale, end));
                let x = if parts == 1 { left } else { left + series as f64 * width };
                let gap = if parts > 1 && width > 6.0 { 1.0 } else { 0.0 };
                self.canvas.rect((x, a.min(b)), ((width - gap).max(0.5), (a - b).abs()), &color);
            }
        }
    }

    fn lines(&mut self, slots: &[Slot], plot: Area, scale: &Scale) {
        let series = slots.first().map_or(0, |slot| slot.values.len());
        for place in 0..series {
            let color = self.palette.series(place).to_owned();
            for run in runs(slots, place, plot, scale) {
                if run.len() > 1 {
                    self.canvas.stroke(&path(&run), &color);
                }
                if run.len() == 1 || slots.len() <= 40 {
                    for at in &run {
                        self.canvas.circle(*at, 3.0, &color);
                    }
                }
            }
        }
    }

    fn areas(&mut self, slots: &[Slot], plot: Area, scale: &Scale) {
        let series = slots.first().map_or(0, |slot| slot.values.len());
        let base = y_of(plot, scale, 0.0);
        for place in 0..series {
            let color = self.palette.series(place).to_owned();
            for run in runs(slots, place, plot, scale) {
                let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
                let shape = format!("{}L{} {b}L{} {b}Z", path(&run), px(last.0), px(first.0), b = px(base));
                self.canvas.shape(&shape, &color, 0.28);
            }
        }
    }

    /// Areas on each other. Where a series has no value it adds nothing.
    fn stacked_areas(&mut self, slots: &[Slot], plot: Area, scale: &Scale) {
        let series = slots.first().map_or(0, |slot| slot.values.len());
        let slot_width = plot.width / slots.len().max(1) as f64;
        let mut sums = vec![0.0; slots.len()];
        for place in 0..series {
            let color = self.palette.series(place).to_owned();
            let edge = |sums: &[f64]| -> Vec<(f64, f64)> {
                let at = |(slot, sum): (usize, &f64)| {
                    (plot.left + (slot as f64 + 0.5) * slot_width, y_of(plot, scale, *sum))
                };
                sums.iter().enumerate().map(at).collect()
            };
            let mut lower = edge(&sums);
            for (sum, slot) in sums.iter_mut().zip(slots) {
                *sum += slot.values[place].unwrap_or(0.0);
            }
            let upper = edge(&sums);
            lower.reverse();
            let shape = format!("{}L{}Z", path(&upper), path(&lower).trim_start_matches('M'));
            self.canvas.shape(&shape, &color, 0.75);
            self.canvas.stroke(&path(&upper), &color);
        }
    }
}

/// The least and the largest value to show; `None` if there are none.
fn ranges(slots: &[Slot], stacked: bool) -> Option<(f64, f64)> {
    let mut found: Option<(f64, f64)> = None;
    let mut include = |value: f64| {
        let (least, most) = found.unwrap_or((value, value));
        found = Some((least.min(value), most.max(value)));
    };
    for slot in slots {
        let values = slot.values.iter().copied().flatten();
        if stacked && !slot.is_rest {
            let (mut above, mut below, mut any) = (0.0, 0.0, false);
            for value in values {
                any = true;
                *(if value < 0.0 { &mut below } else { &mut above }) += value;
            }
            if any {
                include(above);
                include(below);
            }
        } else {
            values.for_each(&mut include);
        }
    }
    found.map(|(least, most)| (least.max(-f64::MAX), most.min(f64::MAX)))
}

fn y_of(plot: Area, scale: &Scale, value: f64) -> f64 {
    plot.bottom() - scale.place(value) * plot.height
}

/// The places of a series, interrupted where it has no value.
fn runs(slots: &[Slot], series: usize, plot: Area, scale: &Scale) -> Vec<Vec<(f64, f64)>> {
    let slot_width = plot.width / slots.len().max(1) as f64;
    let mut runs = vec![Vec::new()];
    for (place, slot) in slots.iter().enumerate() {
        match (slot.values[series], runs.last_mut()) {
            (Some(value), Some(run)) => {
                run.push((plot.left + (place as f64 + 0.5) * slot_width, y_of(plot, scale, value)));
            }
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::with_capacity(points.len() * 14);
    for (place, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if place == 0 { 'M' } else { 'L' }, px(*x), px(*y));
    }
    path
}
