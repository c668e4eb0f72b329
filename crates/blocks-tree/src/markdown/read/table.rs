//! Tables as the parser tells them cell by cell.

use super::inline::Picture;
use crate::{Body, Kind, RichText};
use serde_json::{Map, Value};

/// The most rows and cells of a row that a block holds.
const MOST_ROWS: usize = 500;
const MOST_CELLS: usize = 50;

#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<RichText>>,
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
        if let Some(row) = self.rows.last_mut() {
            row.push(text);
        }
    }

    /// The blocks it makes, several where it has more rows than one may have, and the pictures out of its cells.
    /// Nothing where no block can hold it.
    pub(super) fn finish(self) -> Option<(Vec<Body>, Vec<Picture>)> {
        let is_wide = self.rows.iter().any(|row| row.len() > MOST_CELLS);
        if is_wide || self.is_overlong {
            return None;
        }
        // Markdown has no tables without a head; an empty one stands for none.
        let has_head = self.rows.first().is_some_and(|head| head.iter().any(|cell| !cell.is_empty()));
        let mut rows = self.rows;
        if !has_head && !rows.is_empty() {
            rows.remove(0);
        }
        let mut bodies = Vec::new();
        let mut left = rows.into_iter().peekable();
        while left.peek().is_some() {
            let part = left.by_ref().take(MOST_ROWS).collect::<Vec<_>>();
            bodies.push(body(&part, has_head && bodies.is_empty()));
        }
        if bodies.is_empty() {
            bodies.push(body(&[], false));
        }
        Some((bodies, self.pictures))
    }
}

fn body(rows: &[Vec<RichText>], has_head: bool) -> Body {
    let cell = |cell: &RichText| Value::Object(cell.to_json());
    let rows = rows.iter().map(|row| Value::Array(row.iter().map(cell).collect()));
    let content = [("rows", Value::Array(rows.collect())), ("headerRow", Value::Bool(has_head))];
    let content = content.map(|(key, value)| (key.to_owned(), value));
    Body::from_stored(Kind::Table, Map::from_iter(content), Map::new())
}
