//! The form itself: its fields, its status, and who sees it.

use super::*;
use octavo_core_model::{
    form::FormStatus,
    text::{FormSlug, FormText},
};

#[test]
fn a_new_form_is_a_draft_with_questions_in_their_order() {
    let sent = json!({
        "name": "  Contact ",
        "description": "Write to us",
        "status": "PUBLISHED",
        "slug": "contact-us",
        "questions": [question("EMAIL", json!({ "id": "frq_x" })), question("DATE", json!({ "position": "zz" }))],
    });
    let draft = with(&schema(), 1, |builder| Form::create(map(sent), builder)).unwrap();
    assert_eq!(draft.slug, FormSlug::parse("contact-us").ok());
    assert_eq!((draft.form.name.as_str(), draft.form.status), ("Contact", FormStatus::Draft));
    let questions: Vec<_> =
        draft.form.questions.list().iter().map(|question| (question.id, question.position.as_str())).collect();
    assert_eq!(questions, [(id(1), "a0"), (id(2), "a1")]);
}

#[test]
fn flaws_of_a_form_and_of_its_questions_are_reported_together() {
    let sent = json!({
        "description": "a".repeat(501),
        "slug": "A",
        "questions": [
            { "type": "NUMBER", "label": "" },
            5,
            { "type": "TEXT", "label": "a" },
            question("SHORT_TEXT", json!({ "placeholder": "a".repeat(201), "required": 1, "validation": { "minLength": "x" } })),
            { "label": "a".repeat(101), "propertyId": 5 },
        ],
        "config": { "unknown": 1 },
    });
    let expected = [
        ("name", "required"),
        ("description", "too_long"),
        ("slug", "too_short"),
        ("questions.0.label", "too_short"),
        ("questions.1", "invalid_type"),
        ("questions.2.type", "invalid_value"),
        ("questions.3.placeholder", "too_long"),
        ("questions.3.required", "invalid_type"),
        ("questions.3.validation.minLength", "invalid_type"),
        ("questions.4.type", "required"),
        ("questions.4.label", "too_long"),
        ("questions.4.propertyId", "invalid_type"),
    ];
    assert_eq!(violations(create(&schema(), sent)), expected.map(|(field, issue)| (field.to_owned(), issue)));
    let many: Value = (0..51).map(|_| question("EMAIL", json!({}))).collect();
    assert_eq!(
        violations(create(&schema(), json!({ "name": "a", "questions": many }))),
        [("questions".to_owned(), "too_long")]
    );
}

#[test]
fn a_change_names_at_least_one_field() {
    let form = form(&schema(), json!([]));
    assert_eq!(violations(change(&form, &schema(), json!({}))), [("body".to_owned(), "required")]);
    assert_eq!(violations(change(&form, &schema(), json!({ "other": 1 }))), [("body".to_owned(), "required")]);
    for (sent, field, issue) in [
        (json!({ "name": null }), "name", "invalid_type"),
        (json!({ "slug": null }), "slug", "invalid_type"),
        (json!({ "slug": "a--b" }), "slug", "invalid_format"),
        (json!({ "status": "published" }), "status", "invalid_value"),
        (json!({ "questions": null }), "questions", "invalid_type"),
    ] {
        assert_eq!(violations(change(&form, &schema(), sent)), [(field.to_owned(), issue)]);
    }
    let changed = change(&form, &schema(), json!({ "description": "b" })).unwrap();
    assert_eq!(changed.description.as_ref().map(FormText::as_str), Some("b"));
    assert_eq!(change(&changed, &schema(), json!({ "description": null })).unwrap(), form);
}

#[test]
fn only_a_form_with_questions_is_published() {
    let schema = schema();
    let empty = form(&schema, json!([]));
    let publish = json!({ "status": "PUBLISHED" });
    assert_eq!(change(&empty, &schema, publish.clone()), Err(FormFault::NoQuestions));
    assert_eq!(change(&empty, &schema, json!({ "status": "CLOSED" })).unwrap().status, FormStatus::Closed);
    // Questions of the same call count.
    let both = json!({ "status": "PUBLISHED", "questions": [question("EMAIL", json!({}))] });
    let published = change(&empty, &schema, both).unwrap();
    assert_eq!(published.status, FormStatus::Published);
    assert_eq!(change(&published, &schema, json!({ "questions": [] })), Err(FormFault::NoQuestions));
    assert_eq!(published.remove_question(id(100)), Err(FormFault::NoQuestions));
    let draft = change(&published, &schema, json!({ "status": "DRAFT" })).unwrap();
    assert!(draft.remove_question(id(100)).unwrap().questions.is_empty());
    assert_eq!(change(&draft, &schema, publish).unwrap().status, FormStatus::Published);
}

#[test]
fn the_public_sees_published_and_closed_forms_while_their_database_is_there() {
    use DatabaseState::{Archived, Gone, InUse};
    use FormStatus::{Closed, Draft, Published};
    for (status, database, expected) in [
        (Draft, InUse, PublicAccess::Hidden),
        (Draft, Archived, PublicAccess::Hidden),
        (Published, InUse, PublicAccess::Open),
        (Published, Archived, PublicAccess::Closed),
        (Published, Gone, PublicAccess::Hidden),
        (Closed, InUse, PublicAccess::Closed),
        (Closed, Gone, PublicAccess::Hidden),
    ] {
        assert_eq!(PublicAccess::of(status, database), expected, "{status} {database:?}");
    }
}
