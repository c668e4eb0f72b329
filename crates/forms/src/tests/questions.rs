//! Changes of questions.

use super::*;

fn three() -> Form {
    form(
        &schema(),
        json!([
            question("SHORT_TEXT", json!({ "label": "One", "validation": { "minLength": 2 } })),
            question("EMAIL", json!({ "label": "Two", "required": true })),
            question("NUMBER", json!({ "label": "Three" })),
        ]),
    )
}

fn labels(form: &Form) -> Vec<&str> {
    form.questions.list().iter().map(|question| question.label.as_str()).collect()
}

fn changed(form: &Form, question: u8, sent: Value) -> Result<Form, FormFault> {
    with(&schema(), 100, |builder| form.change_question(id(question), map(sent), builder))
}

fn is_in_order(form: &Form) -> bool {
    form.questions.list().is_sorted_by(|one, other| one.position < other.position)
}

#[test]
fn a_new_question_is_the_last_one() {
    let sent = question("DATE", json!({ "label": "Four", "position": 5, "description": null, "placeholder": "x" }));
    let (form, added) = with(&schema(), 50, |builder| three().add_question(map(sent), builder)).unwrap();
    assert_eq!((added, labels(&form)), (id(50), vec!["One", "Two", "Three", "Four"]));
    assert!(is_in_order(&form));
}

#[test]
fn a_form_has_at_most_50_questions() {
    let many: Value = (0..50).map(|_| question("EMAIL", json!({}))).collect();
    let full = form(&schema(), many);
    let add = |sent: Value| with(&schema(), 100, |builder| full.add_question(map(sent), builder));
    assert_eq!(add(question("EMAIL", json!({}))), Err(FormFault::TooManyQuestions));
    assert_eq!(violations(add(json!({ "type": "EMAIL" }))), [("label".to_owned(), "required")]);
}

#[test]
fn a_question_keeps_what_is_not_sent() {
    let form = changed(&three(), 1, json!({ "label": "1", "required": true })).unwrap();
    let first = &form.questions.list()[0];
    assert!(first.required && first.label.as_str() == "1");
    assert_eq!(first.rules, three().questions.list()[0].rules);
    assert_eq!(changed(&form, 1, json!({ "label": "One", "required": false })).unwrap(), three());
    assert_eq!(changed(&form, 99, json!({ "label": "1" })), Err(FormFault::UnknownQuestion));
    let rules = changed(&form, 1, json!({ "validation": { "maxLength": 5 } })).unwrap();
    assert_eq!(
        rules.questions.list()[0].to_stored().validation,
        json!({ "maxLength": 5 }),
        "it is replaced as a whole"
    );
}

#[test]
fn another_type_starts_without_rules_and_must_get_those_that_it_needs() {
    let form = changed(&three(), 1, json!({ "type": "NUMBER" })).unwrap();
    assert_eq!(form.questions.list()[0].to_stored().validation, json!({}));
    assert_eq!(
        violations(changed(&three(), 1, json!({ "type": "RATING" }))),
        [("validation.max".to_owned(), "required")]
    );
    assert_eq!(
        violations(changed(&three(), 1, json!({ "type": "SINGLE_SELECT" }))),
        [("validation.options".to_owned(), "required")]
    );
    assert!(changed(&three(), 1, json!({ "type": "RATING", "validation": { "max": 5 } })).is_ok());
    // The same type again is no change.
    assert_eq!(changed(&three(), 1, json!({ "type": "SHORT_TEXT" })).unwrap(), three());
}

#[test]
fn a_position_puts_a_question_elsewhere() {
    let form = changed(&three(), 3, json!({ "position": "a0V" })).unwrap();
    assert_eq!(labels(&form), ["One", "Three", "Two"]);
    assert_eq!(violations(changed(&form, 1, json!({ "position": "a1" }))), [("position".to_owned(), "position_taken")]);
    assert_eq!(
        violations(changed(&form, 1, json!({ "position": "-" }))),
        [("position".to_owned(), "invalid_position")]
    );
    assert!(changed(&form, 1, json!({ "position": "a0" })).is_ok(), "its own one");
}

#[test]
fn questions_are_put_before_others_or_last() {
    let moved = |from: u8, before: Option<u8>| three().reorder_questions(id(from), before.map(id));
    assert_eq!(labels(&moved(3, Some(1)).unwrap()), ["Three", "One", "Two"]);
    assert_eq!(labels(&moved(1, Some(3)).unwrap()), ["Two", "One", "Three"]);
    assert_eq!(labels(&moved(1, None).unwrap()), ["Two", "Three", "One"]);
    for (from, before) in [(1, Some(1)), (1, Some(2)), (3, None)] {
        assert_eq!(moved(from, before).unwrap(), three(), "it is there already");
    }
    assert_eq!(violations(moved(9, None)), [("fromId".to_owned(), "anchor_not_sibling")]);
    assert_eq!(violations(moved(1, Some(9))), [("beforeId".to_owned(), "anchor_not_sibling")]);
    let moved = moved(3, Some(2)).unwrap();
    assert!(is_in_order(&moved));
    assert_eq!(moved.questions.since(&three().questions).changed.len(), 1, "only the moved one is written");
}

#[test]
fn questions_without_room_between_them_get_new_positions() {
    let mut stored: Vec<_> = three().questions.list().iter().map(Question::to_stored).collect();
    for question in &mut stored {
        question.position = octavo_core_model::position::Position::from_stored("a0".to_owned());
    }
    let crowded = Form { questions: Questions::from_stored(stored), ..three() };
    let moved = crowded.reorder_questions(id(3), Some(id(2))).unwrap();
    assert_eq!(labels(&moved), ["One", "Three", "Two"]);
    assert!(is_in_order(&moved));
}

#[test]
fn a_list_of_questions_replaces_all_of_them() {
    let form = three();
    let sent = json!({ "questions": [
        { "id": id(3), "label": "3" },
        question("DATE", json!({ "label": "New" })),
        { "id": id(1) },
    ] });
    let changed = change(&form, &schema(), sent).unwrap();
    assert_eq!(labels(&changed), ["3", "New", "One"]);
    assert!(is_in_order(&changed));
    let difference = changed.questions.since(&form.questions);
    assert_eq!(difference.created.iter().map(|question| question.id).collect::<Vec<_>>(), [id(100)]);
    assert_eq!(difference.changed.iter().map(|question| question.id).collect::<Vec<_>>(), [id(3), id(1)]);
    assert_eq!(difference.removed, [id(2)]);
    assert_eq!(changed.questions.get(id(1)).unwrap().rules, form.questions.get(id(1)).unwrap().rules);
    // The same list again changes nothing.
    let same: Value = form.questions.list().iter().map(|question| json!({ "id": question.id })).collect();
    assert_eq!(change(&form, &schema(), json!({ "questions": same })).unwrap(), form);
}

#[test]
fn ids_in_a_list_are_those_of_the_form_each_once() {
    let change = |questions: Value| violations(change(&three(), &schema(), json!({ "questions": questions })));
    for wrong in [json!(id(9)), json!("x"), json!(null), json!(5)] {
        let sent = question("EMAIL", json!({ "id": wrong }));
        assert_eq!(change(json!([sent])), [("questions.0.id".to_owned(), "invalid_value")], "{wrong}");
    }
    let twice = json!([{ "id": id(1) }, { "id": id(1) }]);
    assert_eq!(change(twice), [("questions.1.id".to_owned(), "invalid_value")]);
}

#[test]
fn patterns_of_a_body_are_checked_apart() {
    let body = json!({
        "validation": { "pattern": "(a+)+" },
        "questions": [{ "validation": { "pattern": "a" } }, { "validation": { "pattern": "(?=a)" } }, { "validation": 5 }, 6],
    });
    let Err(FormFault::Patterns(problems)) = check_patterns(&map(body)) else { panic!("two cannot be used") };
    let fields: Vec<_> = problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["validation.pattern", "questions.1.validation.pattern"]);
    assert_eq!(problems[0].fault, PatternFault::NestedRepetition);
    assert_eq!(check_patterns(&map(json!({ "validation": { "pattern": "" } }))), Ok(()), "the reading refuses it");
    assert_eq!(check_patterns(&map(json!({ "name": "a" }))), Ok(()));
}
