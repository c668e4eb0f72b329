//! Bodies of submissions, and their files.

use super::*;
use octavo_core_model::id::FileId;
use std::collections::BTreeMap;

fn file(number: i64) -> FileId {
    FileId::new(number, [0; 10])
}

fn image(bytes: u64) -> FormFile {
    FormFile { bytes, mime_type: "image/png".to_owned(), is_ready: true }
}

fn accepted(form: &Form, schema: &Schema, answers: Value) -> Accepted {
    form.accept(Answers::read(map(json!({ "answers": answers }))).unwrap(), schema).unwrap()
}

#[test]
fn a_filled_hidden_field_gives_a_robot_away() {
    for field in ["website", "hp"] {
        for filled in [json!("x"), json!(" "), json!(0), json!(false), json!([]), json!({})] {
            assert!(is_from_robot(&map(json!({ "answers": {}, field: filled }))), "{filled}");
        }
        for empty in [json!(""), json!(null)] {
            assert!(!is_from_robot(&map(json!({ "answers": {}, field: empty }))), "{empty}");
        }
    }
    assert!(!is_from_robot(&map(json!({ "answers": { "website": "x" }, "other": "x" }))));
}

#[test]
fn answers_are_an_object() {
    for wrong in [json!([]), json!(null), json!("x")] {
        let flaw = Answers::read(map(json!({ "answers": wrong }))).unwrap_err();
        assert_eq!((flaw.field.as_str(), flaw.issue.name()), ("answers", "invalid_type"));
    }
    assert_eq!(Answers::read(map(json!({ "frq_1": "a" }))).unwrap_err().issue.name(), "required");
}

#[test]
fn all_problems_of_all_questions_are_reported() {
    let form = form(
        &schema(),
        json!([
            question("SHORT_TEXT", json!({ "required": true })),
            question("NUMBER", json!({ "validation": { "max": 1, "integer": true } })),
            question("EMAIL", json!({})),
            question("SHORT_TEXT", json!({ "propertyId": property(&schema(), "url") })),
        ]),
    );
    let answers = json!({ id(2).to_string(): 1.5, id(3).to_string(): "x", id(4).to_string(): "not an address" });
    let expected = [(id(1), "required"), (id(2), "integer"), (id(2), "max"), (id(3), "email"), (id(4), "type")];
    assert_eq!(problems(&form, &schema(), answers), expected);
}

#[test]
fn answers_to_unknown_questions_and_empty_ones_are_not_kept() {
    let form = form(
        &schema(),
        json!([question("SHORT_TEXT", json!({})), question("CHECKBOX", json!({})), question("NUMBER", json!({}))]),
    );
    let answers = json!({
        id(1).to_string(): " a ",
        id(2).to_string(): false,
        id(3).to_string(): null,
        id(9).to_string(): "unknown",
        "website": "x",
    });
    let submission = accepted(&form, &schema(), answers).with_files(&BTreeMap::new()).unwrap();
    assert_eq!(Value::Object(submission.answers), json!({ id(1).to_string(): " a ", id(2).to_string(): false }));
    assert_eq!((submission.record, submission.files), (None, vec![]), "no question has a property");
}

#[test]
fn files_must_be_the_forms_ready_and_small_enough() {
    let schema = schema();
    let files = property(&schema, "Files");
    let form = form(
        &schema,
        json!([
            question("FILE", json!({ "validation": { "maxBytes": 100 } })),
            question("FILE", json!({ "propertyId": files })),
        ]),
    );
    let answers = json!({ id(1).to_string(): [file(1)], id(2).to_string(): [file(2), file(3)] });
    let submit = |found: &[(i64, FormFile)]| {
        let found = found.iter().map(|(number, known)| (file(*number), known.clone())).collect();
        accepted(&form, &schema, answers.clone()).with_files(&found)
    };
    let waiting = FormFile { is_ready: false, ..image(1) };
    let missing = submit(&[(1, image(1)), (3, waiting.clone())]);
    assert_eq!(missing, Err(FilesFault::NotOwned(vec![(id(2), file(2))])));
    let unfinished = submit(&[(1, image(1000)), (2, image(1)), (3, waiting)]);
    assert_eq!(unfinished, Err(FilesFault::NotReady(vec![(id(2), file(3))])));
    let text = FormFile { mime_type: "text/plain".to_owned(), ..image(1) };
    let Err(FilesFault::Unfit(problems)) = submit(&[(1, image(101)), (2, text), (3, image(1))]) else {
        panic!("one is too large, and one is no image")
    };
    let problems: Vec<_> = problems.iter().map(|problem| (problem.question, problem.code.name())).collect();
    assert_eq!(problems, [(id(1), "file_ids"), (id(2), "file_ids")]);
    let submission = submit(&[(1, image(100)), (2, image(1 << 20)), (3, image(1))]).unwrap();
    assert_eq!(submission.files, [file(1), file(2), file(3)]);
}

#[test]
fn a_property_can_take_fewer_files_than_the_question() {
    let schema = schema();
    let sent = question("FILE", json!({ "propertyId": property(&schema, "Files") }));
    let answers = json!({ id(1).to_string(): [file(1), file(2), file(3)] });
    assert_eq!(problems(&form(&schema, json!([sent])), &schema, answers), [(id(1), "max_files")]);
}
