//! The settings as JSON Schema.

use super::{ChartSort, ChartType, Labels, LegendPosition, MaxPoints};
use octavo_core_model::id::PropertyId;
use octavo_databases::{
    options::OptionColor,
    query::{AggregateFunction, TimeBucket},
    read::id_pattern,
};
use serde_json::{Value, json};

/// The types of charts.
pub fn chart_type() -> Value {
    json!({ "type": "string", "enum": ChartType::ALL })
}

/// The axes.
pub fn axes() -> Value {
    let label = || json!({ "type": ["string", "null"], "maxLength": Labels::MAX });
    json!({
        "type": "object",
        "properties": {
            "x": axis("The property whose values become points; null for a chart of the type number."),
            "series": axis("The property whose values become series; only for charts of the types bar, line and area."),
            "xLabel": label(),
            "yLabel": label(),
            "yMin": { "type": ["number", "null"], "description": "The lower end of the vertical axis." },
            "yMax": { "type": ["number", "null"], "description": "The upper end of the vertical axis, above `yMin`." },
        },
    })
}

fn axis(about: &str) -> Value {
    let bucket = json!({
        "description": "The ranges whose records form one point: spans of the calendar for dates (`month` if left out; \
            weeks begin on Monday), the width of bins for numbers. Other properties have none.",
        "anyOf": [
            { "type": "string", "enum": TimeBucket::ALL },
            { "type": "number", "exclusiveMinimum": 0 },
            { "type": "null" },
        ],
    });
    json!({
        "description": about,
        "type": ["object", "null"],
        "properties": {
            "propertyId": { "type": "string", "pattern": id_pattern(PropertyId::PREFIX) },
            "bucket": bucket,
        },
        "required": ["propertyId"],
    })
}

/// What is computed over the records of a point.
pub fn aggregation() -> Value {
    json!({
        "type": "object",
        "properties": {
            "fn": { "type": "string", "enum": AggregateFunction::ALL, "default": "COUNT" },
            "propertyId": { "type": "string", "description": "A property, or `*` for the records themselves." },
        },
    })
}

/// The order of the points.
pub fn sort() -> Value {
    json!({ "type": "string", "enum": ChartSort::ALL, "default": "key_asc" })
}

/// How many points there are.
pub fn max_points() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": MaxPoints::MOST, "default": MaxPoints::default().get() })
}

/// The colour.
pub fn color() -> Value {
    let names: Vec<_> = OptionColor::ALL.iter().map(|color| color.name()).collect();
    json!({ "type": "string", "pattern": format!("^({}|#[0-9a-fA-F]{{6}})$", names.join("|")) })
}

/// The legend.
pub fn legend() -> Value {
    json!({
        "type": "object",
        "properties": {
            "show": { "type": "boolean", "default": true },
            "position": { "type": "string", "enum": LegendPosition::ALL, "default": "top" },
        },
    })
}

/// An example of axes.
pub fn axes_example() -> Value {
    super::read::example()["axes"].clone()
}
