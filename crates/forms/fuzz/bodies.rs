//! What must hold for any form that somebody saves and anything that is submitted through it. The fuzz target runs this with a
//! nightly compiler, the tests with random JSON.

use octavo_core_model::{
    Timestamp,
    form::FormStatus,
    id::{DatabaseId, FormId, PropertyId, QuestionId},
    text::{FormSlug, PropertyName},
};
use octavo_databases::{Schema, Schemas, schema::read_drafts, types::ConfigInputs};
use octavo_forms::{Answers, Builder, Config, Form, PublicAccess, Question, Questions, check_patterns, is_from_robot};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// `{ form, submission }` is a form that can be stored, shown and answered, or is refused with a reason. Returns whether it is a
/// form.
pub(super) fn form(sent: &str) -> bool {
    let Ok(Value::Object(mut sent)) = serde_json::from_str(sent) else { return false };
    let (Some(Value::Object(form)), submission) = (sent.remove("form"), sent.remove("submission")) else {
        return false;
    };
    let schema = schema();
    let is_checked = check_patterns(&form).is_ok();
    let mut drawn = 0;
    let mut draw = || {
        drawn += 1;
        QuestionId::new(0, [0, 0, 0, 0, 0, 0, 0, 0, 0, drawn])
    };
    let mut builder = Builder { schema: &schema, draw: &mut draw };
    let Ok(draft) = Form::create(form, &mut builder) else { return false };
    let form = draft.form;
    assert!(form.status == FormStatus::Draft && form.questions.list().len() <= Questions::MAX);
    let stored = form.questions.list().iter().map(Question::to_stored);
    assert_eq!(Questions::from_stored(stored), form.questions);
    assert_eq!(Config::from_stored(&form.config.to_json()), form.config);
    let sent_back = sent_back(&form, &schema);
    assert_eq!(form.change(sent_back, &mut builder).map(|draft| draft.form), Ok(form.clone()));
    view(&form);
    if let Some(Value::Object(submission)) = submission {
        submit(&form, &submission, &schema, is_checked);
    }
    is_checked
}

/// The form as it is shown.
fn sent_back(form: &Form, schema: &Schema) -> Map<String, Value> {
    let questions: Value =
        form.questions.list().iter().map(|question| question.to_json(FormId::EXAMPLE, schema)).collect();
    Map::from_iter([("questions".to_owned(), questions), ("config".to_owned(), form.config.to_json())])
}

/// The public sees no patterns and no properties.
fn view(form: &Form) {
    let slug = FormSlug::from_name(&form.name);
    let Some(view) = form.to_public_json(&slug, PublicAccess::Open, None) else { panic!("it is open") };
    for question in view["questions"].as_array().into_iter().flatten() {
        assert!(question.get("propertyId").is_none() && question["validation"].get("pattern").is_none());
    }
    assert_eq!(form.to_public_json(&slug, PublicAccess::Hidden, None), None);
}

/// A submission is refused with reasons that name questions of the form, or keeps what was sent.
fn submit(form: &Form, body: &Map<String, Value>, schema: &Schema, is_checked: bool) {
    let _ = is_from_robot(body);
    let Ok(answers) = Answers::read(body.clone()) else { return };
    match form.accept(answers, schema) {
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems {
                assert!(form.questions.get(problem.question).is_some() && !problem.message.is_empty());
                assert!(problem.code.name() != "config" || !is_checked);
            }
        }
        Ok(accepted) => {
            let Ok(submission) = accepted.with_files(&BTreeMap::new()) else { return };
            assert!(submission.answers.iter().all(|(key, value)| body["answers"].get(key) == Some(value)));
            if let Some(record) = submission.record {
                assert!(!record.title.as_str().is_empty());
            }
        }
    }
}

fn schema() -> Schema {
    let sent = json!([
        { "name": "Name", "type": "title" },
        { "name": "Text", "type": "text" },
        { "name": "Address", "type": "url" },
        { "name": "Score", "type": "number" },
        { "name": "Shades", "type": "multi_select", "config": { "options": [{ "name": "a" }] } },
    ]);
    let mut drawn = 0;
    let mut draw = || {
        drawn += 1;
        PropertyId::new(0, [0, 0, 0, 0, 0, 0, 0, 0, 0, drawn])
    };
    let reverse_name = PropertyName::from_stored("Reverse".to_owned());
    let drafts = read_drafts(Some(sent), &mut ConfigInputs { draw: &mut draw, reverse_name: &reverse_name });
    let mut schemas = Schemas::default();
    let (Ok(drafts), time) = (drafts, Timestamp::from_millis(0)) else { panic!("the properties are right") };
    let made = schemas.create(DatabaseId::EXAMPLE, drafts, time, &mut draw).is_ok();
    match schemas.get(DatabaseId::EXAMPLE) {
        Some(schema) if made => schema.clone(),
        _ => panic!("the properties are right"),
    }
}
