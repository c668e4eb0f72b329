//! The points of charts.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::float_cmp,
    reason = "values are written where they are passed, and sums are whole"
)]

use super::*;
use crate::settings::ChartSort;
use octavo_databases::value::{Day, Number};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A sum that is null without numbers, like an average.
#[derive(Clone, Debug, PartialEq)]
struct Sum(Option<f64>);

impl Partial for Sum {
    fn merge(&mut self, other: &Self) {
        self.0 = match (self.0, other.0) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }

    fn value(&self) -> Option<f64> {
        self.0
    }
}

fn total(value: f64) -> InputTotal<Sum> {
    InputTotal { count: 1, partial: Sum(Some(value)) }
}

fn settings(more: Value) -> ChartSettings {
    let mut sent = json!({ "chartType": "bar", "axes": { "x": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" } } });
    for (key, value) in more.as_object().unwrap() {
        sent[key] = value.clone();
    }
    ChartSettings::read(sent.as_object().unwrap().clone()).unwrap()
}

fn over_time(bucket: &str, more: Value) -> ChartSettings {
    let mut more = more;
    more["axes"] = json!({ "x": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "bucket": bucket } });
    settings(more)
}

fn input(groups: Vec<(KeyValue, f64)>) -> ChartInput<Sum> {
    let sum = groups.iter().map(|(_, value)| value).sum();
    let month = Some(Bucket::Time(TimeBucket::Month));
    let group = |(key, value)| InputGroup { key: Key::new(key, None, month), total: total(value), series: Vec::new() };
    ChartInput {
        groups: groups.into_iter().map(group).collect(),
        series: Vec::new(),
        total: total(sum),
        nothing: Sum(None),
    }
}

fn text(text: &str) -> KeyValue {
    KeyValue::Text(text.to_owned())
}

fn day(text: &str) -> KeyValue {
    KeyValue::Day(Day::parse(text).unwrap())
}

fn shown(data: &ChartData) -> Vec<(&str, Option<f64>)> {
    data.points.iter().map(|point| (point.key.label.as_str(), point.value)).collect()
}

fn stages() -> ChartInput<Sum> {
    input(vec![(text("new"), 3.0), (text("open"), 9.0), (text("won"), 3.0), (KeyValue::Empty, 5.0)])
}

#[test]
fn points_are_in_the_order_that_is_wanted() {
    let order = |sort| {
        shown(&chart_data(&settings(json!({ "sort": sort })), stages()))
            .iter()
            .map(|(key, _)| (*key).to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(order("key_asc"), "new open won Empty");
    assert_eq!(order("key_desc"), "won open new Empty");
    assert_eq!(order("value_asc"), "new won Empty open");
    assert_eq!(order("value_desc"), "open Empty new won");
}

#[test]
fn what_is_too_many_is_merged() {
    let data = chart_data(&settings(json!({ "sort": "value_desc", "maxPoints": 1 })), stages());
    assert_eq!(shown(&data), [("open", Some(9.0))]);
    assert_eq!(data.other, Some(Other { total: Total { value: Some(11.0), count: 3 }, points: 3 }));
    assert_eq!(data.total.value, Some(20.0));
}

#[test]
fn records_without_a_value_can_be_left_out() {
    let data = chart_data(&settings(json!({ "includeEmpty": false })), stages());
    assert_eq!(data.points.len(), 3);
    assert_eq!(data.total.value, Some(20.0), "they still count");
}

#[test]
fn spans_without_records_are_filled() {
    let found = || input(vec![(day("2026-01-01"), 1.0), (day("2026-04-01"), 2.0), (KeyValue::Empty, 7.0)]);
    let data = chart_data(&over_time("month", json!({})), found());
    let expected =
        [("2026-01", Some(1.0)), ("2026-02", None), ("2026-03", None), ("2026-04", Some(2.0)), ("Empty", Some(7.0))];
    assert_eq!(shown(&data), expected);
    let data = chart_data(&over_time("month", json!({ "cumulative": true })), found());
    let sums: Vec<_> = data.points.iter().map(|point| point.value.unwrap()).collect();
    assert_eq!(sums, [1.0, 1.0, 1.0, 3.0, 10.0]);
    let data = chart_data(&over_time("month", json!({ "sort": "key_desc", "maxPoints": 2 })), found());
    assert_eq!(shown(&data), [("2026-04", Some(2.0)), ("2026-03", None)]);
    assert_eq!(data.other.unwrap().points, 3);
}

#[test]
fn far_apart_dates_cost_no_more_than_what_is_shown() {
    let found = || input(vec![(day("0001-01-01"), 1.0), (day("9999-01-01"), 2.0)]);
    let data = chart_data(&over_time("day", json!({ "maxPoints": 3, "sort": "value_desc" })), found());
    assert_eq!(shown(&data)[..2], [("9999-01", Some(2.0)), ("0001-01", Some(1.0))]);
    assert_eq!(data.points.len(), 3);
    assert_eq!(data.other.unwrap().points, 3_651_695 - 3);
}

fn with_series(cells: &[(KeyValue, usize, f64)], series: usize) -> ChartInput<Sum> {
    let mut found = input(Vec::new());
    for (key, series, value) in cells {
        if found.groups.last().is_none_or(|group| group.key.value != *key) {
            let key = Key::new(key.clone(), None, None);
            found.groups.push(InputGroup { key, total: total(0.0), series: Vec::new() });
        }
        let group = found.groups.last_mut().unwrap();
        group.total.partial.merge(&Sum(Some(*value)));
        group.series.push(InputSeries { series: *series, total: total(*value) });
    }
    found.series = (0..series).map(|place| Key::new(text(&format!("s{place}")), None, None)).collect();
    found
}

fn two_axes(bucket: Option<&str>) -> ChartSettings {
    let axes = json!({
        "x": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "bucket": bucket },
        "series": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY" },
    });
    settings(json!({ "axes": axes, "maxPoints": 3 }))
}

#[test]
fn series_have_points_where_they_have_records() {
    let cells = [(text("a"), 0, 1.0), (text("a"), 1, 2.0), (text("b"), 1, 3.0)];
    let data = chart_data(&two_axes(None), with_series(&cells, 2));
    let points: Vec<_> = data.points.iter().map(|point| (point.key.label.as_str(), point.series)).collect();
    assert_eq!(points, [("a", Some(0)), ("a", Some(1)), ("b", Some(1))]);
    assert_eq!(data.series.len(), 2);
}

#[test]
fn every_series_has_a_point_in_each_span() {
    let cells = [(day("2026-01-01"), 0, 1.0), (day("2026-03-01"), 1, 2.0), (day("2026-05-01"), 1, 2.0)];
    let data = chart_data(&two_axes(Some("month")), with_series(&cells, 2));
    assert_eq!(data.points.len(), 6);
    assert_eq!(data.points[1].value, None);
    assert_eq!(data.other.unwrap(), Other { total: Total { value: Some(2.0), count: 1 }, points: 4 });
}

#[test]
fn the_largest_series_are_kept() {
    let mut cells: Vec<_> = (0..60).map(|series| (text("a"), series, 1.0)).collect();
    cells.extend((10..60).map(|series| (text("b"), series, 1.0)));
    let data = chart_data(&two_axes(None), with_series(&cells, 60));
    assert_eq!(data.series.len(), ChartData::MOST_SERIES);
    assert_eq!(data.series[0].label, "s10");
    assert_eq!(data.other.unwrap().points, 10);
}

proptest! {
    /// Nothing is lost: what is shown and what is merged are together what was found.
    #[test]
    fn points_and_the_rest_are_everything(
        values in prop::collection::vec(-100..100_i32, 0..40),
        most in 1..60_u32,
        sort in 0..ChartSort::ALL.len(),
    ) {
        let groups: Vec<_> = (0..).zip(&values).map(|(key, value)| (KeyValue::Number(Number::new(f64::from(key)).unwrap()), f64::from(*value))).collect();
        let settings = settings(json!({ "maxPoints": most, "sort": ChartSort::ALL[sort] }));
        let data = chart_data(&settings, input(groups));
        let rest = data.other.map_or((0.0, 0, 0), |other| (other.total.value.unwrap(), other.total.count, other.points));
        let sum: f64 = data.points.iter().filter_map(|point| point.value).sum();
        prop_assert_eq!(sum + rest.0, f64::from(values.iter().sum::<i32>()));
        prop_assert_eq!(data.points.len() as u64 + rest.2, values.len() as u64);
        prop_assert!(data.points.len() <= most as usize);
    }
}
