//! Which properties get which answers.

use super::*;
use octavo_core_model::form::QuestionType;
use octavo_databases::PropertyType;

fn problem(result: Result<Form, FormFault>) -> (String, MappingIssue) {
    match result {
        Err(FormFault::Mapping(problems)) => (problems[0].field.clone(), problems[0].issue),
        other => panic!("{other:?}"),
    }
}

fn validation(kind: QuestionType) -> Value {
    match kind {
        QuestionType::SingleSelect | QuestionType::MultiSelect => json!({ "options": ["Red"] }),
        QuestionType::Rating => json!({ "max": 5 }),
        _ => json!({}),
    }
}

#[test]
fn every_type_fits_the_properties_of_the_matrix_and_no_others() {
    let schema = schema();
    for kind in QuestionType::ALL {
        for property in schema.properties() {
            let sent = question(kind.name(), json!({ "validation": validation(*kind), "propertyId": property.id }));
            let made = create(&schema, json!({ "name": "a", "questions": [sent] }));
            let fits = property_types(*kind).contains(&property.kind());
            assert_eq!(made.is_ok(), fits, "{kind} on {}", property.kind());
            if let Err(FormFault::Mapping(problems)) = made {
                assert_eq!(problems[0].issue, MappingIssue::TypeMismatch);
                assert_eq!(problems[0].allowed, property_types(*kind));
            }
        }
    }
    assert_eq!(property_types(QuestionType::Date), [PropertyType::Date], "not a span");
}

#[test]
fn a_property_that_does_not_exist_is_unknown() {
    let schema = schema();
    for unknown in [json!(PropertyId::EXAMPLE), json!("prop_x"), json!("")] {
        let sent = json!({ "name": "a", "questions": [
            question("EMAIL", json!({})),
            question("EMAIL", json!({ "propertyId": unknown })),
        ] });
        let expected = ("questions.1.propertyId".to_owned(), MappingIssue::UnknownProperty);
        assert_eq!(problem(create(&schema, sent)), expected);
    }
}

#[test]
fn two_questions_cannot_have_one_property() {
    let schema = schema();
    let text = property(&schema, "text");
    let one = question("SHORT_TEXT", json!({ "propertyId": text }));
    let both = create(&schema, json!({ "name": "a", "questions": [one, one] }));
    assert_eq!(problem(both), ("questions.1.propertyId".to_owned(), MappingIssue::AlreadyMapped));
    let first = form(&schema, json!([one]));
    let second = with(&schema, 9, |builder| first.add_question(map(one.clone()), builder)).map(|(form, _)| form);
    assert_eq!(problem(second), ("propertyId".to_owned(), MappingIssue::AlreadyMapped));
    // Two questions can exchange their properties in one call.
    let other = question("SHORT_TEXT", json!({ "propertyId": property(&schema, "Owner") }));
    let two = form(&schema, json!([one, other]));
    let swapped = json!({ "questions": [
        { "id": id(1), "propertyId": property(&schema, "Owner") },
        { "id": id(2), "propertyId": text },
    ] });
    assert!(change(&two, &schema, swapped).is_ok());
}

#[test]
fn a_change_of_type_or_property_is_checked_again() {
    let schema = schema();
    let text = property(&schema, "text");
    let form = form(&schema, json!([question("SHORT_TEXT", json!({ "propertyId": text }))]));
    let changed = |sent: Value| with(&schema, 9, |builder| form.change_question(id(1), map(sent), builder));
    assert_eq!(problem(changed(json!({ "type": "NUMBER" }))), ("propertyId".to_owned(), MappingIssue::TypeMismatch));
    let number = property(&schema, "number");
    assert_eq!(problem(changed(json!({ "propertyId": number }))).1, MappingIssue::TypeMismatch);
    assert!(changed(json!({ "type": "NUMBER", "propertyId": number })).is_ok());
    assert!(changed(json!({ "type": "LONG_TEXT" })).is_ok(), "the type fits too");
    assert_eq!(changed(json!({ "type": "NUMBER", "propertyId": null })).unwrap().questions.list()[0].property, None);
}

#[test]
fn a_property_that_has_gone_is_shown_as_none_and_hinders_nothing() {
    let before = schema();
    let text = property(&before, "rich_text");
    let form = form(&before, json!([question("LONG_TEXT", json!({ "propertyId": text }))]));
    let without = schema_of(json!([{ "name": "Name", "type": "title" }]));
    let shown = |schema: &Schema| {
        form.questions.list()[0].to_json(octavo_core_model::id::FormId::EXAMPLE, schema)["propertyId"].clone()
    };
    assert_eq!((shown(&before), shown(&without)), (json!(text), Value::Null));
    let changed = with(&without, 9, |builder| form.change_question(id(1), map(json!({ "type": "NUMBER" })), builder));
    assert_eq!(changed.unwrap().questions.list()[0].property, None);
    let renamed = with(&without, 9, |builder| form.change_question(id(1), map(json!({ "label": "b" })), builder));
    assert!(renamed.is_ok());
}

#[test]
fn options_that_the_property_lacks_are_added_when_the_question_is_saved() {
    let schema = schema();
    let options = json!({ "options": [" RED ", "Gr\u{fc}n", "Blue"] });
    for (kind, name) in [("SINGLE_SELECT", "Shade"), ("SINGLE_SELECT", "State"), ("MULTI_SELECT", "Colors")] {
        let sent = question(kind, json!({ "validation": options, "propertyId": property(&schema, name) }));
        let made = form(&schema, json!([sent, question("EMAIL", json!({}))]));
        let added = made.questions.since(&Questions::default()).missing_options(&schema).unwrap();
        assert_eq!((added.len(), added[0].property), (1, property(&schema, name)));
        let names: Vec<_> = added[0].options.iter().map(|option| option.name.as_str()).collect();
        assert_eq!(names, ["Gr\u{fc}n"], "names are compared without regard to case");
        let other =
            with(&schema, 9, |builder| made.change_question(id(2), map(json!({ "label": "b" })), builder)).unwrap();
        let added = other.questions.since(&made.questions).missing_options(&schema).unwrap();
        assert!(added.is_empty(), "only questions that are saved add options");
    }
    let many: Value = (0..500).map(|number| json!({ "name": number.to_string() })).collect();
    let full = schema_of(json!([
        { "name": "Name", "type": "title" },
        { "name": "Shade", "type": "select", "config": { "options": many } },
    ]));
    let sent = question("SINGLE_SELECT", json!({ "validation": options, "propertyId": property(&full, "Shade") }));
    let made = form(&full, json!([sent]));
    let difference = made.questions.since(&Questions::default());
    assert_eq!(difference.missing_options(&full), Err(FormFault::TooManyOptions));
}
