//! The legend.

use super::{Area, Picture, SMALL, canvas::Anchor, words};
use crate::settings::LegendPosition;

/// A line of the legend.
pub(super) struct Entry {
    pub(super) color: String,
    pub(super) label: String,
}

const ROW: f64 = 18.0;
const MARK: f64 = 10.0;
/// From the mark to its text.
const GAP: f64 = 6.0;
/// The largest width of a text in a row.
const MOST: f64 = 160.0;
const MOST_ROWS: usize = 3;

impl Picture<'_> {
    /// Draws the legend at its place, and returns what is left of the area.
    pub(super) fn legend(&mut self, entries: &[Entry], area: Area) -> Area {
        if !self.settings.legend.is_shown || entries.is_empty() {
            return area;
        }
        match self.settings.legend.position {
            LegendPosition::Top => {
                let rows = Self::rows(entries, area.width);
                let height = rows.len() as f64 * ROW + 6.0;
                self.draw_rows(&rows, area.left, area.top);
                Area { top: area.top + height, height: area.height - height, ..area }
            }
            LegendPosition::Bottom => {
                let rows = Self::rows(entries, area.width);
                let height = rows.len() as f64 * ROW + 6.0;
                self.draw_rows(&rows, area.left, area.bottom() - height + 6.0);
                Area { height: area.height - height, ..area }
            }
            LegendPosition::Left => {
                let width = self.column(entries, Area { width: area.width * 0.3, ..area }, false);
                Area { left: area.left + width + 12.0, width: area.width - width - 12.0, ..area }
            }
            LegendPosition::Right => {
                let room = area.width * 0.3;
                let width = self.column(entries, Area { left: area.right() - room, width: room, ..area }, true);
                Area { width: area.width - width - 12.0, ..area }
            }
        }
    }

    /// The entries in rows, as many as there is room for; the last one says how many are left out.
    fn rows(entries: &[Entry], room: f64) -> Vec<Vec<(f64, String, String)>> {
        let mut rows = vec![Vec::new()];
        let mut x = 0.0;
        for (place, entry) in entries.iter().enumerate() {
            let label = words::fit(&entry.label, MOST.min(room - MARK - GAP), SMALL.size);
            let width = MARK + GAP + words::width(&label, SMALL.size) + 14.0;
            let left = entries.len() - place;
            let more = if rows.len() == MOST_ROWS && left > 1 { 60.0 } else { 0.0 };
            if x > 0.0 && x + width + more > room {
                if rows.len() == MOST_ROWS {
                    if let Some(row) = rows.last_mut() {
                        row.push((x, String::new(), format!("+{left} more")));
                    }
                    return rows;
                }
                rows.push(Vec::new());
                x = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((x, entry.color.clone(), label));
            }
            x += width;
        }
        rows
    }

    fn draw_rows(&mut self, rows: &[Vec<(f64, String, String)>], left: f64, top: f64) {
        for (row, entries) in rows.iter().enumerate() {
            for (x, color, label) in entries {
                self.entry((left + x, top + row as f64 * ROW), color, label);
            }
        }
    }

    /// Draws the entries below each other, at the right or left of an area, and returns how wide they are.
    fn column(&mut self, entries: &[Entry], area: Area, is_right: bool) -> f64 {
        let fitting = ((area.height / ROW).floor() as usize).max(1);
        let cut = entries.len() > fitting;
        let shown = if cut { fitting - 1 } else { entries.len() };
        let room = area.width - MARK - GAP;
        let mut lines: Vec<_> = entries[..shown]
            .iter()
            .map(|entry| (entry.color.clone(), words::fit(&entry.label, room, SMALL.size)))
            .collect();
        if cut {
            lines.push((String::new(), format!("+{} more", entries.len() - shown)));
        }
        let widest = lines.iter().map(|(_, label)| words::width(label, SMALL.size)).fold(0.0, f64::max);
        let width = (widest + MARK + GAP).min(area.width);
        let left = if is_right { area.right() - width } else { area.left };
        for (row, (color, label)) in lines.iter().enumerate() {
            self.entry((left, area.top + row as f64 * ROW), color, label);
        }
        width
    }

    fn entry(&mut self, (x, y): (f64, f64), color: &str, label: &str) {
        let indent = if color.is_empty() { 0.0 } else { MARK + GAP };
        if !color.is_empty() {
            self.canvas.rect((x, y + 1.0), (MARK, MARK), color);
        }
        let text = self.palette.text;
        self.canvas.text(x + indent, y + 10.0, Anchor::Start, SMALL, text, label);
    }
}
