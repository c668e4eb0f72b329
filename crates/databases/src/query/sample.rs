//! A database with a property of each type, for tests.

use crate::{
    property::Property,
    schema::Schema,
    types::{PropertyConfig, PropertyType},
};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
    position::Position,
    text::PropertyName,
};
use serde_json::{Map, Value, json};

/// The id of the property with this type.
pub(crate) fn id_of(kind: PropertyType) -> PropertyId {
    let index = PropertyType::ALL.iter().position(|known| *known == kind).and_then(|index| u8::try_from(index).ok());
    PropertyId::new(1, [index.unwrap_or(u8::MAX); 10])
}

/// An id that no property has.
pub(crate) fn unknown_id() -> PropertyId {
    PropertyId::new(2, [200; 10])
}

/// The id of a second rollup, whose values are not always numbers.
pub(crate) fn largest_id() -> PropertyId {
    PropertyId::new(1, [100; 10])
}

fn config_of(kind: PropertyType) -> Value {
    match kind {
        PropertyType::Select | PropertyType::MultiSelect | PropertyType::Status => json!({
            "options": [
                { "id": "opt-done", "name": "Done", "color": "green" },
                { "id": "opt-open", "name": "Open", "color": "red" },
            ],
        }),
        PropertyType::Relation => json!({ "targetDatabaseId": DatabaseId::EXAMPLE, "cardinality": "many_to_many" }),
        PropertyType::Rollup => rollup("COUNT"),
        PropertyType::Formula => json!({ "expression": "1" }),
        PropertyType::UniqueId => json!({ "prefix": "TASK" }),
        _ => json!({}),
    }
}

fn rollup(aggregate: &str) -> Value {
    let relation = id_of(PropertyType::Relation);
    json!({ "relationPropertyId": relation, "targetPropertyId": unknown_id(), "aggregate": aggregate })
}

fn property(id: PropertyId, slot: u32, name: &str, kind: PropertyType, config: Value) -> Option<Property> {
    let config: Map<_, _> = serde_json::from_value(config).ok()?;
    Some(Property {
        id,
        database: DatabaseId::EXAMPLE,
        slot,
        name: PropertyName::from_stored(name.to_owned()),
        position: Position::after(None),
        is_visible: true,
        required: false,
        config: PropertyConfig::from_stored(kind, config)?,
        default: None,
        created_at: Timestamp::from_millis(0),
    })
}

/// A database with a property of each type, named like its type, and the rollup `largest`.
pub(crate) fn schema() -> Schema {
    let all = (1..).zip(PropertyType::ALL);
    let each = all.map(|(slot, kind)| property(id_of(*kind), slot, kind.name(), *kind, config_of(*kind)));
    let largest = property(largest_id(), 100, "largest", PropertyType::Rollup, rollup("MAX"));
    let properties: Vec<_> = each.chain([largest]).flatten().collect();
    assert_eq!(properties.len(), PropertyType::ALL.len() + 1, "every configuration is one of its type");
    Schema::from_stored(DatabaseId::EXAMPLE, 1, 101, properties)
}
