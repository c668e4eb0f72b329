//! Collects tables from the parser's events, cell by cell.

use super::inline::Picture;
use crate::{Body, RichText, grid};

#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<RichText>>,
    cells: usize,
    pictures: Vec<Picture>,
    /// Whether a cell was longer than the text of a block may be.
    is_overlong: bool,
}

impl Table {
    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn cell(&mut self, mut texts: Vec<RichText>, pictures: Vec<Picture>) {
        self.is_overlong |= texts.len() > 1;
        let text = if texts.is_empty() { RichText::default() } else { texts.swap_remove(0) };
        self.pictures.extend(pictures);
        self.cells += 1;
        if let Some(row) = self.rows.last_mut() {
            row.push(text);
        }
    }

    pub(super) const fn cells(&self) -> usize {
        self.cells
    }

    /// The blocks for the table and the images from its cells. `None` if no block can hold the table.
    pub(super) fn finish(mut self) -> Option<(Vec<Body>, Vec<Picture>)> {
        if self.is_overlong {
            return None;
        }
        // Markdown has no tables without a header row; an empty one stands for none.
        let has_head = self.rows.first().is_some_and(|head| head.iter().any(|cell| !cell.is_empty()));
        if !has_head && !self.rows.is_empty() {
            self.rows.remove(0);
        }
        Some((grid::tables(self.rows, has_head).ok()?, self.pictures))
    }
}
