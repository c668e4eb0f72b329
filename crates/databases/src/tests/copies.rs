//! Copies of schemas and views.

use super::sample::{database, id, id_of, schema, schemas};
use crate::{
    Property, PropertyType, Schema,
    copy::{CopiedNames, RelationCopy, copied_properties, copied_view},
    types::{Cardinality, PropertyConfig, RelationConfig, Side},
    views::{StoredView, View, ViewType},
};
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, ViewId},
    position::Position,
    text::ViewName,
};
use serde_json::{Value, json};

const LATER: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// The names of a copy in which every property of both databases has another id.
fn names(of: &[&Schema]) -> CopiedNames {
    let mut names = CopiedNames::default();
    for (number, property) in of.iter().flat_map(|schema| schema.properties()).enumerate() {
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        names.add(property.id, PropertyId::new(7, [number; 10]));
    }
    names.add(database(1), database(11));
    names.add(database(2), database(12));
    names
}

fn copy(original: &Schema, names: &CopiedNames, fate: RelationCopy) -> Vec<Property> {
    copied_properties(original, database(11), names, &|_, _| fate, LATER)
}

fn find(copies: &[Property], kind: PropertyType) -> Option<&Property> {
    copies.iter().find(|property| property.kind() == kind)
}

#[test]
fn a_copy_has_the_same_properties_under_the_same_slots() {
    let (original, target) = (schema(), schemas().get(database(2)).cloned().unwrap_or_else(schema));
    let names = names(&[&original, &target]);
    let copies = copy(&original, &names, RelationCopy::Within);
    assert_eq!(copies.len(), original.properties().len());
    for (copy, original) in copies.iter().zip(original.properties()) {
        assert_eq!((copy.slot, &copy.name, copy.kind()), (original.slot, &original.name, original.kind()));
        assert_eq!((copy.database, copy.created_at), (database(11), LATER));
        assert_eq!(Some(copy.id), names.property(original.id));
        assert_ne!(copy.id, original.id);
    }
    let rollup = find(&copies, PropertyType::Rollup).map(|property| property.config.clone());
    let Some(PropertyConfig::Rollup(rollup)) = rollup else { panic!("no rollup") };
    assert_eq!(Some(rollup.relation), names.property(id_of(PropertyType::Relation)));
    assert_eq!(Some(rollup.target), names.property(id(101)), "a property of the target");
    let formula = find(&copies, PropertyType::Formula).map(|property| property.config.to_json());
    let number = names.property(id_of(PropertyType::Number)).map(|id| id.to_string()).unwrap_or_default();
    assert_eq!(formula.map(|config| config["expression"].clone()), Some(json!(format!("prop(\"{number}\") * 2"))));
    let relation = find(&copies, PropertyType::Relation).and_then(|property| property.config.relation());
    assert_eq!(relation.map(|relation| relation.target), Some(database(12)));
}

#[test]
fn what_is_computed_from_a_relation_goes_with_it() {
    let original = schema();
    let copies = copy(&original, &names(&[&original]), RelationCopy::Dropped);
    assert!(find(&copies, PropertyType::Relation).is_none() && find(&copies, PropertyType::Rollup).is_none());
    assert!(find(&copies, PropertyType::Formula).is_some());
    assert_eq!(copies.len(), original.properties().len() - 2);
}

#[test]
fn a_relation_to_something_else_has_no_reverse() {
    let original = schema();
    for (side, before, after) in [
        (Side::Source, Cardinality::OneToMany, Cardinality::OneToMany),
        (Side::Reverse, Cardinality::OneToMany, Cardinality::ManyToMany),
        (Side::Reverse, Cardinality::OneToOne, Cardinality::OneToOne),
    ] {
        let properties = original.properties().iter().cloned().map(|property| match property.config {
            PropertyConfig::Relation(relation) => {
                let reverse = crate::types::Reverse { property: id(150), name: property.name.clone() };
                let relation = RelationConfig { side, cardinality: before, reverse: Some(reverse), ..relation };
                Property { config: PropertyConfig::Relation(relation), ..property }
            }
            _ => property,
        });
        let original = Schema::from_stored(database(1), 1, original.next_slot(), properties.collect());
        let copies = copy(&original, &names(&[&original]), RelationCopy::ToSame);
        let relation = find(&copies, PropertyType::Relation).and_then(|property| property.config.relation());
        let expected = RelationConfig { target: database(2), cardinality: after, side: Side::Source, reverse: None };
        assert_eq!(relation, Some(&expected));
    }
}

#[test]
fn a_copied_view_names_copies() {
    let original = schema();
    let (status, relation) = (id_of(PropertyType::Status), id_of(PropertyType::Relation));
    let record = RecordId::new(1, [1; 10]);
    let stored = StoredView {
        id: ViewId::LOWEST,
        name: ViewName::from_stored("Board".to_owned()),
        kind: ViewType::Table,
        position: Position::after(None),
        config: json!({ "visibleProperties": [status], "columnWidths": { status.to_string(): 100 } }),
        filter: json!({ "op": "and", "conditions": [
            { "propertyId": relation, "op": "contains_any", "value": { "recordIds": [record] } },
        ] }),
        sort: json!([{ "propertyId": status, "direction": "asc" }]),
        group: Value::Null,
        page_size: 50,
        is_locked: true,
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
    };
    let mut names = names(&[&original]);
    let copied_record = RecordId::new(2, [2; 10]);
    names.add(record, copied_record);
    let view = copied_view(stored, ViewId::new(5, [5; 10]), &names, LATER);
    let copies = copy(&original, &names, RelationCopy::Within);
    let schema = Schema::from_stored(database(11), 1, original.next_slot(), copies);
    let (status, relation) = (names.property(status), names.property(relation));
    let shown = View::from_stored(view, &schema);
    assert!(shown.is_locked && shown.created_at == LATER);
    let config = shown.config.to_json();
    assert_eq!(config["visibleProperties"], json!([status]));
    assert_eq!(config["columnWidths"], json!({ status.map(|id| id.to_string()).unwrap_or_default(): 100 }));
    let filter = shown.selection.filter.as_ref().map(crate::query::Filter::to_json).unwrap_or_default();
    assert_eq!(filter["conditions"][0]["propertyId"], json!(relation));
    assert_eq!(filter["conditions"][0]["value"]["recordIds"], json!([copied_record]));
    assert_eq!(shown.selection.sort.to_json()[0]["propertyId"], json!(status));
}
