//! The records that submissions become.

use super::*;
use octavo_core_model::id::FileId;
use octavo_databases::{Cell, Values, cell::ShownCell};
use std::collections::BTreeMap;

/// What a record of answers shows: by the names of properties, without those that show nothing.
fn record(form: &Form, schema: &Schema, answers: Value) -> (String, BTreeMap<String, Value>) {
    let accepted = form.accept(Answers::read(map(json!({ "answers": answers }))).unwrap(), schema).unwrap();
    let image = FormFile { bytes: 1, mime_type: "image/png".to_owned(), is_ready: true };
    let found = accepted.files().iter().flat_map(|demand| &demand.files).map(|id| (*id, image.clone())).collect();
    let record = accepted.with_files(&found).unwrap().record.unwrap();
    let mut values = Values::default();
    record.values.apply(&mut values);
    let shown = schema.properties().iter().filter_map(|property| {
        let value = values.get(property.slot)?;
        let shown = ShownCell { config: &property.config, cell: Cell::Value(value) };
        Some((property.name.to_string(), serde_json::to_value(shown).unwrap()))
    });
    (record.title.to_string(), shown.collect())
}

fn mapped(schema: &Schema, kind: &str, name: &str, validation: Value) -> Value {
    question(kind, json!({ "propertyId": property(schema, name), "validation": validation }))
}

#[test]
fn every_answer_has_the_form_of_its_property() {
    let schema = schema();
    let colors = json!({ "options": ["RED", "Blue", "Green"] });
    let form = form(
        &schema,
        json!([
            mapped(&schema, "SHORT_TEXT", "Name", json!({})),
            mapped(&schema, "SHORT_TEXT", "text", json!({})),
            mapped(&schema, "LONG_TEXT", "rich_text", json!({})),
            mapped(&schema, "NUMBER", "number", json!({})),
            mapped(&schema, "EMAIL", "email", json!({})),
            mapped(&schema, "DATE", "date", json!({})),
            mapped(&schema, "CHECKBOX", "checkbox", json!({})),
            mapped(&schema, "SINGLE_SELECT", "Shade", colors.clone()),
            mapped(&schema, "MULTI_SELECT", "Colors", colors.clone()),
            mapped(&schema, "SHORT_TEXT", "phone", json!({})),
            mapped(&schema, "SHORT_TEXT", "url", json!({})),
            mapped(&schema, "FILE", "Files", json!({})),
            mapped(&schema, "SINGLE_SELECT", "State", colors),
        ]),
    );
    let answers = json!({
        id(1).to_string(): "  Ada\nLovelace\u{202E} ",
        id(2).to_string(): " a *b* ",
        id(3).to_string(): "line\nline",
        id(4).to_string(): 2.5,
        id(5).to_string(): " Ada@example.com",
        id(6).to_string(): "2024-02-29",
        id(7).to_string(): true,
        id(8).to_string(): "RED",
        id(9).to_string(): ["Blue", "Green"],
        id(10).to_string(): " +49 30 1234 ",
        id(11).to_string(): "https://example.com",
        id(12).to_string(): [FileId::EXAMPLE],
        id(13).to_string(): "Green",
    });
    let (title, shown) = record(&form, &schema, answers);
    assert_eq!(title, "Ada Lovelace");
    let expected = json!({
        "Name": { "text": "Ada Lovelace", "marks": [] },
        "text": { "text": " a *b* ", "marks": [] },
        "rich_text": { "text": "line\nline", "marks": [] },
        "number": { "value": 2.5 },
        "email": { "value": "Ada@example.com" },
        "date": { "start": "2024-02-29", "end": null, "dateTimeTimezone": null },
        "checkbox": { "value": true },
        "Shade": { "optionId": "opt-red" },
        "Colors": { "optionIds": ["opt-blue"] },
        "phone": { "value": "+49 30 1234" },
        "url": { "value": "https://example.com", "title": null },
        "Files": { "fileIds": [FileId::EXAMPLE] },
        "Source": { "text": "form", "marks": [] },
    });
    assert_eq!(
        serde_json::to_value(shown).unwrap(),
        expected,
        "the property has no option Green, so State has no value"
    );
}

#[test]
fn a_rating_becomes_a_number() {
    let schema = schema();
    let form = form(&schema, json!([mapped(&schema, "RATING", "number", json!({ "max": 5 }))]));
    let (_, shown) = record(&form, &schema, json!({ id(1).to_string(): 4.0 }));
    assert_eq!(shown["number"], json!({ "value": 4 }));
}

#[test]
fn properties_without_a_question_have_their_defaults_and_nothing_is_required() {
    let schema = schema();
    let form = form(&schema, json!([mapped(&schema, "SHORT_TEXT", "Source", json!({})), question("EMAIL", json!({}))]));
    let (title, shown) = record(&form, &schema, json!({}));
    assert_eq!(title, "Contact");
    let title = BTreeMap::from([("Name".to_owned(), json!({ "text": "Contact", "marks": [] }))]);
    assert_eq!(shown, title, "a property with a question has no default, and `Owner` is required for members only");
}

#[test]
fn a_record_without_a_title_is_named_after_the_form_and_the_first_text() {
    let schema = schema();
    let form = form(
        &schema,
        json!([
            question("NUMBER", json!({})),
            mapped(&schema, "SHORT_TEXT", "Name", json!({})),
            mapped(&schema, "LONG_TEXT", "text", json!({})),
            question("SHORT_TEXT", json!({})),
        ]),
    );
    let title = |answers: Value| record(&form, &schema, answers).0;
    let third = |text: &str| {
        let key = |number| id(number).to_string();
        json!({ key(1): 5, key(2): " \t", key(3): text, key(4): "last" })
    };
    assert_eq!(title(third("  \u{e4}bcdefghij")), "Contact: \u{e4}bcdefgh");
    assert_eq!(title(third("abcdefg hij")), "Contact: abcdefg");
    assert_eq!(title(third(" ")), "Contact: last");
    assert_eq!(title(json!({ id(1).to_string(): 5 })), "Contact");
    assert_eq!(title(json!({ id(2).to_string(): "\u{e4}".repeat(301) })), "\u{e4}".repeat(300));
}

#[test]
fn a_text_that_its_property_cannot_hold_has_the_wrong_type() {
    let schema = schema();
    for (name, wrong, right) in [
        ("email", "ada", "ada@example.com"),
        ("url", "example", "http://example.com"),
        ("phone", "1\n2", "+1 2"),
        ("phone", &"1".repeat(65), "x"),
    ] {
        let form = form(&schema, json!([mapped(&schema, "SHORT_TEXT", name, json!({}))]));
        let answer = |text: &str| problems(&form, &schema, json!({ id(1).to_string(): text }));
        assert_eq!(answer(wrong), [(id(1), "type")], "{wrong}");
        assert_eq!(answer(right), [], "{right}");
    }
}

#[test]
fn an_answer_without_a_property_stays_in_the_submission() {
    let before = schema();
    let form = form(&before, json!([mapped(&before, "SHORT_TEXT", "text", json!({}))]));
    let without = schema_of(json!([{ "name": "Name", "type": "title" }]));
    let answers = Answers::read(map(json!({ "answers": { id(1).to_string(): "a" } }))).unwrap();
    let submission = form.accept(answers, &without).unwrap().with_files(&BTreeMap::new()).unwrap();
    assert_eq!(submission.record, None);
    assert_eq!(Value::Object(submission.answers), json!({ id(1).to_string(): "a" }));
}
