//! Lines that open and close blocks for which Markdown has no form: `:::type {json}` and `:::`.

use crate::{Body, Kind};
use serde_json::{Map, Value};

const COLONS: &str = ":::";

/// The meaning of a line to the reader.
#[derive(Debug, PartialEq)]
pub(super) enum DirectiveLine {
    Open(Box<Body>),
    Close,
}

/// Reads a line that stands alone. Whatever is not written rightly is text, and so is a type that nobody knows.
pub(super) fn read(line: &str) -> Option<DirectiveLine> {
    let rest = line.trim().strip_prefix(COLONS)?;
    if rest.is_empty() {
        return Some(DirectiveLine::Close);
    }
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
    let (name, json) = rest.split_at(end);
    let kind = Kind::parse(name)?;
    let keys = match json.trim() {
        "" => Value::Object(Map::new()),
        json => serde_json::from_str::<Value>(json).ok().filter(Value::is_object)?,
    };
    // Each takes the keys it knows from those that stand side by side.
    let body = Body::read(kind, Some(&keys), Some(&keys), "").ok()?;
    Some(DirectiveLine::Open(Box::new(body)))
}

/// The line that opens a block.
pub(super) fn open(body: &Body) -> String {
    let said = body.content().iter().filter(|(_, value)| says_something(value));
    let keys = said.chain(body.properties()).map(|(key, value)| {
        let value = if key == "rows" { shortened(value) } else { value.clone() };
        (key.clone(), value)
    });
    let keys = keys.collect::<Map<_, _>>();
    let name = body.kind().name();
    if keys.is_empty() { format!("{COLONS}{name}") } else { format!("{COLONS}{name} {}", Value::Object(keys)) }
}

pub(super) const fn close() -> &'static str {
    COLONS
}

/// Whether a key is worth writing. Captions that are there and empty are another thing than none; texts and marks are always there.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => !values.is_empty(),
        _ => true,
    }
}

/// Cells without marks as plain texts.
fn shortened(rows: &Value) -> Value {
    let Value::Array(rows) = rows else { return rows.clone() };
    let cell = |cell: &Value| match (cell.get("text"), cell.get("marks")) {
        (Some(text), Some(Value::Array(marks))) if marks.is_empty() => text.clone(),
        _ => cell.clone(),
    };
    let row = |row: &Value| match row {
        Value::Array(cells) => Value::Array(cells.iter().map(cell).collect()),
        other => other.clone(),
    };
    Value::Array(rows.iter().map(row).collect())
}
