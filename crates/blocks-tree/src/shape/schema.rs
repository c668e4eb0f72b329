//! The content and the properties of each type of block as JSON Schema, for the description of the API.

use super::{
    Field, Shape,
    rule::{Rule, rows_schema},
};
use crate::{
    Kind, RichText,
    rich_text::{LINK_MARK, MENTION_MARK, PLAIN_MARKS},
};
use serde_json::{Map, Value, json};

/// The things that a text can mention.
const MENTIONED: [&str; 4] = ["user", "team", "page", "database"];

/// The schemas of the parts of rich texts, which are alike for all types of blocks.
#[derive(Clone, Copy, Debug)]
pub struct TextSchemas<'a> {
    /// A mark.
    pub mark: &'a Value,
    /// A rich text in answers.
    pub shown: &'a Value,
    /// A rich text in requests.
    pub sent: &'a Value,
}

/// The content of a block of this type in requests: every key may be left out.
pub fn sent_content(kind: Kind, texts: TextSchemas<'_>) -> Value {
    let mut keys = sent_keys(Shape::of(kind).content);
    if kind.is_text() {
        keys.extend(text_keys(texts.mark));
    }
    if kind == Kind::Table {
        let cell = json!({ "anyOf": [{ "type": ["string", "null"] }, texts.sent] });
        keys.insert("rows".to_owned(), rows_schema(&cell));
    }
    json!({ "type": "object", "properties": keys })
}

/// The properties of a block of this type in requests.
pub fn sent_properties(kind: Kind) -> Value {
    json!({ "type": "object", "properties": sent_keys(Shape::of(kind).properties) })
}

/// The content of a block of this type in answers: every key is present.
pub fn shown_content(kind: Kind, texts: TextSchemas<'_>) -> Value {
    let shown = |field: &Field| {
        let schema = field.rule.schema();
        (field.name.to_owned(), if field.default.is_some() { schema } else { or_null(schema) })
    };
    let mut keys: Map<_, _> = Shape::of(kind).content.iter().map(shown).collect();
    if kind.is_text() {
        keys.extend(text_keys(texts.mark));
    }
    if kind == Kind::Table {
        keys.insert("rows".to_owned(), rows_schema(texts.shown));
    }
    let required: Vec<_> = keys.keys().cloned().collect();
    if kind == Kind::SyncedBlock {
        // The keys of its source stand beside its own.
        keys.insert("text".to_owned(), json!({ "type": ["string", "null"] }));
        keys.insert("marks".to_owned(), json!({ "type": "array", "items": texts.mark }));
    }
    let mut schema = json!({ "type": "object", "properties": keys });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The properties of a block of this type in answers: those that are set.
pub fn shown_properties(kind: Kind) -> Value {
    let keys = Shape::of(kind).properties.iter().map(|field| (field.name.to_owned(), field.rule.schema()));
    let mut keys: Map<_, _> = keys.collect();
    if kind == Kind::SyncedBlock {
        keys.insert("sourceSynced".to_owned(), json!({ "type": "boolean" }));
    }
    json!({ "type": "object", "properties": keys })
}

/// The content of a block whose type the request does not name: the keys of all types.
pub fn any_content(texts: TextSchemas<'_>) -> Value {
    together(Kind::ALL.iter().map(|kind| sent_content(*kind, texts)))
}

/// The properties of a block whose type the request does not name.
pub fn any_properties() -> Value {
    together(Kind::ALL.iter().map(|kind| sent_properties(*kind)))
}

/// Whether the content of this type can be sent as a plain text.
pub fn can_be_plain_text(kind: Kind) -> bool {
    kind.is_text() || matches!(kind, Kind::Code | Kind::Equation)
}

/// A rich text; in answers both keys are present.
pub fn rich_text(mark: &Value, is_shown: bool) -> Value {
    let properties = Map::from_iter(text_keys(mark));
    let mut schema = json!({ "type": "object", "properties": properties });
    if is_shown {
        schema["required"] = json!(["marks", "text"]);
    }
    schema
}

/// The kinds of marks: the values of `type`, and the schema of `attrs` if the kind has attributes.
pub fn marks() -> [(&'static [&'static str], Option<Value>); 3] {
    let link = json!({
        "type": "object",
        "properties": { "url": Rule::Url.schema() },
        "required": ["url"],
    });
    let mention = json!({
        "type": "object",
        "properties": {
            "mentionType": { "type": "string", "enum": MENTIONED },
            "mentionId": { "type": "string" },
        },
        "required": ["mentionType", "mentionId"],
    });
    [(&PLAIN_MARKS, None), (&[LINK_MARK], Some(link)), (&[MENTION_MARK], Some(mention))]
}

fn text_keys(mark: &Value) -> [(String, Value); 2] {
    [
        ("text".to_owned(), json!({ "type": "string", "maxLength": RichText::MAX_CHARS })),
        ("marks".to_owned(), json!({ "type": "array", "items": mark, "maxItems": RichText::MAX_MARKS })),
    ]
}

/// A key that is null counts as left out.
fn sent_keys(fields: &[Field]) -> Map<String, Value> {
    let named = fields.iter().filter(|field| !matches!(field.rule, Rule::Nothing));
    named.map(|field| (field.name.to_owned(), or_null(field.rule.schema()))).collect()
}

fn or_null(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    if let Some(kind) = schema.get_mut("type")
        && *kind != "null"
    {
        *kind = json!([kind.take(), "null"]);
    }
    schema
}

/// An object with the keys of all these objects. A key with several schemas accepts what one of them accepts.
fn together(objects: impl Iterator<Item = Value>) -> Value {
    let mut all: Map<String, Value> = Map::new();
    for mut object in objects {
        let Some(Value::Object(keys)) = object.get_mut("properties").map(Value::take) else { continue };
        for (name, schema) in keys {
            match all.get_mut(&name) {
                None => drop(all.insert(name, schema)),
                Some(known) if *known == schema => {}
                Some(known) => match known.get_mut("anyOf").and_then(Value::as_array_mut) {
                    Some(several) if several.contains(&schema) => {}
                    Some(several) => several.push(schema),
                    None => *known = json!({ "anyOf": [known.take(), schema] }),
                },
            }
        }
    }
    json!({ "type": "object", "properties": all })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::Body;
    use std::collections::BTreeSet;

    fn with_texts<T>(run: impl FnOnce(TextSchemas<'_>) -> T) -> T {
        let mark = json!({ "type": "object" });
        let (shown, sent) = (rich_text(&mark, true), rich_text(&mark, false));
        run(TextSchemas { mark: &mark, shown: &shown, sent: &sent })
    }

    /// A value that a schema accepts; for enumerations the one with this number.
    fn sample(schema: &Value, number: usize) -> Value {
        if let Some(words) = schema["enum"].as_array() {
            return words[number % words.len()].clone();
        }
        let kind = schema["type"].as_array().map_or(&schema["type"], |kinds| &kinds[0]);
        match kind.as_str().unwrap() {
            "string" => match schema["pattern"].as_str() {
                Some(COLOR_PATTERN) => ["red", "#fff", "#00ff00", "#00ff0080"][number % 4].into(),
                Some(pattern) => {
                    let prefix = pattern.trim_start_matches('^').split('[').next().unwrap();
                    format!("{prefix}01KAHQ5ZJ8T3M6N9P2R4S7V0WX").into()
                }
                None if schema["maxLength"].is_null() => "\u{1F680}".into(),
                None => "x".into(),
            },
            "integer" | "number" => schema[["minimum", "maximum"][number % 2]].clone(),
            "boolean" => [true, false][number % 2].into(),
            "array" => json!([]),
            kind => panic!("{kind} has no sample"),
        }
    }

    const COLOR_PATTERN: &str = "^(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z][0-9A-Za-z_-]{0,31})$";

    fn samples(object: &Value, number: usize) -> Value {
        let keys = object["properties"].as_object().unwrap();
        keys.iter().map(|(name, schema)| (name.clone(), sample(schema, number))).collect::<Map<_, _>>().into()
    }

    #[test]
    fn whatever_the_schemas_allow_is_read_and_kept() {
        for kind in Kind::ALL {
            for number in 0..5 {
                let content = with_texts(|texts| samples(&sent_content(*kind, texts), number));
                let properties = samples(&sent_properties(*kind), number);
                let read = Body::read(*kind, Some(content.clone()), Some(properties.clone()), "");
                let read = read.unwrap_or_else(|flaws| panic!("{kind}: {content} {properties}: {flaws:?}"));
                let kept = read.content();
                for (name, _) in content.as_object().unwrap().iter().filter(|(_, value)| !value.is_null()) {
                    assert!(kept.get(name).is_some_and(|value| !value.is_null()), "{kind} drops {name}");
                }
            }
        }
    }

    #[test]
    fn what_the_schemas_do_not_list_is_refused_or_dropped() {
        for kind in Kind::ALL {
            let schemas = [with_texts(|texts| sent_content(*kind, texts)), sent_properties(*kind)];
            for (part, schema) in ["content", "properties"].into_iter().zip(schemas) {
                for (name, key) in schema["properties"].as_object().unwrap() {
                    let name = name.as_str();
                    let wrong = match (&key["enum"], &key["maximum"]) {
                        (Value::Array(_), _) => json!("no such word"),
                        (_, Value::Number(most)) => json!(most.as_u64().unwrap() + 1),
                        _ => json!({ "no": "such thing" }),
                    };
                    let sent = Some(json!({ name: wrong }));
                    let (content, properties) = if part == "content" { (sent, None) } else { (None, sent) };
                    assert!(Body::read(*kind, content, properties, "").is_err(), "{kind} reads any {part}.{name}");
                }
            }
        }
    }

    #[test]
    fn an_empty_block_shows_the_required_keys_and_no_others() {
        for kind in Kind::ALL {
            let schema = with_texts(|texts| shown_content(*kind, texts));
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let required: BTreeSet<_> = required.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
            let empty = Body::empty(*kind).content();
            assert_eq!(empty.keys().cloned().collect::<BTreeSet<_>>(), required, "{kind}");
            for (name, value) in &empty {
                let kinds = &schema["properties"][name]["type"];
                let may_be_null =
                    kinds == "null" || kinds.as_array().is_some_and(|kinds| kinds.contains(&json!("null")));
                assert!(may_be_null || !value.is_null(), "{kind}.{name}");
            }
        }
    }

    #[test]
    fn every_listed_mark_is_read() {
        let attrs = |name: &str| match name {
            "link" => json!({ "url": "https://example.com" }),
            _ => json!({ "mentionType": "user", "mentionId": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" }),
        };
        for name in marks().iter().flat_map(|(names, _)| names.iter()) {
            let mark = json!({ "type": name, "from": 0, "to": 1, "attrs": attrs(name) });
            let content = json!({ "text": "a", "marks": [mark] });
            let read = Body::read(Kind::Paragraph, Some(content), None, "").unwrap();
            assert_eq!(read.text().unwrap().marks()[0].kind.name(), *name);
        }
    }
}
