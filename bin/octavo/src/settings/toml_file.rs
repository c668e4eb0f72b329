//! The TOML file: native values are converted to the text that a variable would have.

use super::{kinds::Shape, raw::Raw};
use anyhow::{Context as _, Result, anyhow};
use toml::{Table, Value};

/// The keys of a file with their values; a table has no value.
pub(super) fn entries(content: &[u8]) -> Result<Vec<(String, Option<Raw>)>> {
    let text = std::str::from_utf8(content).ok().context("is not UTF-8")?;
    // The parser's message may quote the line, which may contain a secret, so only the position is reported.
    let table: Table = toml::from_str(text).map_err(|error: toml::de::Error| match error.span() {
        Some(span) => anyhow!("is not TOML: see line {}", line_of(text, span.start)),
        None => anyhow!("is not TOML"),
    })?;
    Ok(table.into_iter().map(|(key, value)| (key, raw(value))).collect())
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

fn raw(value: Value) -> Option<Raw> {
    let (text, shape) = match value {
        Value::String(text) => (text, Shape::Text),
        Value::Integer(number) => (number.to_string(), Shape::Number),
        Value::Boolean(truth) => (truth.to_string(), Shape::Boolean),
        Value::Array(items) => match joined(&items) {
            Some(text) => (text, Shape::List),
            None if items.iter().any(holds_table) => return None,
            None => (String::new(), Shape::Foreign),
        },
        Value::Float(_) | Value::Datetime(_) => (String::new(), Shape::Foreign),
        Value::Table(_) => return None,
    };
    Some(Raw { bytes: text.into_bytes(), shape })
}

fn holds_table(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(items) => items.iter().any(holds_table),
        _ => false,
    }
}

/// A list of texts, joined as in a variable. An item with a comma would become two, and an empty one would vanish.
fn joined(items: &[Value]) -> Option<String> {
    let texts: Option<Vec<&str>> = items.iter().map(|item| item.as_str().filter(|text| !text.contains(','))).collect();
    texts.filter(|texts| texts.iter().all(|text| !text.trim().is_empty())).map(|texts| texts.join(","))
}
