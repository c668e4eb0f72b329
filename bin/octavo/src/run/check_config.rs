//! `octavo check-config`: every setting as it holds.

use crate::{settings::Effective, start::Ready};
use serde_json::{Value, json};

pub(super) fn report(ready: &Ready) -> String {
    if ready.json { as_json(&ready.effective) } else { as_text(&ready.effective) }
}

fn as_json(effective: &[Effective]) -> String {
    let one =
        |setting: &Effective| json!({ "name": setting.name, "value": setting.value, "source": setting.source.name() });
    let settings: Vec<Value> = effective.iter().map(one).collect();
    format!("{}\n", json!({ "data": settings }))
}

fn as_text(effective: &[Effective]) -> String {
    let shown = |setting: &Effective| setting.value.as_deref().map_or_else(|| "-".to_owned(), printable);
    let name_width = effective.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let source_width = effective.iter().map(|setting| setting.source.name().len()).max().unwrap_or(0);
    let line = |setting: &Effective| {
        format!("{:name_width$}  {:source_width$}  {}\n", setting.name, setting.source.name(), shown(setting))
    };
    effective.iter().map(line).collect()
}

/// One line, whatever a value holds.
fn printable(text: &str) -> String {
    let escape = |letter: char| {
        if letter.is_control() { letter.escape_default().collect() } else { letter.to_string() }
    };
    text.chars().map(escape).collect()
}
