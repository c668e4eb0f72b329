//! Settings as JSON.

use super::{Axis, ChartColor, ChartSettings};
use octavo_databases::{query::Bucket, value::Number};
use serde_json::{Value, json};

impl ChartSettings {
    /// The settings as they are shown and stored.
    pub fn to_json(&self) -> Value {
        let Self { figure, labels, legend, .. } = self;
        let number = |number: Option<Number>| number.map(Number::to_json);
        json!({
            "chartType": figure.kind(),
            "axes": {
                "x": figure.x().map(axis),
                "series": figure.series().map(axis),
                "xLabel": labels.x,
                "yLabel": labels.y,
                "yMin": number(labels.y_min),
                "yMax": number(labels.y_max),
            },
            "aggregation": self.aggregation.to_json(),
            "filter": self.filter,
            "sort": self.sort,
            "maxPoints": self.max_points.get(),
            "includeEmpty": self.include_empty,
            "includeArchived": self.include_archived,
            "stacked": self.stacked,
            "cumulative": self.cumulative,
            "color": self.color.as_ref().map(ChartColor::as_str),
            "legend": { "show": legend.is_shown, "position": legend.position },
        })
    }
}

impl ChartColor {
    /// The name of the colour, or `#rrggbb`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Named(color) => color.name(),
            Self::Rgb(color) => color.as_str(),
        }
    }
}

fn axis(axis: Axis) -> Value {
    let bucket = axis.bucket.map(|bucket| match bucket {
        Bucket::Time(bucket) => json!(bucket),
        Bucket::Number(width) => Number::new(width.get()).map_or(Value::Null, Number::to_json),
    });
    json!({ "propertyId": axis.property, "bucket": bucket })
}
