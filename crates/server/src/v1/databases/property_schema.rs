//! The schemas of properties: for each type one, with the configuration and the value of that type.

use crate::wire::{Documented, Named, pascal_case, reference, tag, union};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
};
use octavo_databases::PropertyType;
use serde_json::{Map, Value, json};

/// Describes properties in answers.
pub(super) fn put_shown(named: &mut Named) {
    put_union(named, "Property", "A property of a database.", |kind| {
        let config = config(kind);
        json!({
            "type": "object",
            "description": kind.facts().description,
            "properties": {
                "id": described(PropertyId::schema(), "The id of the property."),
                "databaseId": described(DatabaseId::schema(), "The database that it belongs to."),
                "name": { "type": "string", "description": "Its name, unique in the database whatever the case." },
                "type": tag(&[kind.name()]),
                "position": { "type": "string", "description": "Its place; keys are compared byte by byte." },
                "isTitle": { "type": "boolean", "description": "Whether it is the title of the records." },
                "isVisible": { "type": "boolean", "description": "Whether views show it unless they say otherwise." },
                "required": { "type": "boolean", "description": "Whether records need a value." },
                "config": config,
                "default": { "anyOf": [kind.value_schema(), { "type": "null" }] },
                "createdAt": described(Timestamp::schema(), "When it was created."),
            },
            "required": [
                "id", "databaseId", "name", "type", "position", "isTitle", "isVisible", "required", "config", "default", "createdAt",
            ],
        })
    });
}

/// Describes properties to be created.
pub(super) fn put_new(named: &mut Named) {
    put_union(named, "NewProperty", "A property to be created.", |kind| {
        let config = config(kind);
        let mut required = vec!["name", "type"];
        if config.get("required").is_some() {
            required.push("config");
        }
        json!({
            "type": "object",
            "description": kind.facts().description,
            "properties": {
                "name": { "type": "string", "minLength": 1, "maxLength": 100 },
                "type": tag(&[kind.name()]),
                "position": { "type": "string", "pattern": "^[0-9A-Za-z]{1,100}$" },
                "isVisible": { "type": "boolean" },
                "required": { "type": "boolean" },
                "config": config,
                "default": { "anyOf": [kind.value_schema(), { "type": "null" }] },
            },
            "required": required,
        })
    });
}

/// Describes configurations where the type is not named beside them.
pub(super) fn put_any_config(named: &mut Named) {
    let mut keys = Map::new();
    for kind in PropertyType::ALL {
        if let Some(Value::Object(own)) = kind.config_schema().get("properties").cloned() {
            for (key, schema) in own {
                keys.entry(key).or_insert(schema);
            }
        }
    }
    let any = json!({
        "type": "object",
        "description": "The configuration of a property; which keys it has depends on the type.",
        "properties": keys,
    });
    named.insert("AnyPropertyConfig".to_owned(), any);
}

fn config(kind: PropertyType) -> Value {
    let mut schema = kind.config_schema();
    schema["description"] = format!("The configuration of `{kind}`.").into();
    schema
}

fn described(mut schema: Value, about: &str) -> Value {
    schema["description"] = about.into();
    schema
}

fn put_union(named: &mut Named, name: &str, about: &str, member: impl Fn(PropertyType) -> Value) {
    let mut members = Vec::new();
    for kind in PropertyType::ALL {
        let own = match name.strip_prefix("New") {
            Some(rest) => format!("New{}{rest}", pascal_case(kind.name())),
            None => format!("{}{name}", pascal_case(kind.name())),
        };
        named.insert(own.clone(), member(*kind));
        members.push((kind.name(), own));
    }
    named.insert(name.to_owned(), union(about, "type", &members));
}

/// A reference to the schema of properties in answers.
pub(super) fn shown() -> Value {
    reference("Property")
}
