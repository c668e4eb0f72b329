//! Tables from documents.

use crate::{Body, Kind, RichText};
use serde_json::{Map, Value};

/// How many rows a block may have, and how many cells a row may have.
const MOST_ROWS: usize = 500;
const MOST_CELLS: usize = 50;

/// The blocks for the rows; several if there are too many rows for one. Short rows are filled up. `None` if no block
/// can hold the rows.
pub(crate) fn tables(mut rows: Vec<Vec<RichText>>, has_head: bool) -> Option<Vec<Body>> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    if width > MOST_CELLS {
        return None;
    }
    for row in &mut rows {
        row.resize_with(width, RichText::default);
    }
    let parts = rows.chunks(MOST_ROWS).enumerate().map(|(index, part)| body(part, has_head && index == 0));
    let bodies = parts.collect::<Vec<_>>();
    Some(if bodies.is_empty() { vec![body(&[], false)] } else { bodies })
}

fn body(rows: &[Vec<RichText>], has_head: bool) -> Body {
    let cell = |cell: &RichText| Value::Object(cell.to_json());
    let rows = rows.iter().map(|row| Value::Array(row.iter().map(cell).collect()));
    let content = [("rows", Value::Array(rows.collect())), ("headerRow", Value::Bool(has_head))];
    let content = content.map(|(key, value)| (key.to_owned(), value));
    Body::from_stored(Kind::Table, Map::from_iter(content), Map::new())
}
