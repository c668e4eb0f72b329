//! Changes of views, and what becomes of them in the store.

use super::{NOW, change, flaws, grouped, one, view, with_config};
use crate::{
    query::sample::{id_of, schema, unknown_id},
    types::PropertyType,
    views::{StoredView, View, ViewFault},
};
use octavo_core_model::position::Position;
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

fn full() -> View {
    let (title, status) = (id_of(PropertyType::Title), id_of(PropertyType::Status));
    view(&json!({
        "name": "All",
        "type": "table",
        "config": { "visibleProperties": [title, status], "columnWidths": { (status.to_string()): 90 } },
        "filter": { "op": "and", "conditions": [{ "propertyId": status, "op": "is", "value": "opt-done" }] },
        "sort": [{ "propertyId": title }, { "propertyId": status, "direction": "desc" }],
        "group": [{ "propertyId": status, "direction": "asc" }],
        "pageSize": 20,
    }))
}

#[test]
fn a_patch_changes_what_it_names_and_nothing_else() {
    let before = full();
    let patch = json!({ "name": " Mine ", "pageSize": 300, "position": "b", "sort": null });
    let after = change(&before, &patch).unwrap().unwrap();
    assert_eq!((after.name.as_str(), after.page_size.get(), after.updated_at), ("Mine", 200, NOW));
    assert_eq!(after.position, Position::parse("b").unwrap());
    assert!(after.selection.sort.is_empty());
    assert_eq!((&after.config, &after.selection.filter), (&before.config, &before.selection.filter));
    assert_eq!((&after.selection.group, after.created_at), (&before.selection.group, before.created_at));
}

#[test]
fn a_patch_that_changes_nothing_changes_no_time() {
    assert_eq!(change(&full(), &json!({})), Ok(None));
    assert_eq!(change(&full(), &json!({ "name": "All", "type": "table", "pageSize": 20 })), Ok(None));
}

#[test]
fn null_clears_what_can_be_empty_and_is_refused_elsewhere() {
    let after = change(&full(), &json!({ "filter": null, "group": null, "pageSize": null })).unwrap().unwrap();
    assert_eq!((after.selection.filter, after.page_size.get()), (None, 50));
    assert!(after.selection.group.is_empty());
    for field in ["name", "type", "position", "isLocked"] {
        assert_eq!(flaws(change(&full(), &json!({ (field): null }))), one(400, "invalid_type", field));
    }
}

#[test]
fn the_type_cannot_change() {
    assert_eq!(flaws(change(&full(), &json!({ "type": "list" }))), one(422, "immutable", "type"));
}

#[test]
fn the_rules_of_the_type_hold_for_changes() {
    let board = view(&grouped("board", &[PropertyType::Status]));
    let by_number = json!({ "group": [{ "propertyId": id_of(PropertyType::Number) }] });
    assert_eq!(flaws(change(&board, &by_number)), one(422, "invalid_group", "group.0.propertyId"));
    let timeline = view(&with_config("timeline", json!({ "startDatePropertyId": id_of(PropertyType::Date) })));
    let no_start = json!({ "config": { "startDatePropertyId": null } });
    assert_eq!(flaws(change(&timeline, &no_start)), one(422, "view_config_invalid", "startDatePropertyId"));
    let wrong = json!({ "filter": { "op": "is", "propertyId": unknown_id(), "value": 1 } });
    assert_eq!(flaws(change(&timeline, &wrong)), one(422, "invalid_filter", "propertyId"));
}

#[test]
fn a_locked_view_keeps_its_configuration_filter_sort_and_group() {
    let locked = change(&full(), &json!({ "isLocked": true })).unwrap().unwrap();
    for patch in [
        json!({ "config": { "zebra": true } }),
        json!({ "filter": null }),
        json!({ "sort": [] }),
        json!({ "group": [] }),
    ] {
        assert_eq!(change(&locked, &patch), Err(ViewFault::Locked), "{patch}");
    }
    assert!(change(&locked, &json!({ "name": "New", "pageSize": 5 })).is_ok_and(|changed| changed.is_some()));
    let unlocked = change(&locked, &json!({ "isLocked": false, "filter": null })).unwrap().unwrap();
    assert_eq!((unlocked.is_locked, unlocked.selection.filter), (false, None));
}

#[test]
fn a_deleted_property_leaves_all_parts_of_a_view_even_if_it_is_locked() {
    let locked = change(&full(), &json!({ "isLocked": true })).unwrap().unwrap();
    let left = locked.without_property(id_of(PropertyType::Status), NOW).unwrap();
    let expected = json!({ "visibleProperties": [id_of(PropertyType::Title)], "columnWidths": {} });
    assert_eq!(Value::Object(left.config.to_json()), expected);
    assert_eq!(left.selection.filter, None);
    assert_eq!(
        left.selection.sort.to_json(),
        json!([{ "propertyId": id_of(PropertyType::Title), "direction": "asc" }])
    );
    assert!(left.selection.group.is_empty() && left.is_locked);
    assert_eq!(left.without_property(id_of(PropertyType::Status), NOW), None);
}

#[test]
fn a_timeline_survives_the_deletion_of_its_start_and_can_be_renamed() {
    let timeline = view(&with_config("timeline", json!({ "startDatePropertyId": id_of(PropertyType::Date) })));
    let left = timeline.without_property(id_of(PropertyType::Date), NOW).unwrap();
    assert_eq!(left.config.to_json()["startDatePropertyId"], Value::Null);
    assert!(change(&left, &json!({ "name": "Renamed" })).is_ok());
}

#[test]
fn a_view_comes_back_from_the_store_as_it_was() {
    for view in [full(), view(&grouped("board", &[PropertyType::Person])), view(&grouped("timeline", &[]))] {
        assert_eq!(View::from_stored(view.to_stored(), &schema()), view);
    }
}

#[test]
fn what_no_longer_fits_the_schema_is_left_out_of_a_stored_view() {
    let gone = unknown_id();
    let mut stored: StoredView = full().to_stored();
    stored.config["visibleProperties"] = json!([gone, id_of(PropertyType::Title)]);
    stored.config["columnWidths"] = json!({ (gone.to_string()): 10 });
    stored.filter = json!({ "propertyId": gone, "op": "is_empty" });
    stored.sort = json!([{ "propertyId": gone, "direction": "asc" }]);
    stored.page_size = -1;
    let view = View::from_stored(stored, &schema());
    assert_eq!(view.config.visible_properties(), Some(&[id_of(PropertyType::Title)][..]));
    assert_eq!(view.config.to_json()["columnWidths"], json!({}));
    assert_eq!((view.selection.filter, view.page_size.get()), (None, 50));
    assert!(view.selection.sort.is_empty());
}

proptest! {
    #[test]
    fn no_patch_makes_the_reader_panic(
        field in select(vec!["config", "filter", "sort", "group", "name", "type", "pageSize", "position", "isLocked"]),
        key in select(vec!["visibleProperties", "columnWidths", "color", "zebra", "density"]),
        value in "\\PC{0,5}",
    ) {
        for sent in [json!({ (field): value }), json!({ (field): { (key): value } }), json!({ (field): [value] })] {
            if let Ok(Some(view)) = change(&full(), &sent) {
                prop_assert_eq!(View::from_stored(view.to_stored(), &schema()), view);
            }
        }
    }
}
