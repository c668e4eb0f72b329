//! `validation` of each type, and which answers it accepts.

use super::*;

/// What is wrong with `validation` of a new question.
fn flaws(kind: &str, validation: Value) -> Vec<(String, &'static str)> {
    let sent = question(kind, json!({ "validation": validation }));
    let found = with(&schema(), 1, |builder| form(&schema(), json!([])).add_question(map(sent), builder));
    violations(found)
}

fn flaw(kind: &str, validation: Value) -> (String, &'static str) {
    let mut found = flaws(kind, validation);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn at(field: &str, issue: &'static str) -> (String, &'static str) {
    (format!("validation.{field}"), issue)
}

/// The codes of the problems of an answer to one question.
fn codes(kind: &str, more: Value, answer: Value) -> Vec<&'static str> {
    let form = form(&schema(), json!([question(kind, more)]));
    let found = problems(&form, &schema(), json!({ id(1).to_string(): answer }));
    found.into_iter().map(|(_, code)| code).collect()
}

fn rules(validation: Value) -> Value {
    json!({ "validation": validation })
}

#[test]
fn every_type_has_its_keys_and_no_others() {
    for (kind, good) in [
        ("SHORT_TEXT", json!({ "minLength": 0, "maxLength": 100_000, "pattern": "^a" })),
        ("LONG_TEXT", json!({ "minLength": 10_000, "maxLength": 10_000 })),
        ("NUMBER", json!({ "min": -1.5, "max": 1000, "integer": true })),
        ("EMAIL", json!({})),
        ("DATE", json!({ "minDate": "2024-02-29", "maxDate": "2024-02-29" })),
        ("CHECKBOX", json!({})),
        ("SINGLE_SELECT", json!({ "options": ["a", "B"] })),
        ("MULTI_SELECT", json!({ "options": ["a".repeat(50)] })),
        ("RATING", json!({ "max": 5, "default": 5 })),
        ("FILE", json!({ "maxFiles": 1, "maxBytes": 524_288_000 })),
    ] {
        let made = form(&schema(), json!([question(kind, rules(good.clone()))]));
        let shown = made.questions.list()[0].to_json(octavo_core_model::id::FormId::EXAMPLE, &schema());
        assert_eq!(shown["validation"], good, "{kind}");
        assert_eq!(Question::from_stored(made.questions.list()[0].to_stored()), made.questions.list()[0]);
        let mut more = good;
        more["else"] = json!(1);
        assert_eq!(flaw(kind, more), at("else", "unknown_field"), "{kind}");
        assert_eq!(flaw(kind, json!(1)), ("validation".to_owned(), "invalid_type"));
    }
}

#[test]
fn bounds_of_validation_are_checked() {
    assert_eq!(flaw("SHORT_TEXT", json!({ "minLength": 10_001 })), at("minLength", "too_large"));
    assert_eq!(flaw("SHORT_TEXT", json!({ "minLength": -1 })), at("minLength", "too_small"));
    assert_eq!(flaw("SHORT_TEXT", json!({ "minLength": 1.5 })), at("minLength", "invalid_type"));
    assert_eq!(flaw("LONG_TEXT", json!({ "maxLength": 0 })), at("maxLength", "too_small"));
    assert_eq!(flaw("LONG_TEXT", json!({ "maxLength": 100_001 })), at("maxLength", "too_large"));
    assert_eq!(flaw("SHORT_TEXT", json!({ "pattern": "" })), at("pattern", "too_short"));
    assert_eq!(flaw("SHORT_TEXT", json!({ "pattern": "a".repeat(201) })), at("pattern", "too_long"));
    assert_eq!(flaw("SHORT_TEXT", json!({ "pattern": null })), at("pattern", "invalid_type"));
    assert_eq!(flaw("NUMBER", json!({ "min": "1" })), at("min", "invalid_type"));
    assert_eq!(flaw("NUMBER", json!({ "integer": 1 })), at("integer", "invalid_type"));
    assert_eq!(flaw("DATE", json!({ "minDate": "2023-02-29" })), at("minDate", "invalid_format"));
    assert_eq!(flaw("DATE", json!({ "maxDate": 5 })), at("maxDate", "invalid_type"));
    assert_eq!(flaw("SINGLE_SELECT", json!({})), at("options", "required"));
    assert_eq!(flaw("SINGLE_SELECT", json!({ "options": [] })), at("options", "too_short"));
    assert_eq!(flaw("MULTI_SELECT", json!({ "options": vec!["a"; 51] })), at("options", "too_long"));
    assert_eq!(flaw("MULTI_SELECT", json!({ "options": ["a", ""] })), at("options.1", "too_short"));
    assert_eq!(flaw("MULTI_SELECT", json!({ "options": ["a".repeat(51)] })), at("options.0", "too_long"));
    assert_eq!(flaw("MULTI_SELECT", json!({ "options": "a" })), at("options", "invalid_type"));
    assert_eq!(flaw("RATING", json!({})), at("max", "required"));
    assert_eq!(flaw("RATING", json!({ "max": 4 })), at("max", "too_small"));
    assert_eq!(flaw("RATING", json!({ "max": 11 })), at("max", "too_large"));
    assert_eq!(flaw("RATING", json!({ "max": 5, "default": 0 })), at("default", "too_small"));
    assert_eq!(flaw("FILE", json!({ "maxFiles": 6 })), at("maxFiles", "too_large"));
    assert_eq!(flaw("FILE", json!({ "maxBytes": 524_288_001 })), at("maxBytes", "too_large"));
    assert_eq!(flaw("FILE", json!({ "maxBytes": 0 })), at("maxBytes", "too_small"));
}

#[test]
fn lower_bounds_above_upper_ones_and_equal_options_have_issues_of_their_own() {
    assert_eq!(flaw("SHORT_TEXT", json!({ "minLength": 2, "maxLength": 1 })), at("minLength", "min_gt_max"));
    assert_eq!(flaw("NUMBER", json!({ "min": 2, "max": 1.5 })), at("min", "min_gt_max"));
    assert_eq!(flaw("DATE", json!({ "minDate": "2024-01-02", "maxDate": "2024-01-01" })), at("minDate", "min_gt_max"));
    assert_eq!(flaw("RATING", json!({ "max": 5, "default": 6 })), at("default", "min_gt_max"));
    assert_eq!(flaw("SINGLE_SELECT", json!({ "options": ["a", " A "] })), at("options", "duplicate_option"));
}

#[test]
fn a_text_has_its_length_and_matches_its_pattern() {
    let more = rules(json!({ "minLength": 2, "maxLength": 3, "pattern": "^[a-z\u{e4}]+$" }));
    let codes = |answer| codes("SHORT_TEXT", more.clone(), answer);
    assert!(codes(json!("\u{e4}\u{e4}\u{e4}")).is_empty(), "characters are counted, not bytes");
    assert_eq!(codes(json!("a")), ["min_length"]);
    assert_eq!(codes(json!("ABCD")), ["max_length", "pattern"]);
    assert_eq!(codes(json!(12)), ["type"]);
    assert_eq!(codes(json!("a\0")), ["type"]);
    assert_eq!(codes(json!({})), ["type"]);
    assert_eq!(
        super::problems(
            &form(&schema(), json!([question("LONG_TEXT", json!({}))])),
            &schema(),
            json!({ id(1).to_string(): " \n " })
        ),
        []
    );
}

#[test]
fn a_number_is_in_its_range() {
    let codes = |answer| codes("NUMBER", rules(json!({ "min": 1, "max": 5, "integer": true })), answer);
    assert!(codes(json!(5.0)).is_empty());
    assert!(codes(json!(1)).is_empty());
    assert_eq!(codes(json!("3")), ["number"]);
    assert_eq!(codes(json!(0.5)), ["integer", "min"]);
    assert_eq!(codes(json!(6)), ["max"]);
    assert_eq!(codes(json!(true)), ["number"]);
}

#[test]
fn a_rating_is_a_whole_number_up_to_the_largest_one() {
    let codes = |answer| codes("RATING", rules(json!({ "max": 5 })), answer);
    assert!(codes(json!(1)).is_empty() && codes(json!(5.0)).is_empty());
    for wrong in [json!(0), json!(6), json!(1.5), json!("3"), json!(false)] {
        assert_eq!(codes(wrong.clone()), ["range"], "{wrong}");
    }
}

#[test]
fn an_email_address_is_one() {
    let codes = |answer| codes("EMAIL", json!({}), answer);
    assert!(codes(json!("Ada@example.com")).is_empty() && codes(json!(" ada@example.com ")).is_empty());
    for wrong in [json!("ada"), json!("ada@localhost"), json!(5), json!("a@b.c, d@e.f")] {
        assert_eq!(codes(wrong.clone()), ["email"], "{wrong}");
    }
}

#[test]
fn a_date_is_a_day_in_its_range() {
    let more = rules(json!({ "minDate": "2024-02-01", "maxDate": "2024-03-01" }));
    let codes = |answer| codes("DATE", more.clone(), answer);
    assert!(codes(json!("2024-02-29")).is_empty() && codes(json!("2024-03-01")).is_empty());
    assert_eq!(codes(json!("2024-01-31")), ["min_date"]);
    assert_eq!(codes(json!("2024-03-02")), ["max_date"]);
    for wrong in [json!("2023-02-29"), json!("2024-02-29T10:00:00Z"), json!("29.2.2024"), json!(20_240_229)] {
        assert_eq!(codes(wrong.clone()), ["date"], "{wrong}");
    }
}

#[test]
fn a_checkbox_is_true_or_false_and_a_required_one_is_true() {
    assert!(codes("CHECKBOX", json!({}), json!(false)).is_empty());
    assert!(codes("CHECKBOX", json!({ "required": true }), json!(true)).is_empty());
    assert_eq!(codes("CHECKBOX", json!({ "required": true }), json!(false)), ["required"]);
    assert_eq!(codes("CHECKBOX", json!({}), json!("true")), ["boolean"]);
    assert_eq!(codes("CHECKBOX", json!({ "required": true }), json!(1)), ["boolean"]);
}

#[test]
fn options_are_chosen_among_those_of_the_question() {
    let more = rules(json!({ "options": ["Red", "Blue"] }));
    let one = |answer| codes("SINGLE_SELECT", more.clone(), answer);
    assert!(one(json!("Red")).is_empty());
    for wrong in [json!("red"), json!("Green"), json!(["Red"]), json!(1)] {
        assert_eq!(one(wrong.clone()), ["option"], "{wrong}");
    }
    let several = |answer| codes("MULTI_SELECT", more.clone(), answer);
    assert!(several(json!(["Blue", "Red"])).is_empty());
    assert_eq!(several(json!(["Blue", "Blue"])), ["duplicate"]);
    assert_eq!(several(json!(["Green", "Green"])), ["option", "duplicate"]);
    for wrong in [json!("Red"), json!(["Red", 1]), json!({ "0": "Red" })] {
        assert_eq!(several(wrong.clone()), ["option"], "{wrong}");
    }
}

#[test]
fn files_are_a_list_of_ids_that_is_not_too_long() {
    let file = |number| octavo_core_model::id::FileId::new(number, [0; 10]).to_string();
    let codes = |answer| codes("FILE", rules(json!({ "maxFiles": 2 })), answer);
    assert!(codes(json!([file(1), file(2)])).is_empty());
    assert_eq!(codes(json!([file(1), file(1)])), ["file_ids"]);
    assert_eq!(codes(json!([file(1), file(2), file(3)])), ["max_files"]);
    assert_eq!(codes(json!([file(1), "x", "y"])), ["file_ids", "max_files"]);
    for wrong in [json!(file(1)), json!([1]), json!({ "fileIds": [file(1)] })] {
        assert_eq!(codes(wrong.clone()), ["file_ids"], "{wrong}");
    }
    let made = form(&schema(), json!([question("FILE", json!({}))]));
    let Ok(Rules::File(rules)) = &made.questions.list()[0].rules else { panic!("it asks for files") };
    assert_eq!((rules.max_files(), rules.max_bytes()), (5, 524_288_000));
}

#[test]
fn null_and_empty_texts_and_lists_are_no_answers() {
    for kind in ["SHORT_TEXT", "LONG_TEXT", "NUMBER", "EMAIL", "DATE", "CHECKBOX", "FILE"] {
        for nothing in [json!(null), json!(""), json!([])] {
            assert!(codes(kind, json!({}), nothing.clone()).is_empty(), "{kind} {nothing}");
            assert_eq!(codes(kind, json!({ "required": true }), nothing), ["required"], "{kind}");
        }
    }
    let form = form(&schema(), json!([question("NUMBER", json!({ "required": true }))]));
    assert_eq!(problems(&form, &schema(), json!({})), [(id(1), "required")]);
}

#[test]
fn a_question_whose_rules_are_broken_in_the_store_cannot_be_answered() {
    let mut stored = form(&schema(), json!([question("SHORT_TEXT", json!({}))])).questions.list()[0].to_stored();
    for broken in [json!({ "minLength": "x" }), json!({ "pattern": "(" }), json!([]), json!({ "old": 1 })] {
        stored.validation = broken.clone();
        let form = Form { questions: Questions::from_stored([stored.clone()]), ..form(&schema(), json!([])) };
        assert_eq!(problems(&form, &schema(), json!({ id(1).to_string(): "a" })), [(id(1), "config")], "{broken}");
        assert_eq!(problems(&form, &schema(), json!({})), []);
        assert_eq!(form.questions.list()[0].to_stored(), stored, "what is stored is not lost");
    }
    // It is mended by sending rules.
    stored.validation = json!([]);
    let broken = Form { questions: Questions::from_stored([stored]), ..form(&schema(), json!([])) };
    let renamed =
        with(&schema(), 9, |builder| broken.change_question(id(1), map(json!({ "label": "New" })), builder)).unwrap();
    assert!(renamed.questions.list()[0].rules.is_err());
    let mended =
        with(&schema(), 9, |builder| broken.change_question(id(1), map(json!({ "validation": {} })), builder)).unwrap();
    assert!(mended.questions.list()[0].rules.is_ok());
}
