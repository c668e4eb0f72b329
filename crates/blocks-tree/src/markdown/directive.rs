//! Lines that open and close blocks without an equivalent in Markdown: `:::type {json}` and `:::`.

use crate::{
    Body, Kind,
    body::{Cell, Part},
};
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
        "" => Map::new(),
        json => serde_json::from_str::<Map<String, Value>>(json).ok()?,
    };
    // Content and properties are written into one object; each takes the keys that it knows.
    let body = Body::from_keys(kind, keys).ok()?;
    Some(DirectiveLine::Open(Box::new(body)))
}

/// The line that opens a block.
pub(super) fn open(body: &Body) -> String {
    // Cells without marks are written as plain texts.
    let mut keys = body.parts(Cell::short);
    keys.retain(|_, part| needs_writing(part));
    keys.extend(body.properties().iter().map(|(key, value)| (key, Part::Field(value))));
    let name = body.kind().name();
    if keys.is_empty() {
        return format!("{COLONS}{name}");
    }
    // Maps with text keys can always be serialized.
    format!("{COLONS}{name} {}", serde_json::to_string(&keys).unwrap_or_default())
}

pub(super) const fn close() -> &'static str {
    COLONS
}

/// Whether a key needs to be written. An empty caption is different from none; texts and marks always exist.
const fn needs_writing(part: &Part<'_>) -> bool {
    match part {
        Part::Field(Value::Null) => false,
        Part::Field(Value::Array(values)) => !values.is_empty(),
        Part::Field(_) | Part::Text(_) => true,
        Part::Marks(marks) => !marks.is_empty(),
        Part::Rows(rows) => !rows.is_empty(),
    }
}
