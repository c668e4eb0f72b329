//! Dashboards: reading, layout and filters.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::*;
use octavo_core_model::fault::Issue;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn read_with(sent: &Value, known: &[WidgetId]) -> Result<Widgets, DashboardFault> {
    let mut drawn = 0;
    let mut draw = || {
        drawn += 1;
        WidgetId::new(1, [drawn; 10])
    };
    Widgets::read(sent, &mut WidgetIds { known: known.iter().copied().collect(), draw: &mut draw })
}

fn read(sent: &Value) -> Result<Widgets, DashboardFault> {
    read_with(sent, &[])
}

fn at(x: u32, y: u32, w: u32, h: u32) -> Value {
    json!({ "type": "text", "text": "**Sales**", "x": x, "y": y, "w": w, "h": h })
}

fn layout(sent: &Value) -> Vec<String> {
    match read(sent) {
        Err(DashboardFault::Layout(problems)) => problems.into_iter().map(|problem| problem.field).collect(),
        other => panic!("{other:?}"),
    }
}

fn flaw(sent: &Value) -> (String, Issue) {
    match read(sent) {
        Err(DashboardFault::Invalid(flaws)) => (flaws[0].field.clone(), flaws[0].issue),
        other => panic!("{other:?}"),
    }
}

#[test]
fn widgets_stay_on_the_grid_and_do_not_overlap() {
    assert!(read(&json!([at(0, 0, 6, 2), at(6, 0, 6, 2), at(0, 2, 12, 24)])).is_ok());
    assert_eq!(layout(&json!([at(0, 0, 6, 2), at(5, 1, 2, 2)])), ["widgets.1"]);
    assert_eq!(layout(&json!([at(0, 0, 1, 1), at(7, 0, 6, 1)])), ["widgets.1"]);
    assert_eq!(flaw(&json!([at(12, 0, 1, 1)])), ("widgets.0.x".to_owned(), Issue::TooLarge));
    assert_eq!(flaw(&json!([at(0, 0, 13, 1)])), ("widgets.0.w".to_owned(), Issue::TooLarge));
    assert_eq!(flaw(&json!([at(0, 0, 1, 0)])), ("widgets.0.h".to_owned(), Issue::TooSmall));
    let many: Vec<_> = (0..51).map(|row| at(0, row, 1, 1)).collect();
    assert_eq!(flaw(&json!(many)), ("widgets".to_owned(), Issue::TooLong));
}

#[test]
fn a_widget_shows_one_thing() {
    let with = |more: Value| {
        let mut widget = json!({ "x": 0, "y": 0, "w": 1, "h": 1 });
        widget.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([widget])
    };
    assert_eq!(flaw(&with(json!({}))).0, "widgets.0.type");
    assert_eq!(flaw(&with(json!({ "type": "chart" }))), ("widgets.0.chartId".to_owned(), Issue::Required));
    assert_eq!(flaw(&with(json!({ "type": "chart", "chartId": "x" }))).1, Issue::InvalidId);
    assert_eq!(flaw(&with(json!({ "type": "view", "viewId": null }))).0, "widgets.0.viewId");
    let both = with(json!({ "type": "text", "text": "", "chartId": ChartId::EXAMPLE }));
    assert_eq!(flaw(&both), ("widgets.0.chartId".to_owned(), Issue::InvalidValue));
    assert_eq!(flaw(&with(json!({ "type": "text", "text": "x".repeat(5001) }))).1, Issue::TooLong);
    let chart = read(&with(json!({ "type": "chart", "chartId": ChartId::EXAMPLE, "viewId": null }))).unwrap();
    assert_eq!(chart.as_slice()[0].content, Content::Chart(ChartId::EXAMPLE));
    assert_eq!(Widgets::from_stored(&chart.to_json()), chart);
}

#[test]
fn known_ids_are_kept_once() {
    let mut widgets = json!([at(0, 0, 1, 1), at(1, 0, 1, 1), at(2, 0, 1, 1)]);
    widgets[0]["id"] = json!(WidgetId::EXAMPLE);
    widgets[1]["id"] = json!(WidgetId::EXAMPLE);
    widgets[2]["id"] = json!(WidgetId::LOWEST);
    let ids = |known: &[WidgetId]| {
        let read = read_with(&widgets, known).unwrap();
        read.as_slice().iter().map(|widget| widget.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&[WidgetId::EXAMPLE])[0], WidgetId::EXAMPLE);
    for ids in [ids(&[WidgetId::EXAMPLE]), ids(&[])] {
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 3);
        assert_ne!(ids[2], WidgetId::LOWEST, "nobody chooses ids");
    }
}

#[test]
fn filters_name_their_databases() {
    let filters = json!([{ "databaseId": "db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "filter": { "op": "is_empty" } }]);
    let read = DashboardFilter::read_all(&filters).unwrap();
    assert_eq!(DashboardFilter::to_json(&read), filters);
    for wrong in [json!({}), json!([1]), json!([{}]), json!(vec![filters[0].clone(); 11])] {
        assert!(DashboardFilter::read_all(&wrong).is_err(), "{wrong}");
    }
}

proptest! {
    /// The rule agrees with looking at each cell.
    #[test]
    fn places_overlap_if_they_share_a_cell(
        (ax, ay, aw, ah) in (0..12_u32, 0..8_u32, 1..7_u32, 1..5_u32),
        (bx, by, bw, bh) in (0..12_u32, 0..8_u32, 1..7_u32, 1..5_u32),
    ) {
        let (Some(a), Some(b)) = (Place::new(ax, ay, aw, ah), Place::new(bx, by, bw, bh)) else {
            prop_assert!(ax + aw > 12 || bx + bw > 12);
            return Ok(());
        };
        let cells = |x: u32, y: u32, w, h| (x..x + w).flat_map(move |x| (y..y + h).map(move |y| (x, y))).collect::<BTreeSet<_>>();
        let common = !cells(ax, ay, aw, ah).is_disjoint(&cells(bx, by, bw, bh));
        prop_assert_eq!(a.overlaps(b), common);
        prop_assert_eq!(b.overlaps(a), common);
    }
}
