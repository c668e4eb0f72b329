//! What each type accepts, refuses and shows. A type without a row fails.

use super::sample::{id_of, object, schema};
use crate::{
    Cell, PropertyType, Schema,
    cell::{CsvCell, Names, ShownCell},
    fault::{Refusal, ValuesFault},
    record::{Found, How, Lookups, Write, read},
    types::{Form, PropertyConfig, Storage},
    value::{PropertyValue, Values},
};
use octavo_core_model::{
    fault::Issue,
    id::{FileId, RecordId, UserId},
};
use serde_json::{Value, json};
use std::borrow::Cow;

const USER: &str = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const FILE: &str = "fil_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const RECORD: &str = "rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

/// A value as it is shown, its text in a table, plain values that mean the same, and wrong ones with their issues.
struct Row {
    shown: Value,
    text: &'static str,
    plain: Vec<Value>,
    wrong: Vec<(Value, Issue)>,
}

#[expect(clippy::unnecessary_wraps, reason = "most types have a row, and each row ends like this")]
fn row(shown: Value, text: &'static str, plain: Vec<Value>, wrong: Vec<(Value, Issue)>) -> Option<Row> {
    Some(Row { shown, text, plain, wrong })
}

/// `None` for types whose values callers cannot write.
#[expect(clippy::too_many_lines, reason = "a table with a row for each type")]
fn row_of(kind: PropertyType) -> Option<Row> {
    let long = |count: usize| "x".repeat(count);
    let text = |max: usize| {
        let shown = json!({ "text": "Hi", "marks": [{ "type": "bold", "from": 0, "to": 2 }] });
        let wrong = vec![
            (json!("Hi"), Issue::InvalidType),
            (json!({ "text": 5 }), Issue::InvalidType),
            (json!({}), Issue::InvalidType),
            (json!({ "text": long(max + 1) }), Issue::TooLong),
            (json!({ "text": "Hi", "marks": [{ "type": "bold", "from": 0, "to": 9 }] }), Issue::InvalidMark),
            (json!({ "text": "a\u{0}b" }), Issue::InvalidFormat),
        ];
        row(shown, "Hi", vec![], wrong)
    };
    let option = || {
        let wrong = vec![
            (json!({ "optionId": "Never" }), Issue::UnknownOption),
            (json!({ "optionId": ["opt-done"] }), Issue::InvalidType),
            (json!("opt-done"), Issue::InvalidType),
        ];
        row(json!({ "optionId": "opt-done" }), "Done", vec![json!("done "), json!(["opt-done"])], wrong)
    };
    let date = |shown: Value, text| {
        let wrong = vec![
            (json!({ "start": "2024-05-03", "end": "2024-05-01" }), Issue::InvalidValue),
            (json!({ "start": null, "end": "2024-05-01" }), Issue::InvalidValue),
            (json!({ "start": "2024-05-32" }), Issue::InvalidFormat),
            (json!({ "start": 5 }), Issue::InvalidType),
            (json!({ "end": null }), Issue::InvalidType),
            (json!("2024-05-01"), Issue::InvalidType),
        ];
        row(shown, text, vec![json!(text), json!(["2024-05-01", "2024-05-03T10:00:00Z"])], wrong)
    };
    let value_of_text = |value: &'static str, more: Vec<(Value, Issue)>| {
        let mut wrong = vec![(json!({ "value": 5 }), Issue::InvalidType), (json!(value), Issue::InvalidType)];
        wrong.extend(more);
        row(json!({ "value": value }), value, vec![json!(value)], wrong)
    };
    match kind {
        PropertyType::Title => text(300),
        PropertyType::Text | PropertyType::RichText => text(100_000),
        PropertyType::Number => row(
            json!({ "value": 1250.5 }),
            "1250.5",
            vec![json!(1250.5), json!("1,250.5"), json!(" +1250.50 "), json!("125050%")],
            vec![
                (json!({ "value": "1" }), Issue::InvalidType),
                (json!({ "value": true }), Issue::InvalidType),
                (json!(1), Issue::InvalidType),
            ],
        ),
        PropertyType::Select | PropertyType::Status => option(),
        PropertyType::MultiSelect => row(
            json!({ "optionIds": ["opt-later-maybe", "opt-done"] }),
            "Later, maybe, Done",
            vec![json!("later, MAYBE,Done"), json!(["Later, maybe", "opt-done", "Done"])],
            vec![
                (json!({ "optionIds": ["Never"] }), Issue::UnknownOption),
                (json!({ "optionIds": "opt-done" }), Issue::InvalidType),
                (json!({ "optionIds": vec!["opt-done"; 101] }), Issue::TooLong),
            ],
        ),
        PropertyType::Date => date(
            json!({ "start": "2024-05-01", "end": "2024-05-03T10:00:00.000Z", "dateTimeTimezone": null }),
            "2024-05-01/2024-05-03T10:00:00.000Z",
        ),
        PropertyType::DateRange => date(
            json!({ "start": "2024-05-01", "end": "2024-05-03T10:00:00.000Z" }),
            "2024-05-01/2024-05-03T10:00:00.000Z",
        ),
        PropertyType::Person => row(
            json!({ "userIds": [USER] }),
            "Ada",
            vec![json!(USER), json!("ada@example.com"), json!([USER, "Ada"])],
            vec![
                (json!({ "userIds": ["ada"] }), Issue::InvalidId),
                (json!({ "userIds": USER }), Issue::InvalidType),
                (json!({ "userIds": vec![USER; 101] }), Issue::TooLong),
            ],
        ),
        PropertyType::Email => value_of_text(
            "Ada@example.com",
            vec![
                (json!({ "value": "ada" }), Issue::InvalidFormat),
                (json!({ "value": format!("{}@example.com", long(254)) }), Issue::TooLong),
            ],
        ),
        PropertyType::Phone => value_of_text("+49 30 1234", vec![(json!({ "value": long(65) }), Issue::TooLong)]),
        PropertyType::Url => row(
            json!({ "value": "https://example.com/a", "title": null }),
            "https://example.com/a",
            vec![json!("https://example.com/a")],
            vec![
                (json!({ "value": "javascript:alert(1)" }), Issue::InvalidFormat),
                (json!({ "value": "https://example.com", "title": 5 }), Issue::InvalidType),
                (json!({ "value": format!("https://example.com/{}", long(2048)) }), Issue::TooLong),
            ],
        ),
        PropertyType::Checkbox => row(
            json!({ "value": true }),
            "true",
            vec![json!(true), json!(1), json!("Yes"), json!("x")],
            vec![(json!({ "value": "true" }), Issue::InvalidType), (json!(true), Issue::InvalidType)],
        ),
        PropertyType::Files => row(
            json!({ "fileIds": [FILE] }),
            FILE,
            vec![json!(FILE), json!([FILE])],
            vec![
                (json!({ "fileIds": [USER] }), Issue::InvalidId),
                (json!({ "fileIds": vec![FILE; 101] }), Issue::TooLong),
            ],
        ),
        PropertyType::Relation => row(
            json!({ "recordIds": [RECORD] }),
            "Acme",
            vec![json!(RECORD), json!("Acme"), json!("rec_01KAHQ5ZJ8T3M6N9P2R4S7V0WX")],
            vec![
                (json!({ "recordIds": [5] }), Issue::InvalidType),
                (json!({ "recordIds": ["acme"] }), Issue::InvalidId),
                (json!({ "recordIds": ["$acme"] }), Issue::InvalidId),
            ],
        ),
        PropertyType::CreatedTime
        | PropertyType::CreatedBy
        | PropertyType::LastEditedTime
        | PropertyType::LastEditedBy
        | PropertyType::Rollup
        | PropertyType::Formula
        | PropertyType::Button
        | PropertyType::UniqueId => None,
    }
}

struct Called;

impl Names for Called {
    fn user(&self, _: UserId) -> Option<Cow<'_, str>> {
        Some("Ada".into())
    }

    fn record(&self, _: RecordId) -> Option<Cow<'_, str>> {
        Some("Acme".into())
    }
}

fn found(schema: &Schema) -> Found {
    let user = UserId::EXAMPLE;
    let target = schema.relation_targets().next().unwrap_or(schema.database());
    Found {
        users: [user].into(),
        emails: std::iter::once(octavo_core_model::text::Email::from_stored("ada@example.com".to_owned()))
            .map(|email| (email, user))
            .collect(),
        user_names: [("ada".to_owned(), user)].into(),
        files: [FileId::EXAMPLE].into(),
        records: [(target, RecordId::EXAMPLE)].into(),
        titles: [((target, "Acme".to_owned()), vec![RecordId::EXAMPLE])].into(),
        ..Found::default()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "most callers make the value for the call")]
fn write(kind: PropertyType, sent: Value, form: Form) -> Result<(Values, Vec<RecordId>), ValuesFault> {
    let schema = schema();
    let sent = object(json!({ id_of(kind).to_string(): sent }));
    let read = read(&schema, sent, How { write: Write::Update, form, allows_references: false })?;
    let mut lookups = Lookups::default();
    lookups.add(&read);
    let mut values = Values::default();
    let resolved = read.resolve(&found(&schema), &values).map_err(ValuesFault::Refused)?;
    resolved.apply(&mut values);
    Ok((values, resolved.links.into_iter().flat_map(|(_, links)| links).collect()))
}

fn cell<'a>(schema: &Schema, kind: PropertyType, written: &'a (Values, Vec<RecordId>)) -> Cell<'a> {
    let slot = schema.property(id_of(kind)).map_or(0, |property| property.slot);
    match written.0.get(slot) {
        Some(value) => Cell::Value(value),
        None if written.1.is_empty() => Cell::Empty,
        None => Cell::Links(&written.1),
    }
}

fn shown(schema: &Schema, kind: PropertyType, cell: Cell<'_>) -> Value {
    let property = schema.property(id_of(kind)).unwrap_or_else(|| panic!("there is a {kind}"));
    json!(ShownCell { config: &property.config, cell })
}

fn for_each_writable(check: impl Fn(PropertyType, Row)) {
    for kind in PropertyType::ALL {
        let row = row_of(*kind);
        assert_eq!(row.is_some(), !kind.is_read_only(), "{kind}");
        if let Some(row) = row {
            check(*kind, row);
        }
    }
}

#[test]
fn there_are_twenty_four_types() {
    assert_eq!(PropertyType::ALL.len(), 24);
    for kind in PropertyType::ALL {
        assert!(kind.facts().description.ends_with('.'), "{kind} is described");
        assert!(kind.value_schema()["type"].as_str().is_some(), "{kind} has a schema of its values");
    }
}

#[test]
fn each_type_shows_what_was_written() {
    let schema = schema();
    for_each_writable(|kind, row| {
        let written = write(kind, row.shown.clone(), Form::Exact).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
        assert_eq!(shown(&schema, kind, cell(&schema, kind, &written)), row.shown, "{kind}");
        // What is shown is what the schema of its values describes.
        let keys = object(kind.value_schema()["properties"].clone());
        assert_eq!(keys.keys().collect::<Vec<_>>(), object(row.shown).keys().collect::<Vec<_>>(), "the keys of {kind}");
    });
}

#[test]
fn each_type_has_a_text_in_tables_that_reads_back() {
    let schema = schema();
    for_each_writable(|kind, row| {
        let written = write(kind, row.shown.clone(), Form::Exact).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
        let property = schema.property(id_of(kind)).unwrap_or_else(|| panic!("there is a {kind}"));
        let text = CsvCell::of(&property.config, cell(&schema, kind, &written), &Called);
        assert_eq!((&*text.text, text.is_number), (row.text, kind == PropertyType::Number), "{kind}");
        let again = write(kind, json!(text.text), Form::Any).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
        let again = CsvCell::of(&property.config, cell(&schema, kind, &again), &Called).text.into_owned();
        assert_eq!(again, row.text, "{kind}");
    });
}

#[test]
fn each_type_takes_plain_values_when_asked_to() {
    for_each_writable(|kind, row| {
        let expected = write(kind, row.shown, Form::Any);
        for plain in row.plain {
            assert_eq!(write(kind, plain.clone(), Form::Any), expected, "{kind} from {plain}");
        }
        assert_eq!(write(kind, json!(""), Form::Any), write(kind, Value::Null, Form::Exact), "{kind} from nothing");
    });
}

#[test]
fn each_type_refuses_what_it_cannot_hold() {
    for_each_writable(|kind, row| {
        for (sent, issue) in row.wrong.into_iter().chain([(json!([]), Issue::InvalidType)]) {
            let Err(ValuesFault::Invalid(flaws)) = write(kind, sent.clone(), Form::Exact) else {
                panic!("{kind} takes {sent}")
            };
            let found: Vec<_> = flaws.iter().map(|flaw| (flaw.field.as_str(), flaw.issue)).collect();
            assert_eq!(found, [(&*format!("properties.{}", id_of(kind)), issue)], "{kind}: {sent}");
        }
    });
}

#[test]
fn read_only_types_refuse_every_value() {
    for kind in PropertyType::ALL.iter().filter(|kind| kind.is_read_only()) {
        for sent in [Value::Null, json!({ "value": 1 }), json!("x")] {
            let expected = ValuesFault::Refused(vec![Refusal::ReadOnlyProperty(id_of(*kind))]);
            assert_eq!(write(*kind, sent, Form::Any), Err(expected), "{kind}");
        }
    }
}

#[test]
fn null_clears_and_unset_values_are_null() {
    let schema = schema();
    for_each_writable(|kind, _| {
        let written = write(kind, Value::Null, Form::Exact).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
        let expected = match kind {
            PropertyType::Title => json!({ "text": "", "marks": [] }),
            PropertyType::Checkbox => json!({ "value": false }),
            _ => Value::Null,
        };
        assert_eq!(shown(&schema, kind, cell(&schema, kind, &written)), expected, "{kind}");
        assert_eq!(shown(&schema, kind, Cell::Empty), expected, "{kind}");
    });
}

#[test]
fn a_value_is_kept_in_the_form_of_its_type() {
    for_each_writable(|kind, row| {
        let written = write(kind, row.shown, Form::Exact).unwrap_or_else(|fault| panic!("{kind}: {fault:?}"));
        let shapes: Vec<_> = written.0.iter().map(|(_, value)| value.shape()).collect();
        assert_eq!(shapes.first().copied(), kind.facts().shape(), "{kind}");
        assert_eq!(kind.facts().storage == Storage::Links, !written.1.is_empty(), "{kind}");
    });
}

#[test]
fn each_configuration_reads_back_from_its_stored_form() {
    for property in schema().properties() {
        let stored = property.config.to_json();
        assert_eq!(PropertyConfig::from_stored(property.kind(), stored.clone()).as_ref(), Some(&property.config));
        let keys = object(property.kind().config_schema()["properties"].clone());
        assert_eq!(keys.keys().collect::<Vec<_>>(), stored.keys().collect::<Vec<_>>(), "{}", property.kind());
    }
}

#[test]
fn options_that_are_gone_vanish_and_names_get_their_ids() {
    let schema = schema();
    let of = |value: PropertyValue| {
        let kind =
            if matches!(value, PropertyValue::Option(_)) { PropertyType::Select } else { PropertyType::MultiSelect };
        shown(&schema, kind, Cell::Value(&value))
    };
    let id = crate::options::OptionId::from_stored;
    assert_eq!(of(PropertyValue::Option(id("gone"))), Value::Null);
    assert_eq!(of(PropertyValue::Option(id("DONE"))), json!({ "optionId": "opt-done" }));
    assert_eq!(of(PropertyValue::Options(vec![id("gone"), id("To do")])), json!({ "optionIds": ["opt-to-do"] }));
}
