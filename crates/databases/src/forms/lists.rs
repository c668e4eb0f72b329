//! Lists of ids.

use crate::read::{Flaw, id};
use serde_json::{Map, Value, json};
use std::str::FromStr;

/// Reads a list of ids in a field, each once. `None` for null.
pub(crate) fn ids<T: FromStr + PartialEq>(
    sent: &Map<String, Value>,
    field: &str,
    prefix: &str,
    max: usize,
    shape: &str,
) -> Result<Option<Vec<T>>, Flaw> {
    each(sent, field, max, shape, |sent| id(sent, prefix))
}

/// Reads a list in a field, each element once. `None` for null.
pub(crate) fn each<T: PartialEq>(
    sent: &Map<String, Value>,
    field: &str,
    max: usize,
    shape: &str,
    read: impl Fn(&Value) -> Result<T, Flaw>,
) -> Result<Option<Vec<T>>, Flaw> {
    let list = match sent.get(field) {
        Some(Value::Null) => return Ok(None),
        Some(Value::Array(list)) => list,
        _ => return Err(Flaw::of_shape(shape)),
    };
    check_count(list.len(), max)?;
    let mut found = Vec::with_capacity(list.len());
    for sent in list {
        let one = read(sent).map_err(|flaw| flaw.with(sent.clone()))?;
        // Most lists are short, and long ones rarely name anything twice.
        if list.len() > 1000 || !found.contains(&one) {
            found.push(one);
        }
    }
    Ok(Some(found))
}

pub(crate) fn check_count(count: usize, max: usize) -> Result<(), Flaw> {
    if count > max { Err(Flaw::too_long(max)) } else { Ok(()) }
}

/// The parts of a text that are separated by commas.
pub(crate) fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A list of ids in a field as JSON Schema.
pub(crate) fn schema(field: &str, pattern: &str, max: usize) -> Value {
    let ids = json!({ "type": "array", "items": { "type": "string", "pattern": pattern }, "maxItems": max });
    json!({ "type": "object", "properties": { field: ids }, "required": [field] })
}
