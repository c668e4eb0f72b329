//! Filters, sorts, groups and aggregates as JSON Schema, for the description of the API.

use super::{
    AggregateFunction, Direction, Filter,
    comparison::{MAX_DAYS, MAX_LISTED, Operands, shape::Shape},
};
use crate::{read::id_pattern, types::Operator};
use octavo_core_model::id::{FileId, PropertyId, RecordId, UserId};
use serde_json::{Value, json};

/// What an operator does, in one sentence.
pub const fn operator(operator: Operator) -> &'static str {
    match operator {
        Operator::IsEmpty => "The record has no value.",
        Operator::IsNotEmpty => "The record has a value.",
        Operator::Is => {
            "The value is the same: texts whatever their case, lists in any order, dates with the same start and end."
        }
        Operator::IsNot => "The value is another one, or there is none.",
        Operator::Equals => "Like `is`; of dates only the start is compared.",
        Operator::NotEquals => "Like `is_not`; of dates only the start is compared.",
        Operator::Contains => "The text contains this one, whatever the case.",
        Operator::DoesNotContain => "The text does not contain this one, or there is none.",
        Operator::StartsWith => "The text starts with this one, whatever the case.",
        Operator::EndsWith => "The text ends with this one, whatever the case.",
        Operator::GreaterThan => "The number is greater.",
        Operator::LessThan => "The number is less.",
        Operator::GreaterOrEqual => "The number is greater or the same.",
        Operator::LessOrEqual => "The number is less or the same.",
        Operator::ContainsAny => "The value has at least one of these.",
        Operator::ContainsAll => "The value has all of these.",
        Operator::Before => "The start is before this date.",
        Operator::After => "The start is after this date.",
        Operator::Between => "The start is between these dates, or is one of them.",
        Operator::OnOrBefore => "The start is this date or before it.",
        Operator::OnOrAfter => "The start is this date or after it.",
        Operator::IsThisWeek => "The start is in the present week, which begins on Monday.",
        Operator::IsThisMonth => "The start is in the present month.",
        Operator::WithinNextDays => "The start is today or at most this number of days later.",
        Operator::IsPast => {
            "The end is before today, or before now if it has a time; the start counts if there is no end."
        }
        Operator::IsFuture => "The start is after today, or after now if it has a time.",
        Operator::IsCurrentUser => "The caller is one of the persons.",
    }
}

/// A filter tree as the variants of a union that `op` tells apart; `tree` is the schema of the union.
pub fn filter_variants(tree: &Value) -> Vec<(&'static str, Value)> {
    let group = |description: &str, op: &'static str, most: usize| {
        let conditions = json!({ "type": "array", "items": tree, "minItems": 1, "maxItems": most });
        let schema = json!({
            "type": "object",
            "description": description,
            "properties": { "op": { "type": "string", "enum": [op] }, "conditions": conditions },
            "required": ["op", "conditions"],
        });
        (op, schema)
    };
    let mut variants = vec![
        group("All conditions hold.", "and", Filter::MAX_LEAVES),
        group("At least one condition holds.", "or", Filter::MAX_LEAVES),
        group("The condition does not hold.", "not", 1),
    ];
    variants.extend(Operator::ALL.iter().map(|operator| (operator.name(), leaf(*operator))));
    variants
}

/// A condition with this operator.
fn leaf(op: Operator) -> Value {
    let mut schema = json!({
        "type": "object",
        "description": operator(op),
        "properties": { "op": { "type": "string", "enum": [op] }, "propertyId": property_id() },
        "required": ["op", "propertyId"],
    });
    let mut operands: Vec<_> = shapes(op).into_iter().flat_map(operand).collect();
    operands.dedup();
    if !operands.is_empty() {
        schema["properties"]["value"] = json!({ "anyOf": operands });
        schema["required"] = json!(["op", "propertyId", "value"]);
    }
    schema
}

/// The forms that the operand of an operator can have, depending on the property.
fn shapes(operator: Operator) -> Vec<Shape> {
    const ALL: [Operands; 11] = [
        Operands::Text,
        Operands::Number,
        Operands::Options,
        Operands::Date,
        Operands::Checkbox,
        Operands::Persons,
        Operands::Records,
        Operands::Files,
        Operands::UniqueId,
        Operands::Computed,
        Operands::Nothing,
    ];
    let used: Vec<_> = ALL.iter().filter_map(|operands| Shape::of(*operands, operator)).collect();
    Shape::ALL.into_iter().filter(|shape| used.contains(shape)).collect()
}

/// An operand in its shape, and the value alone.
fn operand(shape: Shape) -> Vec<Value> {
    let date = || json!({ "type": "string", "description": "YYYY-MM-DD or a time as in RFC 3339" });
    let object = |key: &str, inner: &Value| json!({ "type": "object", "description": shape.words(), "properties": { key: inner }, "required": [key] });
    let both = |key: &str, inner: Value| vec![object(key, &inner), inner];
    let ids = |pattern: String| json!({ "type": "array", "items": { "type": "string", "pattern": pattern }, "minItems": 1, "maxItems": MAX_LISTED });
    let span = |end: Value, required: &[&str]| {
        json!({
            "type": "object",
            "description": shape.words(),
            "properties": { "start": date(), "end": end },
            "required": required,
        })
    };
    let date_or_null = || json!({ "type": ["string", "null"], "description": "like `start`" });
    match shape {
        Shape::None => Vec::new(),
        Shape::Text => both("text", json!({ "type": "string", "maxLength": 100_000 })),
        Shape::Number => both("value", json!({ "type": "number" })),
        Shape::Boolean => both("value", json!({ "type": "boolean" })),
        Shape::Options => {
            let option = json!({ "type": "string", "maxLength": 100 });
            let list = json!({ "type": "array", "items": option, "minItems": 1, "maxItems": MAX_LISTED });
            [both("optionId", option), both("optionIds", list)].concat()
        }
        Shape::Span => vec![span(date_or_null(), &["start"]), date()],
        Shape::Date => both("value", date()),
        Shape::Range => vec![span(date(), &["start", "end"])],
        Shape::Days => both("days", json!({ "type": "integer", "minimum": 0, "maximum": MAX_DAYS })),
        Shape::Users => both("userIds", ids(id_pattern(UserId::PREFIX))),
        Shape::Records => both("recordIds", ids(id_pattern(RecordId::PREFIX))),
        Shape::Files => both("fileIds", ids(id_pattern(FileId::PREFIX))),
        Shape::UniqueId => both("value", json!({ "type": ["string", "integer"], "maxLength": 100 })),
        Shape::Scalar => both("value", json!({ "type": ["number", "string", "boolean"] })),
    }
}

/// An entry of a sort or of a group.
pub fn sort_key() -> Value {
    json!({
        "type": "object",
        "properties": {
            "propertyId": property_id(),
            "direction": { "type": "string", "enum": Direction::ALL, "default": Direction::Ascending },
        },
        "required": ["propertyId"],
    })
}

/// An entry of the aggregates of a query.
pub fn aggregate() -> Value {
    json!({
        "type": "object",
        "properties": {
            "propertyId": {
                "type": "string",
                "description": "The id of a property, or `*` for the records themselves, with COUNT only.",
            },
            "fn": { "type": "string", "enum": AggregateFunction::ALL },
        },
        "required": ["propertyId", "fn"],
    })
}

fn property_id() -> Value {
    json!({ "type": "string", "pattern": id_pattern(PropertyId::PREFIX) })
}
