//! Draws charts of all types into a folder, to look at them.

use octavo_charts::{
    ChartData, ChartSettings, Key, KeyValue, Other, Point, Total,
    svg::{Look, Size, Theme, draw},
};
use serde_json::{Value, json};

const X: &str = "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WX";
const SERIES: &str = "prop_01KAHQ5ZJ8T3M6N9P2R4S7V0WY";

fn key(label: &str) -> Key {
    Key { value: KeyValue::Text(label.to_owned()), label: label.to_owned() }
}

fn settings(kind: &str, series: bool, more: &Value) -> Option<ChartSettings> {
    let mut sent = json!({ "chartType": kind, "axes": {} });
    if kind != "number" {
        sent["axes"]["x"] = json!({ "propertyId": X });
    }
    if series {
        sent["axes"]["series"] = json!({ "propertyId": SERIES });
    }
    for (name, value) in more.as_object().into_iter().flatten() {
        if name == "labels" {
            sent["axes"]["xLabel"] = value["x"].clone();
            sent["axes"]["yLabel"] = value["y"].clone();
        } else {
            sent[name] = value.clone();
        }
    }
    ChartSettings::read(sent.as_object()?.clone()).ok()
}

fn data(labels: &[String], series: usize, value: impl Fn(usize, usize) -> Option<f64>) -> ChartData {
    let mut points = Vec::new();
    for (place, label) in labels.iter().enumerate() {
        for of in 0..series.max(1) {
            let series = (series > 0).then_some(of);
            points.push(Point { key: key(label), series, value: value(place, of), count: 3 });
        }
    }
    let total = Total { value: Some(points.iter().filter_map(|point| point.value).sum()), count: 1234 };
    let series = (0..series).map(|of| key(["Won", "Lost", "A rather long name of a series", "Open"][of % 4])).collect();
    ChartData { points, series, total, other: None }
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let months: Vec<String> = (1..=12).map(|month| format!("2026-{month:02}")).collect();
    let long: Vec<String> = (1..=8).map(|place| format!("A customer with quite a long name, number {place}")).collect();
    let many: Vec<String> = (1..=200).map(|day| format!("2026-day-{day:03}")).collect();
    let stages: Vec<String> = ["New", "Qualified", "Won", "Lost", "Empty"].map(str::to_owned).to_vec();
    let wave = |place: usize, of: usize| Some(((place * 7 + of * 5) % 11) as f64 * 120.0 - 250.0);
    let up = |place: usize, of: usize| Some(((place * 7 + of * 5) % 11) as f64 * 1300.0 + 100.0);
    let gaps = |place: usize, of: usize| (place % 5 != 3).then(|| wave(place, of)).flatten();
    let none = |_: usize, _: usize| None;
    let mut more = data(&stages, 0, up);
    more.other = Some(Other { total: Total { value: Some(4000.0), count: 9 }, points: 12 });
    let labels = json!({ "labels": { "x": "Month of closing", "y": "EUR" } });
    let pictures = [
        ("bar", "bar", data(&months, 0, up), labels.clone()),
        ("bar-negative", "bar", data(&months, 3, wave), json!({ "labels": { "y": "EUR" } })),
        ("bar-stacked", "bar", data(&months, 3, wave), json!({ "stacked": true, "legend": { "position": "right" } })),
        ("bar-long", "bar", data(&long, 0, up), json!({ "color": "green" })),
        ("bar-200", "bar", data(&many, 0, wave), json!({})),
        ("bar-other", "bar", more.clone(), json!({})),
        ("line", "line", data(&months, 2, gaps), json!({ "legend": { "position": "bottom" } })),
        ("line-200", "line", data(&many, 1, wave), json!({})),
        ("area", "area", data(&months, 2, up), json!({ "legend": { "position": "left" } })),
        ("area-stacked", "area", data(&many, 4, up), json!({ "stacked": true })),
        ("pie", "pie", more.clone(), json!({ "legend": { "position": "right" } })),
        ("pie-none", "pie", more.clone(), json!({ "legend": { "show": false } })),
        ("donut", "donut", more, json!({})),
        ("number", "number", data(&months, 0, up), json!({})),
        ("empty", "bar", data(&[], 0, none), json!({})),
        ("tiny", "bar", data(&months, 0, |_, _| Some(0.0003)), json!({})),
    ];
    for (name, kind, data, more) in pictures {
        for theme in [Theme::Light, Theme::Dark] {
            let has_series = !data.series.is_empty();
            let Some(settings) = settings(kind, has_series, &more) else { continue };
            let size = if name == "tiny" { Size::new(260, 180) } else { Size::default() };
            let svg = draw(&format!("Deals by month ({name})"), &settings, &data, Look { size, theme });
            std::fs::write(format!("{folder}/{name}-{theme}.svg"), svg)?;
        }
    }
    Ok(())
}
