//! The settings of a chart as callers send them. They are read by the use case.

use crate::v1::databases::sent::sent;
use crate::wire::{Documented, Readable};
use octavo_charts::describe;
use octavo_core_model::fault::{Issue, Violation};
use serde_json::{Value, json};

sent! {
    /// The axes of a chart.
    SentAxes: describe::axes(), describe::axes_example();
    /// What a chart computes over the records of a point.
    SentAggregation: describe::aggregation(), json!({ "fn": "COUNT", "propertyId": "*" });
    /// How many points a chart has at most.
    SentMaxPoints: describe::max_points(), json!(50);
    /// The colour of a chart.
    SentChartColor: describe::color(), json!("blue");
    /// The legend of a chart.
    SentLegend: describe::legend(), json!({ "show": true, "position": "top" });
}
