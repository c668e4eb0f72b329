//! Whatever is sent, forms are right or refused.

use super::*;
use crate::fuzz::json_of;
use octavo_core_model::form::QuestionType;
use proptest::prelude::*;

/// Properties, not all of which fit all questions.
const NAMES: &[&str] = &["Name", "text", "email", "url", "number", "date", "checkbox", "Shade", "Colors", "Files"];

/// Questions as they are sent, most of them right.
fn questions() -> impl Strategy<Value = Value> {
    let validation = prop_oneof![
        Just(json!({})),
        (0..20_u32, 0..20_u32).prop_map(|(min, max)| json!({ "minLength": min, "maxLength": max })),
        (-5..5_i32, any::<bool>()).prop_map(|(min, integer)| json!({ "min": min, "integer": integer })),
        prop::collection::vec("[a-c]{1,2}", 1..4).prop_map(|options| json!({ "options": options })),
        (4..11_u32).prop_map(|max| json!({ "max": max })),
        (1..6_u32).prop_map(|max| json!({ "maxFiles": max })),
    ];
    let one = (
        prop::sample::select(QuestionType::ALL),
        validation,
        any::<bool>(),
        prop::option::of(prop::sample::select(NAMES)),
    );
    let one = one.prop_map(|(kind, validation, required, name)| {
        let property = name.map(|name| property(&schema(), name));
        question(kind.name(), json!({ "validation": validation, "required": required, "propertyId": property }))
    });
    // Each question is tried alone, so that one that is refused does not hide the others.
    prop::collection::vec(one, 1..6).prop_map(|list| {
        let fits = |list: &[Value]| create(&schema(), json!({ "name": "a", "questions": list })).is_ok();
        let mut kept = Vec::new();
        for question in list {
            kept.push(question);
            if !fits(&kept) {
                kept.pop();
            }
        }
        Value::Array(kept)
    })
}

fn answers() -> impl Strategy<Value = Vec<Value>> {
    let answer = prop_oneof![
        Just(json!(null)),
        "[a-c]{0,3}".prop_map(Value::from),
        "[a-z]{1,5}@[a-z]{1,5}\\.[a-z]{2}".prop_map(Value::from),
        "https://[a-z]{1,5}\\.[a-z]{2}".prop_map(Value::from),
        "20[0-9]{2}-[01][0-9]-[0-3][0-9]".prop_map(Value::from),
        (-5..12_i32).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        prop::collection::vec("[a-c]{1,2}", 0..3).prop_map(Value::from),
        prop::collection::vec(any::<[u8; 10]>(), 0..3).prop_map(|ids| {
            ids.into_iter().map(|random| json!(octavo_core_model::id::FileId::new(1, random))).collect()
        }),
        "\\PC{0,40}".prop_map(Value::from),
    ];
    prop::collection::vec(answer, 6)
}

proptest! {
    #[test]
    fn every_accepted_answer_becomes_a_value(questions in questions(), answers in answers()) {
        let schema = schema();
        let form = form(&schema, questions);
        let sent = (1_u8..).zip(answers).map(|(number, answer)| (id(number).to_string(), answer));
        let sent: Map<String, Value> = sent.collect();
        let answers = Answers::read(map(json!({ "answers": sent }))).unwrap();
        let Ok(accepted) = form.accept(answers, &schema) else { return Ok(()) };
        let image = FormFile { bytes: 1, mime_type: "image/png".to_owned(), is_ready: true };
        let found = accepted.files().iter().flat_map(|demand| &demand.files).map(|id| (*id, image.clone())).collect();
        let submission = accepted.with_files(&found).unwrap();
        for (key, value) in &submission.answers {
            prop_assert_eq!(sent.get(key), Some(value), "answers are kept as they were sent");
        }
        let mapped = || form.questions.list().iter().filter_map(|question| Some((question, question.mapped(&schema)?)));
        prop_assert_eq!(submission.record.is_some(), mapped().next().is_some());
        let Some(record) = submission.record else { return Ok(()) };
        prop_assert!(!record.title.as_str().is_empty());
        prop_assert!(record.values.links.is_empty() && record.values.new_options.is_empty());
        for (question, property) in mapped() {
            let is_answered = submission.answers.contains_key(&question.id.to_string());
            let written = record.values.sent(property.id).is_some();
            let can_lack = property.config.options().is_some() || property.is_title();
            prop_assert!(is_answered == written || can_lack, "{:?}", question);
        }
    }

    #[test]
    fn forms_read_back_from_the_store(questions in questions()) {
        let form = form(&schema(), questions);
        let mut stored: Vec<_> = form.questions.list().iter().map(Question::to_stored).collect();
        stored.reverse();
        prop_assert_eq!(&Questions::from_stored(stored), &form.questions);
        prop_assert_eq!(&Config::from_stored(&form.config.to_json()), &form.config);
    }

    #[test]
    fn shown_questions_can_be_sent_back(questions in questions()) {
        let schema = schema();
        let form = form(&schema, questions);
        let shown: Value = form.questions.list().iter().map(|question| {
            let mut shown = question.to_json(octavo_core_model::id::FormId::EXAMPLE, &schema);
            shown["id"] = json!(question.id);
            shown
        }).collect();
        prop_assert_eq!(change(&form, &schema, json!({ "questions": shown })), Ok(form));
    }

    #[test]
    fn questions_stay_in_order_however_they_are_moved(
        moves in prop::collection::vec((1..7_u8, prop::option::of(1..7_u8)), 0..30),
    ) {
        let schema = schema();
        let mut form = form(&schema, (0..6).map(|_| question("EMAIL", json!({}))).collect());
        for (from, before) in moves {
            let moved = form.reorder_questions(id(from), before.map(id)).unwrap();
            let order: Vec<_> = moved.questions.list().iter().map(|question| question.id).collect();
            let at = order.iter().position(|other| *other == id(from)).unwrap();
            if before != Some(from) {
                prop_assert_eq!(order.get(at + 1).copied(), before.map(id));
            }
            prop_assert!(moved.questions.list().is_sorted_by(|one, other| one.position < other.position));
            form = moved;
        }
    }

    #[test]
    fn any_body_is_a_form_or_refused(
        body in json_of(&["name", "slug", "config", "questions", "type", "label", "validation"]),
    ) {
        if let Value::Object(body) = body {
            let _ = with(&schema(), 1, |builder| Form::create(body, builder));
        }
    }
}
