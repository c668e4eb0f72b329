//! Properties that the parser of JSON must have for any input. The fuzz target runs this with a nightly compiler, the
//! tests with random texts.

use super::json::{parse, parse_document};
use octavo_core_model::cancellation::Cancellation;
use serde_json::Value;

pub(super) fn json(sent: &[u8]) {
    let document = str::from_utf8(sent).ok().and_then(|text| parse_document(text, &Cancellation::default()).ok());
    let Ok(value) = parse(sent) else { return };
    let read_by_others = serde_json::from_slice::<Value>(sent).ok();
    assert!(read_by_others.is_some_and(|other| is_same(&other, &value)), "others read the same");
    assert_eq!(document.as_ref(), Some(&value), "a document may hold whatever a body may");
    assert!(depth(&value) <= 64);
    assert!(keys(&value) <= 10_000);
    assert!(has_no_nul(&value));
    assert_eq!(parse(value.to_string().as_bytes()).ok(), Some(value), "what is written reads the same");
}

/// Whether two values are the same; a number may be an integer in one and have a fraction of zero in the other.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| is_same(one, other)))
        }
        (one, other) => one == other,
    }
}

fn inner(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    }
}

fn depth(value: &Value) -> usize {
    let own = usize::from(value.is_array() || value.is_object());
    own + inner(value).into_iter().map(depth).max().unwrap_or_default()
}

fn keys(value: &Value) -> usize {
    value.as_object().map_or(0, serde_json::Map::len) + inner(value).into_iter().map(keys).sum::<usize>()
}

fn has_no_nul(value: &Value) -> bool {
    let of_texts = value.as_str().is_none_or(|text| !text.contains('\0'));
    let of_keys = value.as_object().is_none_or(|fields| fields.keys().all(|key| !key.contains('\0')));
    of_texts && of_keys && inner(value).into_iter().all(has_no_nul)
}
