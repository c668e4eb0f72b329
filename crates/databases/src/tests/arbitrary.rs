//! Whatever is sent is read or refused, and nothing panics.

use super::sample::{NOW, database, id, object, schemas, with_inputs};
use crate::{
    PropertyType,
    record::{Found, How, Lookups, Write, read},
    schema::{PropertyDraft, read_drafts},
    stored::decode,
    types::Form,
    value::Values,
};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Map, Value, json};

/// Keys and texts that readers know, so that most of what is sent gets past the first check.
const WORDS: &[&str] = &[
    "text",
    "marks",
    "value",
    "optionId",
    "optionIds",
    "start",
    "end",
    "dateTimeTimezone",
    "userIds",
    "fileIds",
    "title",
    "recordIds",
    "options",
    "groups",
    "id",
    "name",
    "color",
    "type",
    "config",
    "actions",
    "default",
    "required",
    "position",
    "expression",
    "prop(\"number\")",
    "prop('",
    "opt-done",
    "Done",
    "red",
    "2024-05-01",
    "2024-05-01T10:00:00Z",
    "/",
    "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    "$a",
    "true",
    "12.5",
    "1,000%",
    "",
    ",,",
    "a@b.co",
    "https://example.com",
    "\u{0}",
    "\u{1f600}",
    "\u{202e}",
    "Europe/Berlin",
    "targetDatabaseId",
    "cardinality",
    "set_property",
];

fn json() -> impl Strategy<Value = Value> {
    let word = || select(WORDS).prop_map(|word| (*word).to_owned());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((word(), inner), 0..5).prop_map(Value::from_iter),
        ]
    })
}

fn fields() -> impl Strategy<Value = Map<String, Value>> {
    vec((select(WORDS), json()), 0..6)
        .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #[test]
    fn any_value_is_read_or_refused(number in 0_u8..24, sent in json(), is_plain: bool, is_new: bool) {
        let schemas = schemas();
        let Some(schema) = schemas.get(database(1)) else { panic!("it was created") };
        let how = How {
            write: if is_new { Write::Create } else { Write::Update },
            form: if is_plain { Form::Any } else { Form::Exact },
            allows_references: is_new,
        };
        if let Ok(read) = read(schema, object(json!({ id(number).to_string(): sent })), how) {
            Lookups::default().add(&read);
            let _ = read.resolve(&Found::default(), &Values::default());
        }
    }

    #[test]
    fn any_configuration_is_read_or_refused(kind in select(PropertyType::ALL), mut sent in fields(), config in fields()) {
        sent.insert("type".to_owned(), json!(kind));
        sent.insert("name".to_owned(), json!("New"));
        sent.insert("config".to_owned(), Value::Object(config.clone()));
        if let Ok(draft) = with_inputs(210, |inputs| PropertyDraft::read(sent, "", inputs)) {
            let _ = schemas().add(database(1), id(220), draft, NOW);
        }
        let _ = crate::PropertyConfig::from_stored(kind, config);
    }

    #[test]
    fn any_change_is_made_or_refused(number in 0_u8..24, mut sent in fields(), config in fields()) {
        sent.insert("config".to_owned(), Value::Object(config));
        let _ = with_inputs(210, |inputs| schemas().change(database(1), id(number), sent, inputs, NOW));
    }

    #[test]
    fn any_list_of_properties_is_read_or_refused(sent in json()) {
        let _ = with_inputs(210, |inputs| read_drafts(Some(sent), inputs));
    }

    #[test]
    fn any_text_is_decoded_or_refused(values in vec((0_u32..30, json()), 0..6), text in ".{0,20}") {
        let schemas = schemas();
        let Some(schema) = schemas.get(database(1)) else { panic!("it was created") };
        let bag: Map<_, _> = values.into_iter().map(|(slot, value)| (slot.to_string(), value)).collect();
        let _ = decode(&Value::Object(bag).to_string(), schema);
        let _ = decode(&text, schema);
    }
}
