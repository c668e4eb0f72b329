//! The description in YAML, for readers of YAML 1.1 and 1.2 alike.

use super::Description;
use serde_json::{Map, Value};

/// Texts that YAML 1.1 reads as something else, in lower case.
const WORDS: &[&str] =
    &["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".inf", "+.inf", "-.inf", ".nan"];

/// The letters and signs of numbers in all bases, of dates and of times.
const OF_NUMBERS: &str = "0123456789abcdefABCDEFoOxX_.:+- tTzZ";

/// Marks a text that has to be quoted. It is written as [`WRITTEN_MARK`], because control characters are escaped. No
/// text of the description contains it.
const MARK: char = '\u{1}';
const WRITTEN_MARK: &str = "\"\\x01";

/// Writes the description.
///
/// The writer quotes what YAML 1.2 would not read as a text. Many readers follow YAML 1.1, for which the text
/// `2026-11-21` is a date and `no` is false. The writer has no setting for that, so such texts are marked before it
/// runs, and put into quotes afterwards.
pub(super) fn write(description: Description) -> String {
    let Description { openapi, info, servers, tags, paths, webhooks, components } = description;
    let with_marks = Description {
        openapi,
        info: marked(info),
        servers: marked(servers),
        tags: tags.into_iter().map(marked).collect(),
        paths: marked_fields(paths),
        webhooks: marked_fields(webhooks),
        components: marked(components),
    };
    // Plain data with text keys, so serializing it cannot fail.
    quoted(&yaml_serde::to_string(&with_marks).unwrap_or_default())
}

fn marked(value: Value) -> Value {
    match value {
        Value::String(text) => marked_text(text).into(),
        Value::Array(items) => items.into_iter().map(marked).collect(),
        Value::Object(fields) => marked_fields(fields).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn marked_fields(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (marked_text(name), marked(value))).collect()
}

fn marked_text(text: String) -> String {
    if is_ambiguous(&text) { format!("{MARK}{text}") } else { text }
}

/// Whether YAML 1.1 might read a text as something else. Where that takes a closer look, the answer is yes: quotes are
/// never wrong.
fn is_ambiguous(text: &str) -> bool {
    let is_like_number = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
        && text.chars().all(|letter| OF_NUMBERS.contains(letter));
    is_like_number || WORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// Puts the marked texts into quotes. They contain neither quotes nor backslashes.
fn quoted(yaml: &str) -> String {
    let mut pieces = yaml.split(WRITTEN_MARK);
    let mut quoted = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (text, rest) = piece.split_once('"').unwrap_or((piece, ""));
        quoted.extend(["'", text, "'", rest]);
    }
    quoted
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{openapi::openapi_yaml, v1::AREAS};
    use serde_json::json;

    /// The forms of numbers, dates and times in YAML 1.1, where 9 stands for any digits.
    const SHAPES: &[&str] =
        &["9", "9.", "9.9", ".9", "9.9e+9", "9.9e-9", "9.e+9", "9:9", "9:9.9", "9:9:9", "9:9:9.9", "9-9-9"];

    /// Whether YAML 1.1 reads a plain scalar as something else than a text.
    fn is_typed(text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
        let is_of_base = |prefix: &str, digits: &str| {
            let rest = unsigned.strip_prefix(prefix).filter(|rest| !rest.is_empty());
            rest.is_some_and(|rest| rest.chars().all(|digit| digits.contains(digit)))
        };
        let words = ["", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".nan"];
        words.contains(&lower.as_str())
            || unsigned == ".inf"
            || is_of_base("0x", "0123456789abcdef_")
            || is_of_base("0b", "01_")
            || SHAPES.contains(&shape(unsigned).as_str())
            || is_time(&lower)
    }

    /// A text with 9 in place of each row of digits.
    fn shape(text: &str) -> String {
        let mut shape = String::new();
        for letter in text.chars() {
            match letter {
                '0'..='9' | '_' if shape.ends_with('9') => {}
                '0'..='9' => shape.push('9'),
                other => shape.push(other),
            }
        }
        shape
    }

    /// Whether a text in lower case is a day with a time.
    fn is_time(lower: &str) -> bool {
        let Some((day, time)) = lower.split_once(['t', ' ', '\t']) else { return false };
        let time = time.trim_start().trim_end_matches('z').trim_end();
        let (time, zone) = time.find(['+', '-']).map_or((time, "9"), |at| (&time[..at], &time[at + 1..]));
        let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
        shape(day) == "9-9-9"
            && shape(time.trim_end()) == "9:9:9"
            && ["", "9"].contains(&shape(fraction).trim_end())
            && ["9", "9:9"].contains(&shape(zone).as_str())
    }

    /// The plain scalars of a text as the writer writes it: one key or value or both in each line, and texts of several
    /// lines below the line of their key.
    fn plain_scalars(yaml: &str) -> Vec<&str> {
        let mut found = Vec::new();
        // How far the key of a text of several lines is indented.
        let mut text_below: Option<usize> = None;
        for line in yaml.lines() {
            let mut content = line.trim_start();
            if text_below.is_some_and(|key| content.is_empty() || line.len() - content.len() > key) {
                continue;
            }
            while let Some(item) = content.strip_prefix("- ") {
                content = item.trim_start();
            }
            let indent = line.len() - content.len();
            let (key, value) = match content.strip_prefix(['\'', '"']) {
                Some(_) => ("'", content.split_once(": ").map_or("'", |(_, value)| value)),
                None => match content.strip_suffix(':') {
                    Some(key) => (key, "'"),
                    None => content.split_once(": ").unwrap_or(("'", content)),
                },
            };
            // The text of an item without a key begins below the item itself.
            let is_item = value == content;
            text_below = value.starts_with('|').then_some(indent.saturating_sub(usize::from(is_item)));
            found.extend([key, value].into_iter().filter(|scalar| !scalar.starts_with(['\'', '"', '|', '[', '{'])));
        }
        found
    }

    #[test]
    fn what_is_not_quoted_means_the_same_in_yaml_1_1() {
        let yaml = openapi_yaml(AREAS);
        let scalars = plain_scalars(&yaml);
        assert!(scalars.len() > 10_000 && scalars.contains(&"operationId"), "{}", scalars.len());
        for scalar in scalars {
            let is_json = serde_json::from_str::<Value>(scalar).is_ok();
            assert_eq!(is_typed(scalar), is_json, "{scalar} is something else in YAML 1.1");
        }
    }

    #[test]
    fn texts_that_look_like_something_else_are_quoted() {
        let texts = [
            "2026-11-21",
            "2026-11-21T09:30:00.000Z",
            "2026-11-21 09:30:00 +01:00",
            "12:30:00",
            "1:30",
            "0x1F",
            "0b11",
            "012",
            "0o17",
            "1_000",
            "+1",
            "-1.5",
            ".5",
            "1.",
            "1.5e+3",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "true",
            "Null",
            "~",
            "=",
            "<<",
            ".inf",
            "-.INF",
            ".NaN",
            "42",
        ];
        for text in texts {
            let description = Description { info: json!({ "a": text, text: "b" }), ..Description::of(&[]) };
            let yaml = write(description);
            assert!(yaml.contains(&format!("a: '{text}'\n")) && yaml.contains(&format!("'{text}': b\n")), "{yaml}");
            let read: Value = yaml_serde::from_str(&yaml).unwrap();
            assert_eq!(read["info"], json!({ "a": text, text: "b" }), "{text}");
        }
        for text in texts.iter().filter(|text| **text != "0o17") {
            assert!(is_typed(text), "the other test would not find {text}");
        }
    }

    #[test]
    fn other_texts_are_written_as_they_were() {
        for text in ["Ada", "listPages", "a: b", "# Plan", "nobody", "say \"yes\"", "two\nlines", "", "é"] {
            let info = json!({ "a": text, "b": [text, "1"] });
            let yaml = write(Description { info: info.clone(), ..Description::of(&[]) });
            let read: Value = yaml_serde::from_str(&yaml).unwrap();
            assert_eq!(read["info"], info);
        }
    }
}
