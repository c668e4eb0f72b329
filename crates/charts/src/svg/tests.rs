//! Pictures of charts.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::float_cmp,
    reason = "values are written where they are passed, and sums are whole"
)]

use super::*;
use crate::{
    data::{ChartData, Other, Point, Total},
    key::{Key, KeyValue},
};
use proptest::prelude::*;
use serde_json::{Value, json};

const PROPERTY: &str = "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

fn settings(kind: &str, more: Value) -> ChartSettings {
    let axes = if kind == "number" { json!({}) } else { json!({ "x": { "propertyId": PROPERTY } }) };
    let mut sent = json!({ "chartType": kind, "axes": axes });
    for (key, value) in more.as_object().unwrap() {
        sent[key] = value.clone();
    }
    ChartSettings::read(sent.as_object().unwrap().clone()).unwrap()
}

fn key(label: &str) -> Key {
    Key { value: KeyValue::Text(label.to_owned()), label: label.to_owned() }
}

fn data(points: &[(&str, Option<f64>)]) -> ChartData {
    let point = |(label, value): &(&str, Option<f64>)| Point { key: key(label), series: None, value: *value, count: 1 };
    let total = Total { value: Some(points.iter().filter_map(|(_, value)| *value).sum()), count: points.len() as u64 };
    ChartData { points: points.iter().map(point).collect(), series: Vec::new(), total, other: None }
}

fn drawn(kind: &str, data: &ChartData) -> String {
    draw("Sales", &settings(kind, json!({})), data, Look { size: Size::default(), theme: Theme::Light })
}

const KINDS: [&str; 6] = ["bar", "line", "area", "pie", "donut", "number"];

/// Checks what every picture keeps to: elements are closed, and there is nothing that acts or leads elsewhere.
fn check(svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap().to_owned();
        assert!(["svg", "title", "rect", "line", "circle", "path", "text"].contains(&name.as_str()), "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        for word in ["href", " on", "style", "url(", "NaN", "inf"] {
            assert!(!tag.contains(word), "{tag}");
        }
    }
    assert!(open.is_empty());
}

#[test]
fn every_type_is_drawn() {
    let found = data(&[("New", Some(3.0)), ("Open", Some(-2.0)), ("Won", None), ("Lost", Some(5.5))]);
    for kind in KINDS {
        let svg = drawn(kind, &found);
        check(&svg);
        assert!(svg.contains(">Sales</text>"), "{kind}");
    }
    assert!(drawn("bar", &found).contains(">Lost</text>"));
    assert!(drawn("pie", &found).contains(">Lost: 5.5</text>"));
    assert!(drawn("number", &found).contains(">6.5</text>"));
}

#[test]
fn a_chart_without_records_says_so() {
    let found = ChartData { total: Total { value: None, count: 0 }, ..data(&[]) };
    for kind in KINDS {
        let svg = drawn(kind, &found);
        check(&svg);
        assert_eq!(svg.contains(">No data</text>"), kind != "number", "{kind}");
    }
}

#[test]
fn texts_of_people_stay_texts() {
    let evil = "</text><script>alert(1)</script>\"'&\u{0}\u{202e}";
    let axes = json!({ "x": { "propertyId": PROPERTY }, "xLabel": "<b>&", "yLabel": "\"x\" onload=\"a" });
    let look = Look { size: Size::new(2000, 900), theme: Theme::Dark };
    let mut found = data(&[(evil, Some(1.0)), ("b", Some(2.0))]);
    check(&draw(evil, &settings("bar", json!({ "axes": axes })), &found, look));
    check(&draw(evil, &settings("pie", json!({})), &found, look));
    found.series = vec![key(evil), key("b")];
    found.points.iter_mut().for_each(|point| point.series = Some(1));
    let axes =
        json!({ "x": { "propertyId": PROPERTY }, "series": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY" } });
    let svg = draw(evil, &settings("line", json!({ "axes": axes })), &found, look);
    check(&svg);
    assert!(svg.contains("&lt;/text&gt;&lt;script&gt;"));
}

#[test]
fn ticks_are_round() {
    let scale = scale::Scale::new(-3.0, 17.0, (None, None), 300.0);
    assert_eq!(scale.ticks, [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]);
    let scale = scale::Scale::new(5.0, 9.0, (Some(4.0), Some(8.0)), 200.0);
    assert_eq!((scale.from, scale.to, scale.ticks.as_slice()), (4.0, 8.0, &[4.0, 5.0, 6.0, 7.0, 8.0][..]));
    assert_eq!(words::short(1_250_000.0), "1.25M");
    assert_eq!(words::short(0.5), "0.5");
    assert_eq!(words::grouped(-1_234_567.891), "-1,234,567.89");
    assert_eq!(words::grouped(0.0), "0");
}

#[test]
fn long_texts_are_cut() {
    let cut = words::fit(&"Windmill ".repeat(40), 100.0, 11.0);
    assert!(cut.ends_with('\u{2026}') && words::width(&cut, 11.0) <= 106.0, "{cut}");
    assert_eq!(words::fit("Windmill", 100.0, 11.0), "Windmill");
}

proptest! {
    #[test]
    fn no_values_break_a_picture(
        values in prop::collection::vec(prop::option::of(prop_oneof![any::<f64>(), -1e3..1e3_f64]), 0..210),
        (kind, width, height) in (0..KINDS.len(), any::<u16>(), any::<u16>()),
        (series, stacked) in (1..4_usize, any::<bool>()),
        label in ".{0,80}",
    ) {
        let values: Vec<_> = values.into_iter().map(|value| value.filter(|value| value.is_finite())).collect();
        let labels: Vec<_> = (0..values.len()).map(|place| format!("{place} {label}")).collect();
        let points: Vec<_> = labels.iter().map(String::as_str).zip(values).collect();
        let mut found = data(&points);
        let kind = KINDS[kind];
        let mut more = json!({ "stacked": stacked });
        if ["bar", "line", "area"].contains(&kind) && series > 1 {
            more["axes"] = json!({ "x": { "propertyId": PROPERTY }, "series": { "propertyId": "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY" } });
            found.series = (0..series).map(|place| key(&format!("s{place}{label}"))).collect();
            (0..).zip(&mut found.points).for_each(|(place, point)| point.series = Some(place % series));
        }
        found.total.value = found.total.value.filter(|value| value.is_finite());
        found.other = Some(Other { total: Total { value: Some(-4.0), count: 2 }, points: 2 });
        let look = Look { size: Size::new(width, height), theme: Theme::Dark };
        check(&draw(&label, &settings(kind, more), &found, look));
    }
}
