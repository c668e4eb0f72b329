//! The schema of the data of events, derived from examples: the catalogue has one for each form that the data can have.

use octavo_core_model::id::PropertyId;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The field with the names of changed fields. Beside it, `before` and `after` have these names as keys.
const CHANGED_FIELDS: &str = "changedFields";
const VALUES_OF_FIELDS: [&str; 2] = ["before", "after"];

/// The schema of values like these. A field that all of them have is required; one that is null in one of them may be
/// null.
pub(super) fn schema_of(examples: &[Value]) -> Value {
    merged(examples).schema()
}

/// What is known about a value.
#[derive(Clone, Debug, Default, PartialEq)]
struct Form {
    shape: Shape,
    is_nullable: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Shape {
    /// No example shows it.
    #[default]
    Unknown,
    /// A value of this type that contains no others.
    Plain(&'static str),
    List(Box<Form>),
    Object(BTreeMap<String, Field>),
    /// An object with any keys.
    Open,
    /// Its examples have different types.
    Mixed,
}

#[derive(Clone, Debug, PartialEq)]
struct Field {
    form: Form,
    is_required: bool,
}

fn merged(examples: &[Value]) -> Form {
    examples.iter().map(Form::of).reduce(Form::merged).unwrap_or_default()
}

impl Form {
    fn of(example: &Value) -> Self {
        let shape = match example {
            Value::Null => Shape::Unknown,
            Value::Bool(_) => Shape::Plain("boolean"),
            Value::Number(number) if number.is_f64() => Shape::Plain("number"),
            Value::Number(_) => Shape::Plain("integer"),
            Value::String(_) => Shape::Plain("string"),
            Value::Array(items) => Shape::List(Box::new(merged(items))),
            Value::Object(fields) => Shape::of_object(fields),
        };
        Self { shape, is_nullable: example.is_null() }
    }

    fn merged(self, other: Self) -> Self {
        Self { shape: self.shape.merged(other.shape), is_nullable: self.is_nullable || other.is_nullable }
    }

    fn schema(&self) -> Value {
        let mut schema = match &self.shape {
            Shape::Unknown | Shape::Mixed => return json!({}),
            Shape::Plain(kind) => json!({ "type": kind }),
            Shape::List(items) => json!({ "type": "array", "items": items.schema() }),
            Shape::Object(fields) => object_schema(fields),
            Shape::Open => json!({ "type": "object", "additionalProperties": true }),
        };
        if self.is_nullable {
            let kind = schema["type"].take();
            schema["type"] = json!([kind, "null"]);
        }
        schema
    }
}

impl Shape {
    fn of_object(fields: &Map<String, Value>) -> Self {
        let has_any_keys = |name: &str| VALUES_OF_FIELDS.contains(&name) && fields.contains_key(CHANGED_FIELDS);
        let field = |(name, value): (&String, &Value)| {
            let is_open = has_any_keys(name) || is_keyed_by_property(value);
            let form = if is_open { Form { shape: Self::Open, is_nullable: false } } else { Form::of(value) };
            (name.clone(), Field { form, is_required: true })
        };
        Self::Object(fields.iter().map(field).collect())
    }

    fn merged(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, known) | (known, Self::Unknown) => known,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.merged(*other))),
            (Self::Object(one), Self::Object(other)) => Self::Object(merged_fields(one, other)),
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }
}

/// Whether the keys of an object are the ids of properties.
fn is_keyed_by_property(value: &Value) -> bool {
    let is_property = |key: &String| key.starts_with(PropertyId::PREFIX);
    value.as_object().is_some_and(|fields| fields.keys().next().is_some_and(is_property))
}

fn merged_fields(mut one: BTreeMap<String, Field>, other: BTreeMap<String, Field>) -> BTreeMap<String, Field> {
    for (name, field) in &mut one {
        field.is_required &= other.contains_key(name);
    }
    for (name, field) in other {
        let merged = match one.remove(&name) {
            Some(known) => {
                Field { form: known.form.merged(field.form), is_required: known.is_required && field.is_required }
            }
            None => Field { is_required: false, ..field },
        };
        one.insert(name, merged);
    }
    one
}

fn object_schema(fields: &BTreeMap<String, Field>) -> Value {
    let properties: Map<_, _> = fields.iter().map(|(name, field)| (name.clone(), field.form.schema())).collect();
    let required: Vec<_> = fields.iter().filter(|(_, field)| field.is_required).map(|(name, _)| name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_fits_all_examples() {
        let examples = [
            json!({ "id": "a", "teamId": "b", "count": 1, "list": [], "at": [{ "parentId": null }] }),
            json!({ "id": "a", "teamId": null, "count": 2, "list": ["x"], "at": [{ "parentId": "a", "via": "b" }] }),
            json!({ "id": "a", "teamId": "b", "list": [], "at": [], "share": 0.5, "isLast": true }),
        ];
        let place = json!({
            "type": "object",
            "properties": { "parentId": { "type": ["string", "null"] }, "via": { "type": "string" } },
            "required": ["parentId"],
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "at": { "type": "array", "items": place },
                "count": { "type": "integer" },
                "id": { "type": "string" },
                "isLast": { "type": "boolean" },
                "list": { "type": "array", "items": { "type": "string" } },
                "share": { "type": "number" },
                "teamId": { "type": ["string", "null"] },
            },
            "required": ["at", "id", "list", "teamId"],
        });
        assert_eq!(schema_of(&examples), expected);
    }

    #[test]
    fn old_and_new_values_of_changed_fields_can_have_any_key() {
        let change = json!({ "changedFields": ["title"], "before": { "title": "a" }, "after": { "title": "b" } });
        let open = json!({ "type": "object", "additionalProperties": true });
        let schema = schema_of(&[change]);
        assert_eq!([&schema["properties"]["before"], &schema["properties"]["after"]], [&open, &open]);
        let access = schema_of(&[json!({ "before": { "role": "ADMIN" } }), json!({ "before": null })]);
        let role = json!({ "role": { "type": "string" } });
        let expected = json!({ "type": ["object", "null"], "properties": role, "required": ["role"] });
        assert_eq!(access["properties"]["before"], expected);
    }

    #[test]
    fn what_the_examples_do_not_agree_on_can_be_anything() {
        assert_eq!(schema_of(&[json!({ "a": 1 }), json!({ "a": "1" })])["properties"]["a"], json!({}));
        assert_eq!(schema_of(&[json!({ "a": null })])["properties"]["a"], json!({}));
    }
}
