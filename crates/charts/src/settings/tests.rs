//! The settings of charts, as they are read and stored.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::float_cmp,
    reason = "values are written where they are passed, and sums are whole"
)]

use super::*;
use crate::fault::ChartFault;
use octavo_core_model::fault::Issue;
use serde_json::{Map, json};

const PROPERTY: &str = "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn read(sent: Value) -> Result<ChartSettings, ChartFault> {
    ChartSettings::read(map(sent))
}

fn bar(more: Value) -> Value {
    let mut sent = json!({ "chartType": "bar", "axes": { "x": { "propertyId": PROPERTY } } });
    sent.as_object_mut().unwrap().extend(map(more));
    sent
}

fn flaws(sent: Value) -> Vec<(String, Issue)> {
    match read(sent) {
        Err(ChartFault::Invalid(found)) => found.into_iter().map(|flaw| (flaw.field, flaw.issue)).collect(),
        other => panic!("{other:?}"),
    }
}

fn problem(sent: Value) -> &'static str {
    match read(sent) {
        Err(ChartFault::Unfit(problems)) => problems[0].field,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_left_out_has_defaults() {
    let settings = read(bar(json!({}))).unwrap();
    let shown = settings.to_json();
    assert_eq!(shown["aggregation"], json!({ "propertyId": "*", "fn": "COUNT" }));
    assert_eq!(shown["sort"], "key_asc");
    assert_eq!(shown["maxPoints"], 50);
    assert_eq!(shown["legend"], json!({ "show": true, "position": "top" }));
    assert_eq!(shown["includeEmpty"], true);
    assert_eq!(shown["includeArchived"], false);
    assert_eq!(ChartSettings::from_stored(&shown), Some(settings));
}

#[test]
fn flaws_are_reported_where_they_are() {
    assert_eq!(flaws(json!({})), [("chartType".to_owned(), Issue::Required)]);
    assert_eq!(flaws(json!({ "chartType": "bar" })), [("axes.x".to_owned(), Issue::Required)]);
    let one = |more| flaws(bar(more)).into_iter().next().unwrap();
    assert_eq!(one(json!({ "maxPoints": 201 })), ("maxPoints".to_owned(), Issue::TooLarge));
    assert_eq!(one(json!({ "maxPoints": null })), ("maxPoints".to_owned(), Issue::InvalidType));
    assert_eq!(one(json!({ "color": "mauve" })), ("color".to_owned(), Issue::InvalidValue));
    assert_eq!(one(json!({ "legend": { "position": "middle" } })), ("legend.position".to_owned(), Issue::InvalidValue));
    assert_eq!(one(json!({ "aggregation": { "fn": "SUM" } })), ("aggregation.propertyId".to_owned(), Issue::Required));
    assert_eq!(one(json!({ "aggregation": { "fn": "SUM", "propertyId": "*" } })).1, Issue::InvalidValue);
    assert_eq!(
        one(json!({ "axes": { "x": { "propertyId": "x" } } })),
        ("axes.x.propertyId".to_owned(), Issue::InvalidId)
    );
    let bucket = |bucket: Value| one(json!({ "axes": { "x": { "propertyId": PROPERTY, "bucket": bucket } } }));
    assert_eq!(bucket(json!("decade")), ("axes.x.bucket".to_owned(), Issue::InvalidValue));
    assert_eq!(bucket(json!(0)), ("axes.x.bucket".to_owned(), Issue::TooSmall));
    assert_eq!(bucket(json!(true)), ("axes.x.bucket".to_owned(), Issue::InvalidType));
    let axes = json!({ "axes": { "x": { "propertyId": PROPERTY }, "yMin": 3, "yMax": 3 } });
    assert_eq!(one(axes), ("axes.yMax".to_owned(), Issue::InvalidValue));
}

#[test]
fn a_type_has_the_axes_that_it_needs() {
    let axes = |kind: &str| {
        json!({
            "chartType": kind,
            "axes": { "x": { "propertyId": PROPERTY }, "series": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY" } },
        })
    };
    for kind in ["bar", "line", "area"] {
        assert!(read(axes(kind)).unwrap().figure.series().is_some());
    }
    assert_eq!(problem(axes("pie")), "axes.series");
    assert_eq!(problem(axes("donut")), "axes.series");
    assert_eq!(problem(axes("number")), "axes.x");
    assert_eq!(read(json!({ "chartType": "number" })).unwrap().figure, Figure::Number);
}

#[test]
fn a_change_keeps_what_it_does_not_name() {
    let axes = json!({ "x": { "propertyId": PROPERTY, "bucket": "week" }, "xLabel": "Week" });
    let before = read(bar(json!({ "axes": axes, "maxPoints": 7, "color": "#ABCDEF" }))).unwrap();
    let change = |sent: Value| before.changed(map(sent)).map(|changed| changed.to_json());
    assert_eq!(change(json!({})).unwrap(), before.to_json());
    let line = change(json!({ "chartType": "line", "axes": { "xLabel": null }, "color": null })).unwrap();
    assert_eq!(line["chartType"], "line");
    assert_eq!(line["axes"]["x"]["bucket"], "week");
    assert_eq!((&line["axes"]["xLabel"], &line["color"], &line["maxPoints"]), (&Value::Null, &Value::Null, &json!(7)));
    let other = json!({ "axes": { "x": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY" } } });
    assert_eq!(change(other).unwrap()["axes"]["x"]["bucket"], Value::Null, "ranges belong to their property");
    assert!(change(json!({ "chartType": "number" })).is_err(), "it still has an axis");
    assert!(change(json!({ "chartType": "number", "axes": { "x": null } })).is_ok());
    assert!(change(json!({ "sort": null })).is_err());
}
