//! Computed values in the form of the API.

use super::types::name_without_value;
use octavo_databases::{Property, PropertyConfig, PropertyType, types::Aggregate, value::Number};
use octavo_formula::Types;
use octavo_query_engine::{ComputedValue, Item};
use serde_json::{Value, json};

/// A computed value in the form of the API; `types` are those that its property can have.
pub(super) fn shown(property: &Property, types: Types, value: ComputedValue<'_>) -> Value {
    if property.kind() == PropertyType::Formula { formula(types, value) } else { rollup(property, value) }
}

fn formula(types: Types, value: ComputedValue<'_>) -> Value {
    let kind = match value {
        ComputedValue::Error(error) => return json!({ "value": null, "type": "error", "error": error }),
        ComputedValue::Number(_) => "number",
        ComputedValue::Boolean(_) => "boolean",
        ComputedValue::Date(_) => "date",
        ComputedValue::Text(_) | ComputedValue::List(_) => "text",
        ComputedValue::Null => name_without_value(types),
    };
    json!({ "value": plain(value), "type": kind })
}

fn rollup(property: &Property, value: ComputedValue<'_>) -> Value {
    let is_list = matches!(&property.config, PropertyConfig::Rollup(config) if config.aggregate == Aggregate::Unique);
    match value {
        ComputedValue::List(items) => json!({ "values": items.iter().map(item).collect::<Vec<_>>() }),
        _ if is_list => json!({ "values": [] }),
        value => json!({ "value": plain(value) }),
    }
}

fn plain(value: ComputedValue<'_>) -> Value {
    match value {
        ComputedValue::Null | ComputedValue::Error(_) => Value::Null,
        ComputedValue::Number(number) => Number::new(number).map_or(Value::Null, Number::to_json),
        ComputedValue::Text(text) => json!(text),
        ComputedValue::Boolean(boolean) => json!(boolean),
        ComputedValue::Date(moment) => json!(moment.to_string()),
        ComputedValue::List(items) => items.iter().map(item).collect(),
    }
}

fn item(item: &Item) -> Value {
    plain(item.value())
}
