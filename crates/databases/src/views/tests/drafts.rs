//! New views.

use super::{draft, flaws, grouped, one};
use crate::{
    query::{
        Columns,
        sample::{id_of, schema},
    },
    types::PropertyType,
    views::{View, ViewDraft, ViewFault, ViewType},
};
use serde_json::{Value, json};

fn read_all(sent: &Value) -> Result<Vec<ViewDraft>, ViewFault> {
    ViewDraft::read_all(sent, Columns::by_id_or_name(&schema()))
}

#[test]
fn a_database_without_views_gets_a_table_named_table() {
    for sent in [Value::Null, json!([])] {
        let drafts = read_all(&sent).unwrap();
        assert_eq!(drafts.len(), 1);
        assert_eq!((drafts[0].name.as_str(), drafts[0].config.kind()), ("Table", ViewType::Table));
        assert_eq!(drafts[0].page_size.get(), 50);
    }
}

#[test]
fn views_of_a_new_database_name_properties_by_name() {
    let drafts = read_all(&json!([{
        "name": "Board",
        "type": "board",
        "group": [{ "propertyId": "Status", "direction": "asc" }],
        "sort": [{ "propertyId": "number" }],
        "filter": { "propertyId": "Status", "op": "is", "value": "Done" },
        "config": { "cardProperties": ["Title"] },
    }]));
    let drafts = drafts.unwrap();
    let selection = &drafts[0].selection;
    assert_eq!(selection.group.keys()[0].property, id_of(PropertyType::Status));
    assert_eq!(selection.sort.keys()[0].property, id_of(PropertyType::Number));
    assert_eq!(selection.filter.as_ref().unwrap().to_json()["value"], json!({ "optionId": "opt-done" }));
    assert_eq!(drafts[0].config.to_json()["cardProperties"], json!([id_of(PropertyType::Title)]));
}

#[test]
fn flaws_of_several_views_name_the_view() {
    let sent = json!([{ "name": "A", "type": "table" }, { "name": "", "type": "wall" }, 1]);
    let expected = [("too_short", "views.1.name"), ("invalid_value", "views.1.type"), ("invalid_type", "views.2")];
    assert_eq!(flaws(read_all(&sent)), (400, expected.map(|(issue, field)| (issue, field.to_owned())).to_vec()));
    let sent = json!([{ "name": "A", "type": "table", "sort": [{ "propertyId": "x" }], "config": { "zebra": true } }]);
    assert_eq!(flaws(read_all(&sent)), one(422, "invalid_sort", "views.0.sort.0.propertyId"));
    let table = json!({ "name": "A", "type": "table" });
    assert!(read_all(&json!(vec![table.clone(); 20])).is_ok());
    assert_eq!(flaws(read_all(&json!(vec![table; 21]))), one(400, "too_long", "views"));
    assert_eq!(flaws(read_all(&json!({}))), one(400, "invalid_type", "views"));
}

#[test]
fn a_view_needs_a_name_of_up_to_100_characters_and_a_type() {
    let missing = [("required", "name"), ("required", "type")].map(|(issue, field)| (issue, field.to_owned()));
    assert_eq!(flaws(draft(&json!({}))), (400, missing.to_vec()));
    assert_eq!(flaws(draft(&json!({ "name": "x".repeat(101), "type": "list" }))), one(400, "too_long", "name"));
    let place = json!({ "name": "x", "type": "list", "position": "a-" });
    assert_eq!(flaws(draft(&place)), one(400, "invalid_position", "position"));
}

#[test]
fn only_tables_lists_galleries_and_boards_have_groups() {
    for kind in ViewType::ALL {
        let read = draft(&grouped(kind.name(), &[PropertyType::Status]));
        match kind {
            ViewType::Table | ViewType::List | ViewType::Gallery | ViewType::Board => assert!(read.is_ok(), "{kind}"),
            _ => assert_eq!(flaws(read), one(422, "invalid_group", "group"), "{kind}"),
        }
    }
}

#[test]
fn a_board_has_one_group_of_a_listed_type() {
    for kind in PropertyType::ALL {
        let makes_board = matches!(
            kind,
            PropertyType::Select
                | PropertyType::Status
                | PropertyType::MultiSelect
                | PropertyType::Person
                | PropertyType::Date
        );
        let read = draft(&grouped("board", &[*kind]));
        if makes_board {
            assert!(read.is_ok(), "{kind}");
        } else {
            assert_eq!(flaws(read), one(422, "invalid_group", "group.0.propertyId"), "{kind}");
        }
    }
    let two = grouped("board", &[PropertyType::Status, PropertyType::Person]);
    assert_eq!(flaws(draft(&two)), one(422, "invalid_group", "group.1"));
    assert!(draft(&grouped("table", &[PropertyType::Status, PropertyType::Number, PropertyType::Title])).is_ok());
}

#[test]
fn a_database_has_1_to_100_views() {
    assert!(View::check_room(99).is_ok());
    assert_eq!(View::check_room(100), Err(ViewFault::LimitReached { limit: 100 }));
    assert!(View::check_deletion(2).is_ok());
    assert_eq!(flaws(View::check_deletion(1)), one(422, "last_view", ""));
}
