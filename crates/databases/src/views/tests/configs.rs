//! The configuration of each type of view.

use super::{change, draft, flaws, one, view, with_config};
use crate::{
    query::sample::{id_of, unknown_id},
    types::PropertyType,
    views::ViewType,
};
use serde_json::{Value, json};

/// A configuration with all keys of a type besides the shared ones.
fn whole(kind: ViewType) -> Value {
    let (date, range) = (id_of(PropertyType::Date), id_of(PropertyType::DateRange));
    let title = id_of(PropertyType::Title);
    match kind {
        ViewType::Table => json!({ "columnWidths": { (title.to_string()): 120.5 }, "headerRow": true, "zebra": false }),
        ViewType::List => json!({ "showIcons": true, "subtitlePropertyId": title }),
        ViewType::Board => json!({ "cardProperties": [title], "cardLayout": "cover", "columnWidthPx": 280 }),
        ViewType::Gallery => json!({ "coverPropertyId": title, "cardsPerRow": 4, "cardRatio": "16:9" }),
        ViewType::Calendar => json!({
            "startDatePropertyId": date, "endDatePropertyId": range, "weekStartsOn": "monday", "monthDensity": "compact",
        }),
        ViewType::Timeline => json!({
            "startDatePropertyId": date, "endDatePropertyId": null, "scale": "week", "lanePropertyId": title,
        }),
        ViewType::Chart => json!({ "chartId": "cht_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" }),
        ViewType::Dashboard => json!({ "dashboardId": "dash_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" }),
        ViewType::Form => json!({
            "formId": "frm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "intro": "Hello", "successMessage": "Thanks",
            "branding": { "logo": true },
        }),
    }
}

fn with_shared(mut config: Value) -> Value {
    config["visibleProperties"] = json!([id_of(PropertyType::Number), id_of(PropertyType::Title)]);
    config["color"] = json!("blue");
    config["density"] = json!("compact");
    config
}

#[test]
fn every_type_keeps_its_own_and_the_shared_keys_and_drops_others() {
    for kind in ViewType::ALL {
        let config = with_shared(whole(*kind));
        let mut sent = config.clone();
        for other in ViewType::ALL.iter().filter(|other| *other != kind) {
            for (key, value) in whole(*other).as_object().unwrap() {
                if config.get(key).is_none() && !key.ends_with("DatePropertyId") {
                    sent[key] = value.clone();
                }
            }
        }
        sent["unheardOf"] = json!(1);
        let view = view(&with_config(kind.name(), sent));
        assert_eq!(Value::Object(view.config.to_json()), config, "{kind}");
    }
}

#[test]
fn objects_that_views_show_are_named_by_their_ids() {
    let config = |kind: ViewType| view(&with_config(kind.name(), whole(kind))).config;
    assert!(config(ViewType::Chart).chart().is_some());
    assert!(config(ViewType::Dashboard).dashboard().is_some());
    assert!(config(ViewType::Form).form().is_some());
    assert_eq!(config(ViewType::Form).chart(), None);
    assert_eq!(config(ViewType::Timeline).start_date(), Some(id_of(PropertyType::Date)));
    assert_eq!(config(ViewType::Calendar).end_date(), Some(id_of(PropertyType::DateRange)));
    let shown = view(&with_config("list", json!({ "visibleProperties": [id_of(PropertyType::Url)] }))).config;
    assert_eq!(shown.visible_properties(), Some(&[id_of(PropertyType::Url)][..]));
}

#[test]
fn a_property_of_no_or_another_database_is_refused_with_its_key() {
    let unknown = unknown_id();
    for (kind, config, field) in [
        ("table", json!({ "visibleProperties": [unknown] }), "visibleProperties"),
        ("table", json!({ "visibleProperties": ["title"] }), "visibleProperties"),
        ("table", json!({ "columnWidths": { (unknown.to_string()): 10 } }), "columnWidths"),
        ("list", json!({ "subtitlePropertyId": unknown }), "subtitlePropertyId"),
        ("board", json!({ "cardProperties": [unknown] }), "cardProperties"),
        ("gallery", json!({ "coverPropertyId": unknown }), "coverPropertyId"),
        ("calendar", json!({ "startDatePropertyId": unknown }), "startDatePropertyId"),
    ] {
        assert_eq!(flaws(draft(&with_config(kind, config))), one(422, "view_config_invalid", field));
    }
}

#[test]
fn a_calendar_may_have_no_dates_and_a_timeline_needs_a_start() {
    let no_dates = json!({ "startDatePropertyId": null, "endDatePropertyId": null });
    assert_eq!(Value::Object(view(&with_config("calendar", no_dates.clone())).config.to_json()), no_dates);
    assert_eq!(Value::Object(view(&with_config("calendar", json!({}))).config.to_json()), no_dates);
    let start = one(422, "view_config_invalid", "startDatePropertyId");
    assert_eq!(flaws(draft(&with_config("timeline", json!({})))), start);
    assert_eq!(flaws(draft(&with_config("timeline", no_dates))), start);
    assert_eq!(flaws(draft(&json!({ "name": "V", "type": "timeline" }))), start);
}

#[test]
fn views_by_date_take_only_dates_and_ranges() {
    for kind in PropertyType::ALL {
        let is_date = matches!(kind, PropertyType::Date | PropertyType::DateRange);
        for view in ["calendar", "timeline"] {
            let read = draft(&with_config(view, json!({ "startDatePropertyId": id_of(*kind) })));
            assert_eq!(read.is_ok(), is_date, "{view} {kind}");
        }
    }
    let end =
        json!({ "startDatePropertyId": id_of(PropertyType::Date), "endDatePropertyId": id_of(PropertyType::Text) });
    for view in ["calendar", "timeline"] {
        let refused = flaws(draft(&with_config(view, end.clone())));
        assert_eq!(refused, one(422, "view_config_invalid", "endDatePropertyId"));
    }
}

#[test]
fn values_that_break_a_rule_are_violations() {
    for (kind, config, issue, field) in [
        ("table", json!([]), "invalid_type", "config"),
        ("table", json!({ "zebra": 1 }), "invalid_type", "config.zebra"),
        ("table", json!({ "density": "tight" }), "invalid_value", "config.density"),
        ("table", json!({ "color": "" }), "invalid_format", "config.color"),
        ("table", json!({ "visibleProperties": "x" }), "invalid_type", "config.visibleProperties"),
        (
            "table",
            json!({ "columnWidths": { (id_of(PropertyType::Url).to_string()): 0 } }),
            "too_small",
            "config.columnWidths",
        ),
        ("board", json!({ "cardLayout": "wide" }), "invalid_value", "config.cardLayout"),
        ("board", json!({ "columnWidthPx": 10_001 }), "too_large", "config.columnWidthPx"),
        ("gallery", json!({ "cardRatio": "0:1" }), "invalid_value", "config.cardRatio"),
        ("calendar", json!({ "weekStartsOn": 7 }), "too_large", "config.weekStartsOn"),
        ("calendar", json!({ "weekStartsOn": "funday" }), "invalid_value", "config.weekStartsOn"),
        ("chart", json!({ "chartId": "frm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" }), "invalid_id", "config.chartId"),
        ("form", json!({ "intro": "x".repeat(2001) }), "too_long", "config.intro"),
        ("form", json!({ "branding": { "logo": "x".repeat(5000) } }), "too_long", "config.branding"),
    ] {
        assert_eq!(flaws(draft(&with_config(kind, config))), one(400, issue, field));
    }
}

#[test]
fn a_patch_of_the_configuration_keeps_other_keys_and_null_clears_one() {
    let before = view(&with_config("table", json!({ "zebra": true, "color": "red" })));
    let after = change(&before, &json!({ "config": { "color": null, "headerRow": true } })).unwrap().unwrap();
    assert_eq!(Value::Object(after.config.to_json()), json!({ "headerRow": true, "zebra": true }));
    assert_eq!(change(&before, &json!({ "config": { "zebra": true } })), Ok(None));
    assert_eq!(change(&before, &json!({ "config": null })), Ok(None));
}

#[test]
fn the_schema_of_a_type_lists_its_keys_with_their_meaning() {
    for kind in ViewType::ALL {
        let schema = kind.config_schema();
        let keys = schema["properties"].as_object().unwrap();
        for key in with_shared(whole(*kind)).as_object().unwrap().keys() {
            assert!(keys[key]["description"].as_str().is_some_and(|text| text.ends_with('.')), "{kind} {key}");
        }
        assert_eq!(keys.len(), with_shared(whole(*kind)).as_object().unwrap().len(), "{kind}");
    }
}
