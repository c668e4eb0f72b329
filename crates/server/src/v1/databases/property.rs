//! The representation of a property.

use super::property_schema;
use crate::wire::{Documented, Named, Writable};
use octavo_app::databases::ChangedProperty;
use octavo_databases::{Property, Schema};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A property as it is shown. Its configuration depends on its type.
#[derive(Clone, Debug)]
pub(crate) struct PropertyReply(Value);

impl PropertyReply {
    pub(super) fn new(schema: &Schema, property: &Property) -> Self {
        Self(schema.property_json(property))
    }

    /// The properties of a database in their order.
    pub(super) fn all(schema: &Schema) -> Vec<Self> {
        schema.properties().iter().map(|property| Self::new(schema, property)).collect()
    }

    /// The property that was added or changed.
    pub(super) fn changed(changed: &ChangedProperty) -> Self {
        let found = changed.schema.property(changed.property);
        found.map_or_else(|| Self(Value::Null), |property| Self::new(&changed.schema, property))
    }

    /// The same, with the number of records that lost a value.
    pub(super) fn with_affected_records(changed: &ChangedProperty) -> AffectedPropertyReply {
        let mut shown = Self::changed(changed).0;
        shown["affectedRecords"] = changed.affected_records.into();
        AffectedPropertyReply(shown)
    }
}

impl Documented for PropertyReply {
    fn schema() -> Value {
        property_schema::shown()
    }

    fn example() -> Value {
        json!({
            "id": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "databaseId": "db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
            "name": "Price",
            "type": "number",
            "position": "a1",
            "isTitle": false,
            "isVisible": true,
            "required": false,
            "config": { "format": "currency", "currency": "EUR", "precision": 2 },
            "default": null,
            "createdAt": "2026-11-24T09:30:00.000Z",
        })
    }

    fn collect(named: &mut Named) {
        property_schema::put_shown(named);
    }
}

impl Writable for PropertyReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A property that was changed.
#[derive(Clone, Debug)]
pub(crate) struct AffectedPropertyReply(Value);

impl Documented for AffectedPropertyReply {
    fn schema() -> Value {
        let count = json!({
            "type": "integer",
            "description": "How many records lost a value because options are gone.",
        });
        json!({ "allOf": [
            property_schema::shown(),
            { "type": "object", "properties": { "affectedRecords": count }, "required": ["affectedRecords"] },
        ] })
    }

    fn example() -> Value {
        let mut example = PropertyReply::example();
        example["affectedRecords"] = 0.into();
        example
    }

    fn collect(named: &mut Named) {
        property_schema::put_shown(named);
    }
}

impl Writable for AffectedPropertyReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
