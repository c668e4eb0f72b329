//! Lines that open and close blocks without an equivalent in Markdown: `:::type {json}` and `:::`.

use crate::{Body, Kind};
use serde_json::{Map, Value};

const COLONS: &str = ":::";

/// The meaning of a line for the parser.
#[derive(Debug, PartialEq)]
pub(super) enum DirectiveLine {
    Open(Box<Body>),
    Close,
}

/// Parses a line on its own. A malformed line or an unknown type is text.
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
    // Content and properties are written into one object; each takes the keys that it knows.
    let body = Body::read(kind, Some(&keys), Some(&keys), "").ok()?;
    Some(DirectiveLine::Open(Box::new(body)))
}

/// The line that opens a block.
pub(super) fn open(body: &Body) -> String {
    let said = body.content().iter().filter(|(_, value)| needs_writing(value));
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

/// Whether a key needs to be written. An empty caption is different from none; texts and marks always exist.
fn needs_writing(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => !values.is_empty(),
        _ => true,
    }
}

/// Writes cells without marks as plain texts.
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
