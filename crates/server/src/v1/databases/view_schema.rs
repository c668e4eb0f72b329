//! The schemas of views: for each type one, with the configuration of that type.

use crate::wire::{Named, pascal_case, reference, tag, union};
use octavo_databases::{
    query::{MAX_AGGREGATES, describe},
    views::ViewType,
};
use serde_json::{Map, Value, json};

/// Describes views in answers. `view` is the schema of a view of any type.
pub(super) fn put_shown(named: &mut Named, name: &str, view: &Value) {
    put_union(named, name, view, "", ViewType::config_schema);
}

/// Describes views to be created. `view` is the schema of a view of any type.
pub(super) fn put_new(named: &mut Named, name: &str, view: &Value) {
    put_union(named, name, view, "New", sent_config);
}

/// Describes configurations where the type is not named beside them.
pub(super) fn put_any_config(named: &mut Named) {
    let mut keys = Map::new();
    for kind in ViewType::ALL {
        if let Some(Value::Object(own)) = sent_config(*kind).get("properties").cloned() {
            for (key, schema) in own {
                keys.entry(key).or_insert(schema);
            }
        }
    }
    let any = json!({
        "type": "object",
        "description": "The configuration of a view. Which keys it has depends on the type; unknown ones are dropped.",
        "properties": keys,
    });
    named.insert("AnyViewConfig".to_owned(), any);
}

/// Describes filters.
pub(super) fn put_filter(named: &mut Named) {
    let mut members = Vec::new();
    for (op, mut schema) in describe::filter_variants(&reference("Filter")) {
        if let Some(property) = schema.pointer_mut("/properties/propertyId") {
            *property = named_property();
        }
        let name = format!("{}Filter", pascal_case(op));
        named.insert(name.clone(), schema);
        members.push((op, name));
    }
    let about = "Which records are shown: a condition on a property, or a group of conditions. Up to 16 deep.";
    named.insert("Filter".to_owned(), union(about, "op", &members));
}

/// Describes the entries of sorts and groups.
pub(super) fn put_key(named: &mut Named) {
    let mut key = describe::sort_key();
    key["description"] = "A property by whose values records are sorted or grouped.".into();
    key["properties"]["propertyId"] = named_property();
    named.insert("SortKey".to_owned(), key);
}

pub(super) fn list_of_keys(most: usize) -> Value {
    json!({ "type": "array", "items": reference("SortKey"), "maxItems": most })
}

pub(super) fn list_of_aggregates() -> Value {
    json!({ "type": "array", "items": describe::aggregate(), "maxItems": MAX_AGGREGATES })
}

pub(super) fn keys_example() -> Value {
    json!([{ "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "direction": "desc" }])
}

pub(super) fn filter_example() -> Value {
    json!({ "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "op": "greater_than", "value": { "value": 10 } })
}

fn named_property() -> Value {
    json!({
        "type": "string",
        "description": "The id of a property. Views that are created together with their database may name it instead.",
    })
}

/// The configuration as it can be sent: it may name properties that are created in the same request.
fn sent_config(kind: ViewType) -> Value {
    let mut schema = kind.config_schema();
    allow_names(&mut schema);
    schema
}

fn allow_names(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            let is_property = keys.get("pattern").and_then(Value::as_str).is_some_and(|it| it.starts_with("^prop_"));
            if is_property {
                keys.remove("pattern");
            }
            keys.values_mut().for_each(allow_names);
        }
        Value::Array(list) => list.iter_mut().for_each(allow_names),
        _ => {}
    }
}

/// Replaces the schema of a view of any type by a union with a member for each type.
fn put_union(named: &mut Named, name: &str, view: &Value, prefix: &str, config: impl Fn(ViewType) -> Value) {
    let mut members = Vec::new();
    for kind in ViewType::ALL {
        let own_name = format!("{prefix}{}View", pascal_case(kind.name()));
        let mut own = view.clone();
        own["description"] = kind.description().into();
        replace(&mut own["properties"]["type"], tag(&[kind.name()]));
        let nullable = !own["properties"]["config"]["anyOf"].is_null();
        let config = config(*kind);
        replace(
            &mut own["properties"]["config"],
            if nullable { json!({ "anyOf": [config, { "type": "null" }] }) } else { config },
        );
        named.insert(own_name.clone(), own);
        members.push((kind.name(), own_name));
    }
    let about = view["description"].as_str().unwrap_or_default();
    named.insert(name.to_owned(), union(about, "type", &members));
}

/// Replaces the schema of a field and keeps its description.
fn replace(field: &mut Value, mut schema: Value) {
    schema["description"] = field["description"].take();
    *field = schema;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn each_type_has_a_member_in_each_union() {
        let mut named = Named::new();
        let view = json!({ "description": "A view.", "properties": { "type": { "description": "The type." } } });
        put_shown(&mut named, "View", &view);
        put_new(&mut named, "NewView", &view);
        for (union, prefix) in [("View", ""), ("NewView", "New")] {
            let mapping = named[union]["discriminator"]["mapping"].as_object().unwrap();
            assert_eq!(mapping.len(), ViewType::ALL.len(), "{union}");
            for kind in ViewType::ALL {
                let name = format!("{prefix}{}View", pascal_case(kind.name()));
                assert_eq!(mapping[kind.name()], format!("#/components/schemas/{name}"));
                assert_eq!(named[&name]["properties"]["type"]["const"], kind.name());
            }
        }
        let calendar = |prefix: &str| {
            named[&format!("{prefix}CalendarView")]["properties"]["config"]["properties"]["startDatePropertyId"].clone()
        };
        assert!(calendar("")["pattern"].as_str().unwrap().starts_with("^prop_"));
        assert!(calendar("New")["pattern"].is_null(), "a property can be named");
    }

    #[test]
    fn filters_are_described_by_their_operators() {
        let mut named = Named::new();
        put_filter(&mut named);
        let mapping = named["Filter"]["discriminator"]["mapping"].as_object().unwrap();
        assert_eq!(mapping["and"], "#/components/schemas/AndFilter");
        assert_eq!(mapping["starts_with"], "#/components/schemas/StartsWithFilter");
        assert_eq!(named["NotFilter"]["properties"]["conditions"]["maxItems"], 1);
        assert!(named["IsFilter"]["properties"]["propertyId"]["pattern"].is_null());
    }
}
