//! One log line, as text or as a JSON object.

use octavo_core_model::Timestamp;
use serde_json::Value;
use std::fmt::Write;
use tracing::{
    Level,
    field::{Field, Visit},
};

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
}

/// The fields of an event and of the surrounding spans. A field that is set again keeps its place and gets the later
/// value.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<(&'static str, Value)>);

/// The field in which tracing puts the text of an event.
const MESSAGE: &str = "message";

/// Names that are already used in each JSON line.
const TAKEN: [&str; 4] = ["ts", "level", "msg", "target"];

impl Fields {
    fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    pub(super) fn join(&mut self, later: &Self) {
        for (name, value) in &later.0 {
            self.set(name, value.clone());
        }
    }

    fn message(&self) -> &str {
        self.0.iter().find(|(name, _)| *name == MESSAGE).and_then(|(_, text)| text.as_str()).unwrap_or_default()
    }

    fn others(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let others = self.0.iter().filter(|(name, _)| *name != MESSAGE && !TAKEN.contains(name));
        others.map(|(name, value)| (*name, value))
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.set(field.name(), Value::String(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), Value::from(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), Value::from(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), Value::from(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field.name(), Value::from(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field.name(), Value::from(value));
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

/// Writes a line with its line break.
pub(super) fn write(form: Form, at: Timestamp, level: Level, target: &str, fields: &Fields) -> String {
    let mut line = String::with_capacity(256);
    match form {
        Form::Json => write_json(&mut line, at, level, target, fields),
        Form::Text => write_text(&mut line, at, level, target, fields),
    }
    line.push('\n');
    line
}

fn write_json(line: &mut String, at: Timestamp, level: Level, target: &str, fields: &Fields) {
    let level = level_name(level);
    let (message, target) = (Value::from(fields.message()), Value::from(target));
    // Writing to a string cannot fail.
    let _ = write!(line, r#"{{"ts":"{at}","level":"{level}","msg":{message},"target":{target}"#);
    for (name, value) in fields.others() {
        let _ = write!(line, ",{}:{value}", Value::from(name));
    }
    line.push('}');
}

fn write_text(line: &mut String, at: Timestamp, level: Level, target: &str, fields: &Fields) {
    let _ = write!(line, "{at} {:5} {target}: ", level_name(level));
    push_printable(line, fields.message());
    for (name, value) in fields.others() {
        let _ = write!(line, " {name}=");
        match value {
            Value::String(text) if is_plain(text) => line.push_str(text),
            value => push_printable(line, &value.to_string()),
        }
    }
}

/// Whether a value needs no quotes.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '"' | '='))
}

/// A control character must neither break the line nor control the terminal.
fn push_printable(line: &mut String, text: &str) {
    for letter in text.chars() {
        if letter.is_control() { line.extend(letter.escape_default()) } else { line.push(letter) }
    }
}
