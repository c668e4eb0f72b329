//! A database with a property of each type, and one that it is related to.

use crate::{
    PropertyType, Schema, Schemas,
    schema::{PropertyDraft, read_drafts},
    types::ConfigInputs,
};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use serde_json::{Map, Value, json};

pub(super) const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

pub(super) fn database(number: u8) -> DatabaseId {
    DatabaseId::new(1, [number; 10])
}

pub(super) fn id(number: u8) -> PropertyId {
    PropertyId::new(2, [0, 0, 0, 0, 0, 0, 0, 0, 0, number])
}

/// Calls with ids in rising order, beginning with this one.
pub(super) fn with_inputs<T>(first: u8, call: impl FnOnce(&mut ConfigInputs<'_>) -> T) -> T {
    let mut next = first;
    let mut draw = || {
        next += 1;
        id(next - 1)
    };
    let reverse_name = PropertyName::from_stored("Deals".to_owned());
    call(&mut ConfigInputs { draw: &mut draw, reverse_name: &reverse_name })
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

pub(super) fn drafts(sent: Value) -> Vec<PropertyDraft> {
    with_inputs(200, |inputs| read_drafts(Some(sent), inputs)).unwrap_or_else(|flaws| panic!("{flaws:?}"))
}

/// Creates a database whose properties have the ids from `first` on.
pub(super) fn create(schemas: &mut Schemas, number: u8, first: u8, sent: Value) {
    let mut next = first;
    let mut draw = || {
        next += 1;
        id(next - 1)
    };
    let made = schemas.create(database(number), drafts(sent), NOW, &mut draw);
    made.unwrap_or_else(|fault| panic!("{fault:?}"));
}

/// The configuration that properties of a type need at least.
fn config(kind: PropertyType) -> Value {
    match kind {
        PropertyType::Select | PropertyType::MultiSelect | PropertyType::Status => {
            json!({ "options": [{ "name": "To do" }, { "name": "Done" }, { "name": "Later, maybe" }] })
        }
        PropertyType::Relation => json!({ "targetDatabaseId": database(2) }),
        PropertyType::Rollup => {
            json!({ "relationPropertyId": id(position(PropertyType::Relation)), "targetPropertyId": id(101), "aggregate": "SUM" })
        }
        PropertyType::Formula => json!({ "expression": "prop(\"number\") * 2" }),
        _ => json!({}),
    }
}

fn position(kind: PropertyType) -> u8 {
    let at = PropertyType::ALL.iter().position(|other| *other == kind).unwrap_or_default();
    u8::try_from(at).unwrap_or_default()
}

/// The property of a type in [`schemas`].
pub(super) fn id_of(kind: PropertyType) -> PropertyId {
    id(position(kind))
}

/// Database 1 has a property of each type, named after it. Database 2 has a title and a number.
pub(super) fn schemas() -> Schemas {
    let mut schemas = Schemas::default();
    create(&mut schemas, 2, 100, json!([{ "name": "Name", "type": "title" }, { "name": "Worth", "type": "number" }]));
    let all = PropertyType::ALL.iter().map(|kind| json!({ "name": kind, "type": kind, "config": config(*kind) }));
    create(&mut schemas, 1, 0, all.collect());
    schemas
}

pub(super) fn schema() -> Schema {
    schemas().get(database(1)).cloned().unwrap_or_else(|| panic!("it was created"))
}
