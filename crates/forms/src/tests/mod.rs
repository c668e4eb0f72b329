//! A database for forms, and forms and answers as they are sent.

#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a failed unwrap is a failed test, and values are written where they are passed"
)]

mod arbitrary;
mod configs;
mod described;
mod intros;
mod mappings;
mod public;
mod questions;
mod records;
mod responses;
mod status;
mod submissions;
mod validations;

use crate::*;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId, QuestionId},
    text::PropertyName,
};
use octavo_databases::{Schema, Schemas, schema::read_drafts, types::ConfigInputs};
use serde_json::{Map, Value, json};

/// A database with a property of each type that answers can go to, and some others.
pub(crate) fn schema() -> Schema {
    let options = json!({ "options": [{ "name": "Red" }, { "name": "Blue" }] });
    let mut sent = vec![
        json!({ "name": "Name", "type": "title" }),
        json!({ "name": "Shade", "type": "select", "config": options }),
        json!({ "name": "Colors", "type": "multi_select", "config": options }),
        json!({ "name": "State", "type": "status", "config": options }),
        json!({ "name": "Files", "type": "files", "config": { "maxFiles": 2, "acceptedMimeTypes": ["image/*"] } }),
        json!({ "name": "Owner", "type": "text", "required": true }),
        json!({ "name": "Source", "type": "text", "default": { "text": "form" } }),
    ];
    let plain = ["text", "rich_text", "number", "date", "date_range", "email", "phone", "url", "checkbox", "person"];
    sent.extend(plain.iter().map(|kind| json!({ "name": kind, "type": kind })));
    schema_of(Value::Array(sent))
}

pub(crate) fn schema_of(sent: Value) -> Schema {
    let mut drawn = 0;
    let mut draw = || {
        drawn += 1;
        PropertyId::new(1_790_000_000_000, [0, 0, 0, 0, 0, 0, 0, 0, 0, drawn])
    };
    let reverse_name = PropertyName::from_stored("Reverse".to_owned());
    let drafts = read_drafts(Some(sent), &mut ConfigInputs { draw: &mut draw, reverse_name: &reverse_name }).unwrap();
    let mut schemas = Schemas::default();
    schemas.create(DatabaseId::EXAMPLE, drafts, Timestamp::from_millis(0), &mut draw).unwrap();
    schemas.get(DatabaseId::EXAMPLE).unwrap().clone()
}

/// The id of a property.
pub(crate) fn property(schema: &Schema, name: &str) -> PropertyId {
    schema.by_name(name).unwrap().id
}

pub(crate) fn map(sent: Value) -> Map<String, Value> {
    sent.as_object().unwrap().clone()
}

/// The id of the question that was created as this one.
pub(crate) fn id(number: u8) -> QuestionId {
    QuestionId::new(1_790_000_000_000, [0, 0, 0, 0, 0, 0, 0, 0, 0, number])
}

/// Runs a change whose new questions have the ids from this one on.
pub(crate) fn with<T>(schema: &Schema, first: u8, change: impl FnOnce(&mut Builder<'_>) -> T) -> T {
    let mut next = first;
    let mut draw = || {
        next += 1;
        id(next - 1)
    };
    change(&mut Builder { schema, draw: &mut draw })
}

/// A new form as it is sent.
pub(crate) fn create(schema: &Schema, sent: Value) -> Result<Form, FormFault> {
    with(schema, 1, |builder| Form::create(map(sent), builder)).map(|draft| draft.form)
}

/// A form with these questions; the first one has the id 1.
pub(crate) fn form(schema: &Schema, questions: Value) -> Form {
    create(schema, json!({ "name": "Contact", "questions": questions })).unwrap()
}

/// A change of a form; new questions have the ids from 100 on.
pub(crate) fn change(form: &Form, schema: &Schema, sent: Value) -> Result<Form, FormFault> {
    with(schema, 100, |builder| form.change(map(sent), builder)).map(|draft| draft.form)
}

/// A question with a label.
pub(crate) fn question(kind: &str, more: Value) -> Value {
    let mut sent = json!({ "type": kind, "label": kind });
    sent.as_object_mut().unwrap().extend(map(more));
    sent
}

/// The violations of a body, as fields and issues.
pub(crate) fn violations<T: std::fmt::Debug>(result: Result<T, FormFault>) -> Vec<(String, &'static str)> {
    match result {
        Err(FormFault::Invalid(flaws)) => flaws.into_iter().map(|flaw| (flaw.field, flaw.issue.name())).collect(),
        other => panic!("{other:?}"),
    }
}

/// What is wrong with the answers to a form with these questions.
pub(crate) fn problems(form: &Form, schema: &Schema, answers: Value) -> Vec<(QuestionId, &'static str)> {
    let answers = Answers::read(map(json!({ "answers": answers }))).unwrap();
    let problems = form.accept(answers, schema).err().unwrap_or_default();
    assert!(problems.iter().all(|problem| problem.message.ends_with('.')), "{problems:?}");
    problems.into_iter().map(|problem| (problem.question, problem.code.name())).collect()
}
