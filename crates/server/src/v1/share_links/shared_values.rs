//! Properties, views and values as a share link shows them.

use crate::{
    v1::records::values::put_value,
    wire::{Documented, Named, Writable, reference},
};
use octavo_app::{
    records::{RecordDetails, facts_of},
    share_links::{SharedDatabase, SharedPeople, SharedPerson},
};
use octavo_core_model::id::{PropertyId, UserId, ViewId};
use octavo_databases::{
    Cell, Property, PropertyConfig, PropertyType,
    cell::ShownCell,
    value::PropertyValue,
    views::{View, ViewType},
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A property as a link shows it.
#[derive(Clone, Debug)]
pub(crate) struct SharedPropertyReply(Value);

impl SharedPropertyReply {
    /// Defaults can name people, and buttons what they do, so neither is shown.
    pub(super) fn new(shown: &SharedDatabase, property: &Property) -> Self {
        let config = match &property.config {
            PropertyConfig::Relation(relation) => {
                let target = Some(relation.target).filter(|target| shown.targets.contains(target));
                Map::from_iter([
                    ("targetDatabaseId".to_owned(), json!(target)),
                    ("cardinality".to_owned(), json!(relation.cardinality)),
                ])
            }
            PropertyConfig::Button(_) => Map::new(),
            // Its filter can name people, like that of a view.
            PropertyConfig::Rollup(_) => {
                let mut config = shown.schema.config_json(property);
                config.remove("filter");
                config
            }
            _ => shown.schema.config_json(property),
        };
        Self(json!({
            "id": property.id,
            "name": property.name,
            "type": property.kind(),
            "position": property.position.as_str(),
            "isTitle": property.is_title(),
            "isVisible": property.is_visible,
            "config": config,
        }))
    }
}

impl Documented for SharedPropertyReply {
    fn schema() -> Value {
        let types: Vec<_> = PropertyType::ALL.iter().map(|kind| kind.name()).collect();
        json!({
            "type": "object",
            "description": "A property of a database.",
            "properties": {
                "id": PropertyId::schema(),
                "name": { "type": "string", "description": "Its name." },
                "type": { "type": "string", "enum": types },
                "position": { "type": "string", "description": "Its place; keys are compared byte by byte." },
                "isTitle": { "type": "boolean", "description": "Whether it is the title of the records." },
                "isVisible": { "type": "boolean", "description": "Whether views show it unless they say otherwise." },
                "config": {
                    "type": "object",
                    "description": "Its configuration. A relation to a database that the link does not show has null as its target.",
                    "additionalProperties": true,
                },
            },
            "required": ["id", "name", "type", "position", "isTitle", "isVisible", "config"],
        })
    }

    fn example() -> Value {
        json!({
            "id": PropertyId::example(), "name": "Price", "type": "number", "position": "a1", "isTitle": false,
            "isVisible": true, "config": { "format": "currency", "currency": "EUR", "precision": 2 },
        })
    }
}

impl Writable for SharedPropertyReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A view as a link shows it. Its filter can name people, so it is not shown.
#[derive(Clone, Debug)]
pub(crate) struct SharedViewReply(Value);

impl From<&View> for SharedViewReply {
    fn from(view: &View) -> Self {
        Self(json!({
            "id": view.id,
            "name": view.name.as_str(),
            "type": view.kind(),
            "position": view.position.as_str(),
            "config": view.config.to_json(),
            "sort": view.selection.sort.to_json(),
            "group": view.selection.group.to_json(),
            "pageSize": view.page_size.get(),
        }))
    }
}

impl Documented for SharedViewReply {
    fn schema() -> Value {
        let types: Vec<_> = ViewType::ALL.iter().map(|kind| kind.name()).collect();
        let list = |about: &str| json!({ "type": "array", "description": about, "items": { "type": "object" } });
        json!({
            "type": "object",
            "description": "A view of a database.",
            "properties": {
                "id": ViewId::schema(),
                "name": { "type": "string", "description": "Its name." },
                "type": { "type": "string", "enum": types },
                "position": { "type": "string", "description": "Its place; keys are compared byte by byte." },
                "config": { "type": "object", "description": "Its configuration.", "additionalProperties": true },
                "sort": list("By what it sorts records."),
                "group": list("By what it groups them."),
                "pageSize": { "type": "integer", "description": "How many records one answer has." },
            },
            "required": ["id", "name", "type", "position", "config", "sort", "group", "pageSize"],
        })
    }

    fn example() -> Value {
        json!({
            "id": ViewId::example(), "name": "Table", "type": "table", "position": "a0", "config": {}, "sort": [],
            "group": [], "pageSize": 50,
        })
    }
}

impl Writable for SharedViewReply {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The values of a record as a link shows them.
#[derive(Clone, Debug)]
pub(crate) struct SharedValues {
    shown: RecordDetails,
    people: Arc<SharedPeople>,
    select: Option<Arc<[PropertyId]>>,
}

impl SharedValues {
    /// The values of these properties, or of all.
    pub(super) const fn new(
        shown: RecordDetails,
        people: Arc<SharedPeople>,
        select: Option<Arc<[PropertyId]>>,
    ) -> Self {
        Self { shown, people, select }
    }
}

impl Documented for SharedValues {
    fn schema() -> Value {
        let person = json!({
            "type": "object",
            "properties": { "displayName": { "type": "string" }, "avatarUrl": { "type": ["string", "null"] } },
            "required": ["displayName", "avatarUrl"],
        });
        let people = json!({
            "type": "object",
            "description": "The value of a property of the type `person`.",
            "properties": { "userIds": { "type": "array", "items": person } },
            "required": ["userIds"],
        });
        json!({ "type": "object", "additionalProperties": { "anyOf": [reference("PropertyValue"), people] } })
    }

    fn example() -> Value {
        json!({
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX": { "text": "Plan", "marks": [] },
            "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY": { "userIds": [{ "displayName": "Ada", "avatarUrl": null }] },
        })
    }

    fn collect(named: &mut Named) {
        put_value(named);
    }
}

impl Writable for SharedValues {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RecordDetails { record, schema, values, links, computed, .. } = &self.shown;
        let facts = facts_of(record, links, computed);
        let mut map = serializer.serialize_map(None)?;
        let mut show = |property: &Property| match facts.cell(property, values) {
            Cell::Value(PropertyValue::Persons(ids)) => {
                map.serialize_entry(&property.id, &json!({ "userIds": self.persons(ids) }))
            }
            cell => map.serialize_entry(&property.id, &ShownCell { config: &property.config, cell }),
        };
        match &self.select {
            None => schema.properties().iter().try_for_each(&mut show)?,
            Some(ids) => ids.iter().filter_map(|id| schema.property(*id)).try_for_each(&mut show)?,
        }
        map.end()
    }
}

impl SharedValues {
    fn persons(&self, ids: &[UserId]) -> Vec<Value> {
        let person = |id: &UserId| {
            let SharedPerson { display_name, avatar_url } = self.people.get(*id);
            json!({ "displayName": display_name.as_str(), "avatarUrl": avatar_url })
        };
        ids.iter().map(person).collect()
    }
}
