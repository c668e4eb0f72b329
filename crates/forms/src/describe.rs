//! What is sent and shown of forms, as JSON Schema.

use crate::kinds::validation_keys;
use octavo_core_model::{
    form::{FormStatus, QuestionType},
    id::FileId,
    text::{FormIntro, FormName, FormSlug, FormText, Placeholder, QuestionLabel},
};
use octavo_databases::{options::OptionColor, read::id_pattern};
use serde_json::{Map, Value, json};

/// The name of a form.
pub fn name() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": FormName::MAX })
}

/// The slug of a form.
pub fn slug() -> Value {
    let (min, max, pattern) = (FormSlug::MIN, FormSlug::MAX, FormSlug::PATTERN);
    json!({ "type": "string", "minLength": min, "maxLength": max, "pattern": pattern })
}

/// Whether a form takes answers.
pub fn status() -> Value {
    json!({ "type": "string", "enum": FormStatus::ALL })
}

/// The description of a form or a question.
pub fn description() -> Value {
    json!({ "type": ["string", "null"], "maxLength": FormText::MAX })
}

/// The settings of a form. In a change, null clears.
pub fn config() -> Value {
    let message = || json!({ "type": ["string", "null"], "maxLength": FormText::MAX });
    let accents: Vec<_> = OptionColor::ALL.iter().map(|color| json!(color)).chain([Value::Null]).collect();
    json!({
        "type": "object",
        "properties": {
            "accent": { "type": ["string", "null"], "enum": accents },
            "intro": { "type": ["string", "null"], "maxLength": FormIntro::MAX, "description": "Markdown." },
            "icon": { "type": ["string", "null"], "pattern": id_pattern(FileId::PREFIX) },
            "successMessage": message(),
            "closedMessage": message(),
            "poweredBy": { "type": ["boolean", "null"] },
            "recaptcha": {
                "type": ["object", "null"],
                "properties": { "enabled": { "type": "boolean" } },
                "required": ["enabled"],
                "additionalProperties": false,
            },
        },
        "additionalProperties": false,
    })
}

/// The type of a question.
pub fn question_type() -> Value {
    json!({ "type": "string", "enum": QuestionType::ALL })
}

/// What a question asks.
pub fn label() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": QuestionLabel::MAX })
}

/// What an empty field shows.
pub fn placeholder() -> Value {
    json!({ "type": ["string", "null"], "maxLength": Placeholder::MAX })
}

/// Which answers are accepted, for all types: which keys a type has is in the description.
pub fn validation() -> Value {
    let types = QuestionType::ALL.iter().map(|kind| match validation_keys(*kind) {
        [] => format!("`{kind}`: none"),
        keys => format!("`{kind}`: `{}`", keys.join("`, `")),
    });
    let description = format!("The keys depend on the type. {}.", types.collect::<Vec<_>>().join("; "));
    let keys = QuestionType::ALL.iter().flat_map(|kind| validation_keys(*kind));
    let keys: Map<String, Value> = keys.map(|key| ((*key).to_owned(), validation_key(key))).collect();
    json!({ "type": "object", "description": description, "properties": keys, "additionalProperties": false })
}

fn validation_key(key: &str) -> Value {
    let whole = |min: u32, max: u32| json!({ "type": "integer", "minimum": min, "maximum": max });
    match key {
        "minLength" => whole(0, 10_000),
        "maxLength" => whole(1, 100_000),
        "pattern" => json!({
            "type": "string",
            "minLength": 1,
            "maxLength": crate::pattern::Pattern::MAX,
            "description": "A regular expression without look-around and back-references. It matches anywhere unless it is anchored.",
        }),
        "integer" => json!({ "type": "boolean" }),
        "minDate" | "maxDate" => json!({ "type": "string", "format": "date" }),
        "options" => json!({
            "type": "array",
            "minItems": 1,
            "maxItems": 50,
            "items": { "type": "string", "minLength": 1, "maxLength": 50 },
        }),
        "default" => whole(1, 10),
        "maxFiles" => whole(1, 5),
        "maxBytes" => whole(1, 500 << 20),
        "max" => json!({ "type": "number", "description": "For `RATING` a whole number from 5 to 10." }),
        _ => json!({ "type": "number" }),
    }
}
