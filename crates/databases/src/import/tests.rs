//! Mappings of imported columns to properties.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use crate::{
    Schemas,
    csv::{ColumnKind, Columns, Detector, Next, Reader},
    property::Property,
    schema::{Schema, read_drafts},
    types::ConfigInputs,
};
use octavo_core_model::{
    Timestamp,
    fault::Issue,
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use serde_json::{Value, json};

fn with_inputs<T>(run: impl FnOnce(&mut ConfigInputs<'_>) -> T) -> T {
    let mut draw = || PropertyId::LOWEST;
    run(&mut ConfigInputs { draw: &mut draw, reverse_name: &PropertyName::from_stored("Other".to_owned()) })
}

fn schema(properties: Value) -> Schema {
    let drafts = with_inputs(|inputs| read_drafts(Some(properties), inputs)).unwrap();
    let mut last = 0;
    let mut draw = || {
        last += 1;
        PropertyId::new(1, [last; 10])
    };
    let mut schemas = Schemas::default();
    schemas.create(DatabaseId::EXAMPLE, drafts, Timestamp::from_millis(0), &mut draw).unwrap();
    schemas.get(DatabaseId::EXAMPLE).unwrap().clone()
}

fn columns(header: &str) -> Columns {
    let mut detector = Detector::new();
    detector.push(header.as_bytes());
    let detected = detector.finish(None);
    let mut reader = Reader::new(detected.dialect, detected.header);
    reader.push(header.as_bytes());
    reader.finish();
    let Next::Row(row) = reader.next_row() else { panic!("no header") };
    Columns::below(&row)
}

fn mapping(sent: &Value) -> Mapping {
    Mapping::read(sent.as_object().cloned().unwrap()).unwrap()
}

fn issues(fault: MappingFault) -> Vec<(String, Issue)> {
    match fault {
        MappingFault::Invalid(flaws) => flaws.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect(),
        MappingFault::Taken(field) => vec![(field, Issue::Duplicate)],
    }
}

fn contacts() -> Schema {
    schema(json!([
        { "name": "Name", "type": "title" },
        { "name": "Age", "type": "number" },
        { "name": "Added", "type": "created_time" },
    ]))
}

fn bound(header: &str, sent: &Value) -> Result<Bound, MappingFault> {
    with_inputs(|inputs| bind(&contacts(), &columns(header), &mapping(sent), inputs))
}

fn places(bound: &Bound) -> Vec<(usize, String)> {
    let schema = contacts();
    let name = |id| schema.property(id).map(|property: &Property| property.name.to_string()).unwrap();
    bound.columns.iter().map(|column| (column.index, name(column.property))).collect()
}

#[test]
fn columns_belong_to_the_properties_with_their_names() {
    let bound = bound(" AGE ,City,name,Added", &json!({})).unwrap();
    assert_eq!(places(&bound), [(0, "Age".to_owned()), (2, "Name".to_owned())]);
    assert_eq!(
        bound.warnings,
        [ColumnWarning::Unknown("City".to_owned()), ColumnWarning::ReadOnly("Added".to_owned())]
    );
}

#[test]
fn a_mapping_decides_before_names_do() {
    let schema = contacts();
    let age = schema.by_name("Age").unwrap().id;
    let bound = bound("Years,Age,Name,Note", &json!({ "years": age, "Note": null })).unwrap();
    assert_eq!(places(&bound), [(0, "Age".to_owned()), (2, "Name".to_owned())]);
    assert_eq!(bound.warnings, [ColumnWarning::Occupied("Age".to_owned())]);
}

#[test]
fn a_mapping_adds_properties_or_finds_those_of_the_same_type() {
    let sent = json!({ "A": { "name": "age", "type": "number" }, "B": { "name": "City", "type": "text" } });
    let found = bound("A,B", &sent).unwrap();
    assert_eq!(places(&found), [(0, "Age".to_owned())]);
    assert_eq!((found.added.len(), found.added[0].0, found.added[0].2.name.as_str()), (1, 1, "City"));
    let other_type = bound("A,B", &json!({ "A": { "name": "Age", "type": "text" } })).unwrap_err();
    assert_eq!(issues(other_type), [("mapping.A.name".to_owned(), Issue::Duplicate)]);
}

#[test]
fn what_a_mapping_cannot_mean_is_refused() {
    let stranger = PropertyId::new(9, [9; 10]);
    let age = contacts().by_name("Age").unwrap().id;
    for (sent, field, issue) in [
        (json!({ "Nobody": null }), "mapping.Nobody", Issue::UnknownField),
        (json!({ "A": stranger }), "mapping.A", Issue::InvalidValue),
        (json!({ "A": age, "B": age }), "mapping.B", Issue::InvalidValue),
        (json!({ "A": null, "a": null }), "mapping.a", Issue::InvalidValue),
        (
            json!({ "A": { "name": "X", "type": "formula", "config": { "expression": "1" } } }),
            "mapping.A.type",
            Issue::InvalidValue,
        ),
        (json!({ "A": { "name": "X" } }), "mapping.A.type", Issue::Required),
    ] {
        assert_eq!(issues(bound("A,B", &sent).unwrap_err()), [(field.to_owned(), issue)], "{sent}");
    }
    for sent in [json!({ "A": 1 }), json!({ "A": "x" }), json!({ "A": [] })] {
        assert!(Mapping::read(sent.as_object().cloned().unwrap()).is_err(), "{sent}");
    }
}

fn drafted(header: &str, kinds: &[ColumnKind], sent: &Value) -> Result<Vec<(String, String)>, MappingFault> {
    let drafted = with_inputs(|inputs| draft(&columns(header), kinds, &mapping(sent), inputs))?;
    let shown = |draft: &crate::schema::PropertyDraft| (draft.name.to_string(), draft.config.kind().name().to_owned());
    Ok(drafted.properties.iter().map(shown).collect())
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(name, kind)| (name.to_owned(), kind.to_owned())).to_vec()
}

#[test]
fn a_new_database_has_the_guessed_properties() {
    let kinds = [ColumnKind::Title, ColumnKind::Number, ColumnKind::Select { options: vec!["A".to_owned()] }];
    let plain = drafted("Name,Age,Stage", &kinds, &json!({})).unwrap();
    assert_eq!(plain, pairs([("Name", "title"), ("Age", "number"), ("Stage", "select")]));
    let sent = json!({ "Age": { "name": "Years", "type": "text" }, "Stage": { "name": "Step" } });
    let mapped = drafted("Name,Age,Stage", &kinds, &sent).unwrap();
    assert_eq!(mapped, pairs([("Name", "title"), ("Years", "text"), ("Step", "select")]));
}

#[test]
fn a_new_database_always_has_one_title() {
    let kinds = [ColumnKind::Title, ColumnKind::Email];
    let other = drafted("Id,Mail", &kinds, &json!({ "Mail": { "name": "Mail", "type": "title" } })).unwrap();
    assert_eq!(other, pairs([("Id", "text"), ("Mail", "title")]));
    let without = drafted("Id,Name", &kinds, &json!({ "Id": null })).unwrap();
    assert_eq!(without, pairs([("Name 2", "title"), ("Name", "email")]));
    let both = json!({ "Id": { "type": "title" }, "Mail": { "type": "title" } });
    assert_eq!(
        issues(drafted("Id,Mail", &kinds, &both).unwrap_err()),
        [("mapping.Mail.type".to_owned(), Issue::InvalidValue)]
    );
}

#[test]
fn names_of_new_properties_differ() {
    let kinds = [ColumnKind::Title, ColumnKind::Text];
    let fault = drafted("A,B", &kinds, &json!({ "B": { "name": "a", "type": "text" } })).unwrap_err();
    assert_eq!(issues(fault), [("mapping.B.name".to_owned(), Issue::Duplicate)]);
    let fault = drafted("A,B", &kinds, &json!({ "A": { "name": "B", "type": "title" } })).unwrap_err();
    assert_eq!(issues(fault), [("mapping.B.name".to_owned(), Issue::Duplicate)]);
}
