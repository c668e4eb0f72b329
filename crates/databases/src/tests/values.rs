//! Writing records: what is required, defaults, new options, keys; and the stored form.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::sample::{create, database, id, id_of, object, schema};
use crate::{
    PropertyType, PropertyValue, Schema, Schemas, Values,
    fault::{Refusal, ValuesFault},
    options::OptionId,
    record::{Found, How, Lookups, MatchKey, ReadValues, Write, read, read_texts},
    stored::{decode, decode_one, encode, encode_one},
    types::Form,
    value::{Date, DateRange, Day, Moment, Number, Shape, WebLink},
};
use octavo_blocks_tree::{Mark, MarkKind, RichText};
use octavo_core_model::{
    Timestamp,
    fault::Issue,
    id::{FileId, RecordId, UserId},
    text::TimeZone,
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};

fn crm(more: &Value) -> Schema {
    let mut schemas = Schemas::default();
    let mut all = vec![json!({ "name": "Name", "type": "title" })];
    all.extend(more.as_array().cloned().unwrap_or_default());
    create(&mut schemas, 1, 0, Value::Array(all));
    schemas.get(database(1)).cloned().unwrap_or_else(|| panic!("it was created"))
}

fn sent(values: &[(u8, Value)]) -> serde_json::Map<String, Value> {
    values.iter().map(|(number, value)| (id(*number).to_string(), value.clone())).collect()
}

fn how(write: Write, form: Form) -> How {
    How { write, form, allows_references: false }
}

fn issues(read: Result<ReadValues, ValuesFault>) -> Vec<(String, Issue)> {
    match read {
        Err(ValuesFault::Invalid(flaws)) => flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect(),
        other => panic!("{other:?}"),
    }
}

fn field(number: u8) -> String {
    format!("properties.{}", id(number))
}

#[test]
fn an_empty_cell_below_the_title_is_an_empty_title() {
    let schema = crm(&json!([{ "name": "Note", "type": "text" }]));
    let row = schema.properties().iter().map(|property| (property, " "));
    let mut values = Values::default();
    read_texts(&schema, row, Write::Create).unwrap().resolve(&Found::default(), &values).unwrap().apply(&mut values);
    assert_eq!(encode(&values), r#"{"1":""}"#);
}

#[test]
fn a_cell_that_looks_like_a_label_is_a_title() {
    let relation = json!({ "targetDatabaseId": database(1), "cardinality": "many_to_many" });
    let schema = crm(&json!([{ "name": "Next", "type": "relation", "config": relation }]));
    let row = schema.properties().iter().zip(["A", "$100"]);
    let read = read_texts(&schema, row, Write::Create).unwrap();
    let mut lookups = Lookups::default();
    lookups.add(&read);
    assert_eq!(Vec::from_iter(lookups.titles), [(database(1), "$100".to_owned())]);
}

#[test]
fn a_new_record_has_a_title_and_what_is_required() {
    let schema = crm(&json!([
        { "name": "Owner", "type": "text", "required": true },
        { "name": "Stage", "type": "select", "required": true, "config": { "options": [{ "name": "New" }] },
          "default": { "optionId": "opt-new" } },
    ]));
    let create = how(Write::Create, Form::Exact);
    let expected = [(field(0), Issue::Required), (field(1), Issue::Required)];
    assert_eq!(issues(read(&schema, sent(&[]), create)), expected);
    let empty = sent(&[(0, json!(null)), (1, json!({ "text": "" })), (2, json!(null))]);
    let expected = [(field(0), Issue::Required), (field(1), Issue::Required), (field(2), Issue::Required)];
    assert_eq!(issues(read(&schema, empty, create)), expected);
    let whole = sent(&[(0, json!({ "text": "" })), (1, json!({ "text": "Ada" }))]);
    let read_values = read(&schema, whole, create).unwrap_or_else(|fault| panic!("{fault:?}"));
    let mut values = Values::default();
    let resolved = read_values.resolve(&Found::default(), &values).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(resolved.apply(&mut values).len(), 3);
    assert_eq!(encode(&values), r#"{"1":"","2":"Ada","3":"opt-new"}"#);
    // An update leaves out what it does not change.
    let update = how(Write::Update, Form::Exact);
    assert!(read(&schema, sent(&[]), update).is_ok());
    assert_eq!(issues(read(&schema, sent(&[(1, json!(null))]), update)), [(field(1), Issue::Required)]);
}

#[test]
fn every_flaw_is_listed_before_anything_else_is_refused() {
    let schema = schema();
    let number = id_of(PropertyType::Number).to_string();
    let formula = id_of(PropertyType::Formula).to_string();
    let wrong = object(json!({ &number: 5, &formula: 1, "prop_none": 1, "number": 1 }));
    let found = issues(read(&schema, wrong, how(Write::Update, Form::Exact)));
    let expected = [
        (format!("properties.{number}"), Issue::InvalidType),
        ("properties.number".to_owned(), Issue::UnknownField),
        ("properties.prop_none".to_owned(), Issue::UnknownField),
    ];
    let mut sorted = found;
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(sorted, {
        let mut all = expected.to_vec();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    });
}

#[test]
fn names_without_an_option_become_options_when_plain_values_are_taken() {
    let schema =
        crm(&json!([{ "name": "Tags", "type": "multi_select", "config": { "options": [{ "name": "Red" }] } }]));
    let tags = sent(&[(1, json!("red, Blue, BLUE, a b"))]);
    let read_values =
        read(&schema, tags.clone(), how(Write::Update, Form::Any)).unwrap_or_else(|fault| panic!("{fault:?}"));
    let new = read_values.new_options();
    let names: Vec<_> = new[0].options.iter().map(|option| (option.id.as_str(), option.name.as_str())).collect();
    assert_eq!((new[0].property, names), (id(1), vec![("opt-blue", "Blue"), ("opt-a-b", "a b")]));
    let mut schemas: Schemas = [schema.clone()].into_iter().collect();
    let effects = schemas.add_options(database(1), new).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(effects.databases(), [database(1)]);
    let schema_after = schemas.get(database(1)).cloned().unwrap_or_else(|| panic!("it is there"));
    let again = read(&schema_after, tags, how(Write::Update, Form::Any)).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert!(again.new_options().is_empty());
    let mut values = Values::default();
    let resolved = again.resolve(&Found::default(), &values).unwrap_or_else(|fault| panic!("{fault:?}"));
    resolved.apply(&mut values);
    assert_eq!(encode(&values), r#"{"2":["opt-red","opt-blue","opt-a-b"]}"#);
}

#[test]
fn what_nobody_finds_is_refused_but_what_is_stored_may_stay() {
    let schema = schema();
    let (person, file) = (id_of(PropertyType::Person).to_string(), id_of(PropertyType::Files).to_string());
    let relation = id_of(PropertyType::Relation).to_string();
    let values = object(json!({
        &person: { "userIds": [UserId::EXAMPLE] },
        &file: { "fileIds": [FileId::EXAMPLE] },
        &relation: { "recordIds": [RecordId::EXAMPLE, "$new"] },
    }));
    let how = How { allows_references: true, ..how(Write::Update, Form::Exact) };
    let read_values = read(&schema, values, how).unwrap_or_else(|fault| panic!("{fault:?}"));
    let mut lookups = Lookups::default();
    lookups.add(&read_values);
    assert_eq!((lookups.users.len(), lookups.files.len(), lookups.records.len()), (1, 1, 1));
    let refused = read_values.clone().resolve(&Found::default(), &Values::default());
    let expected = [
        Refusal::UnknownPrincipal(id_of(PropertyType::Person)),
        Refusal::UnknownFile(id_of(PropertyType::Files)),
        Refusal::RelationIntegrity(id_of(PropertyType::Relation)),
    ];
    assert_eq!(refused, Err(expected.to_vec()));
    let slot = |kind| schema.property(id_of(kind)).map_or(0, |property| property.slot);
    let stored = Values::from_iter([
        (slot(PropertyType::Person), PropertyValue::Persons(vec![UserId::EXAMPLE])),
        (slot(PropertyType::Files), PropertyValue::Files(vec![FileId::EXAMPLE])),
    ]);
    let target = database(2);
    let found = Found {
        records: [(target, RecordId::EXAMPLE)].into(),
        references: [("new".to_owned(), (target, RecordId::LOWEST))].into(),
        ..Found::default()
    };
    let resolved = read_values.resolve(&found, &stored).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(resolved.links, [(id_of(PropertyType::Relation), vec![RecordId::EXAMPLE, RecordId::LOWEST])]);
    assert!(resolved.apply(&mut stored.clone()).is_empty(), "nothing changed");
}

#[test]
fn a_title_that_several_records_have_names_none_of_them() {
    let schema = schema();
    let relation = id_of(PropertyType::Relation);
    let sent = object(json!({ relation.to_string(): "A, B" }));
    let read_values = read(&schema, sent, how(Write::Update, Form::Any)).unwrap_or_else(|fault| panic!("{fault:?}"));
    let one = |title: &str, ids: Vec<RecordId>| ((database(2), title.to_owned()), ids);
    let resolve = |titles: Vec<_>| {
        let found = Found { titles: titles.into_iter().collect(), ..Found::default() };
        read_values.clone().resolve(&found, &Values::default()).map(|resolved| resolved.links[0].1.clone())
    };
    let (a, b) = (RecordId::LOWEST, RecordId::EXAMPLE);
    assert_eq!(resolve(vec![one("A", vec![a]), one("B", vec![b])]), Ok(vec![a, b]));
    assert_eq!(resolve(vec![one("A, B", vec![b]), one("A", vec![a])]), Ok(vec![b]));
    assert_eq!(resolve(vec![one("A", vec![a, b]), one("B", vec![b])]), Err(vec![Refusal::AmbiguousMatch(relation)]));
    assert_eq!(resolve(vec![one("A", vec![a])]), Err(vec![Refusal::RelationIntegrity(relation)]));
}

#[test]
fn records_are_found_by_texts_whatever_their_case() {
    let text = |text: &str| MatchKey::of(&PropertyValue::Text(text.to_owned()));
    assert_eq!(text(" Ada@Example.com "), MatchKey::of(&PropertyValue::RichText(RichText::plain("ada@example.COM"))));
    assert_ne!(text("Ada"), text("Bob"));
    let options =
        |ids: &[&str]| MatchKey::of(&PropertyValue::Options(ids.iter().map(|id| OptionId::from_stored(id)).collect()));
    assert_eq!(options(&["a", "b"]), options(&["b", "a"]));
    assert_ne!(options(&["a"]), options(&["a", "b"]));
}

#[test]
fn the_stored_form_is_compact_and_forgives_what_is_gone() {
    let schema = schema();
    let slot = |kind| schema.property(id_of(kind)).map_or(0, |property| property.slot);
    let values = Values::from_iter([
        (slot(PropertyType::Text), PropertyValue::RichText(RichText::plain("plain"))),
        (slot(PropertyType::Number), Number::new(12.5).map_or(PropertyValue::Checkbox(true), PropertyValue::Number)),
        (slot(PropertyType::Select), PropertyValue::Option(OptionId::from_stored("opt-done"))),
    ]);
    let text = encode(&values);
    assert_eq!(text, r#"{"2":"plain","4":12.5,"5":"opt-done"}"#);
    assert_eq!(decode(&text, &schema), Ok(values));
    let stale = r#"{"2":5,"4":"x","5":"gone","6":["gone","Done"],"900":{"a":[1]},"14":true,"20":["x"]}"#;
    let read = decode(stale, &schema).unwrap_or_default();
    assert_eq!(encode(&read), r#"{"6":["opt-done"],"14":true}"#);
    for broken in ["", "[]", "{\"x\":1}", "{\"2\":\"a\"", "{} {}"] {
        assert!(decode(broken, &schema).is_err(), "{broken}");
    }
}

fn moment() -> impl Strategy<Value = Moment> {
    prop_oneof![
        (-62_167_219_200_000_i64..253_402_300_799_999)
            .prop_map(|millis| Moment::Instant(Timestamp::from_millis(millis))),
        (0..9999_i32, 1..366_u32).prop_map(|(year, day)| {
            let date = chrono::NaiveDate::from_yo_opt(year, day).and_then(Day::new);
            date.map_or(Moment::Instant(Timestamp::from_millis(0)), Moment::Day)
        }),
    ]
}

fn span() -> impl Strategy<Value = (Moment, Option<Moment>)> {
    (moment(), option::of(moment())).prop_map(|(start, end)| match end {
        Some(end) if end.compare(start).is_lt() => (end, Some(start)),
        end => (start, end),
    })
}

fn rich_text() -> impl Strategy<Value = RichText> {
    ("[a-z\u{e4}\u{1f600} \\n\"]{1,20}", any::<bool>()).prop_map(|(text, is_bold)| {
        let to = text.encode_utf16().count();
        let marks = if is_bold { vec![Mark { kind: MarkKind::Bold, from: 0, to }] } else { Vec::new() };
        RichText::new(text, marks).unwrap_or_default()
    })
}

fn ids() -> impl Strategy<Value = Vec<[u8; 10]>> {
    prop::collection::btree_set(any::<[u8; 10]>(), 1..5).prop_map(|ids| ids.into_iter().collect())
}

/// A value of a property with this form, in the schema with a property of each type.
fn value(shape: Shape) -> BoxedStrategy<PropertyValue> {
    let option = || select(vec!["opt-to-do", "opt-done", "opt-later-maybe"]).prop_map(OptionId::from_stored);
    match shape {
        Shape::RichText => rich_text().prop_map(PropertyValue::RichText).boxed(),
        Shape::Number => any::<f64>().prop_filter_map("finite", Number::new).prop_map(PropertyValue::Number).boxed(),
        Shape::Option => option().prop_map(PropertyValue::Option).boxed(),
        Shape::Options => vec(option(), 1..4)
            .prop_map(|ids| {
                let mut once = Vec::new();
                for id in ids {
                    if !once.contains(&id) {
                        once.push(id);
                    }
                }
                PropertyValue::Options(once)
            })
            .boxed(),
        Shape::Date => (span(), option::of(select(vec!["Europe/Berlin", "UTC"])))
            .prop_map(|((start, end), zone)| {
                let time_zone = zone.map(|zone| TimeZone::from_stored(zone.to_owned()));
                PropertyValue::Date(Date { start, end, time_zone })
            })
            .boxed(),
        Shape::Range => span().prop_map(|(start, end)| PropertyValue::Range(DateRange { start, end })).boxed(),
        Shape::Persons => {
            ids().prop_map(|ids| PropertyValue::Persons(ids.into_iter().map(|id| UserId::new(1, id)).collect())).boxed()
        }
        Shape::Text => "[a-z]{1,8}@[a-z]{1,8}\\.com".prop_map(PropertyValue::Text).boxed(),
        Shape::Link => ("[a-z]{1,8}", option::of(".{0,8}"))
            .prop_filter("no control characters", |(_, title)| !title.as_deref().unwrap_or_default().contains('\0'))
            .prop_map(|(host, title)| PropertyValue::Link(WebLink { url: format!("https://{host}.com"), title }))
            .boxed(),
        Shape::Checkbox => Just(PropertyValue::Checkbox(true)).boxed(),
        Shape::Files => {
            ids().prop_map(|ids| PropertyValue::Files(ids.into_iter().map(|id| FileId::new(1, id)).collect())).boxed()
        }
    }
}

fn typed_value() -> impl Strategy<Value = (PropertyType, PropertyValue)> {
    let kinds: Vec<_> = PropertyType::ALL.iter().copied().filter(|kind| kind.facts().shape().is_some()).collect();
    select(kinds).prop_flat_map(|kind| {
        let shape = kind.facts().shape().unwrap_or(Shape::Checkbox);
        let value = if kind == PropertyType::Title {
            "[a-z ]{1,9}".prop_map(|text| PropertyValue::RichText(RichText::plain(text))).boxed()
        } else {
            value(shape)
        };
        (Just(kind), value)
    })
}

proptest! {
    #[test]
    fn a_value_reads_back_from_what_is_shown((kind, value) in typed_value()) {
        let schema = schema();
        let Some(property) = schema.property(id_of(kind)) else { panic!("there is a {kind}") };
        let shown = json!(crate::cell::ShownCell { config: &property.config, cell: crate::Cell::Value(&value) });
        let sent = object(json!({ property.id.to_string(): shown }));
        let read_values = read(&schema, sent, how(Write::Update, Form::Exact));
        let read_values = read_values.map_err(|fault| TestCaseError::fail(format!("{fault:?}")))?;
        // Users and files of the record itself need not be found.
        let before = Values::from_iter([(property.slot, value.clone())]);
        let resolved = read_values.resolve(&Found::default(), &before);
        let resolved = resolved.map_err(|refused| TestCaseError::fail(format!("{refused:?}")))?;
        prop_assert_eq!(resolved.sent(property.id), Some(&value));
    }

    #[test]
    fn what_is_encoded_decodes(entries in vec(typed_value(), 0..12)) {
        let schema = schema();
        let slot = |kind| schema.property(id_of(kind)).map_or(0, |property| property.slot);
        let values: Values = entries.into_iter().map(|(kind, value)| (slot(kind), value)).collect();
        let text = encode(&values);
        prop_assert_eq!(decode(&text, &schema), Ok(values.clone()));
        prop_assert_eq!(encode(&decode(&text, &schema).unwrap_or_default()), text);
        for (slot, value) in values.iter() {
            let Some(property) = schema.by_slot(slot) else { panic!("{slot} has a property") };
            let alone = decode_one(&encode_one(value), &property.config);
            prop_assert_eq!(alone.as_ref(), Some(value));
        }
    }
}
