//! Tables from documents.

use crate::{Body, RichText, body::Cells};

/// How many rows a block may have, and how many cells a row may have.
const MOST_ROWS: usize = 500;
const MOST_CELLS: usize = 50;

/// The blocks for the rows; several if there are too many rows for one. Short rows are filled up. Returns the rows
/// if no block can hold them.
pub(crate) fn tables(mut rows: Vec<Vec<RichText>>, has_head: bool) -> Result<Vec<Body>, Vec<Vec<RichText>>> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if width > MOST_CELLS {
        return Err(rows);
    }
    for row in &mut rows {
        row.resize_with(width, RichText::default);
    }
    let mut bodies = Vec::new();
    let mut has_head = has_head;
    let mut left = rows.into_iter();
    loop {
        let part: Vec<_> = left.by_ref().take(MOST_ROWS).collect();
        if part.is_empty() && !bodies.is_empty() {
            return Ok(bodies);
        }
        has_head &= bodies.is_empty();
        bodies.push(Body::table(Cells::new(part), has_head));
    }
}
