//! Whole queries.

use crate::{
    query::{
        Aggregate, AggregateFunction, Columns, Direction, Query, QueryFault,
        sample::{id_of, schema, unknown_id},
    },
    types::PropertyType,
};
use serde_json::{Map, Value, json};

fn read(sent: &Value) -> Result<Query, QueryFault> {
    let fields: Map<_, _> = serde_json::from_value(sent.clone()).unwrap();
    Query::read(fields, Columns::by_id(&schema()))
}

/// The issues of violations with their fields, or the issues of refusals with their paths.
fn flaws(sent: &Value) -> (u16, Vec<(&'static str, String)>) {
    match read(sent) {
        Ok(query) => panic!("{sent} is not refused: {query:?}"),
        Err(QueryFault::Invalid(violations)) => {
            (400, violations.into_iter().map(|flaw| (flaw.issue.name(), flaw.field)).collect())
        }
        Err(QueryFault::Refused(refusals)) => {
            (422, refusals.into_iter().map(|refusal| (refusal.issue.name(), refusal.path)).collect())
        }
    }
}

fn one(status: u16, issue: &'static str, path: &str) -> (u16, Vec<(&'static str, String)>) {
    (status, vec![(issue, path.to_owned())])
}

fn key(kind: PropertyType) -> Value {
    json!({ "propertyId": id_of(kind), "direction": "desc" })
}

#[test]
fn an_empty_query_finds_all_records_50_at_a_time() {
    let query = read(&json!({ "cursor": "x", "filter": null, "select": null })).unwrap();
    assert_eq!(query, Query::default());
    assert_eq!(query.page_size.get(), 50);
}

#[test]
fn a_query_is_read_with_all_its_parts() {
    let number = id_of(PropertyType::Number);
    let query = read(&json!({
        "select": [number, number],
        "filter": { "propertyId": number, "op": "is_empty" },
        "sort": [key(PropertyType::Title), { "propertyId": number }],
        "group": [key(PropertyType::Status)],
        "aggregate": [{ "propertyId": "*", "fn": "COUNT" }, { "propertyId": number, "fn": "SUM" }],
        "perGroup": true,
        "includeArchived": true,
        "pageSize": 500,
    }));
    let query = query.unwrap();
    assert_eq!(query.select, Some(vec![number]));
    assert!(query.filter.is_some() && query.per_group && query.include_archived);
    let directions: Vec<_> = query.sort.keys().iter().map(|key| key.direction).collect();
    assert_eq!(directions, [Direction::Descending, Direction::Ascending]);
    assert_eq!(query.group.to_json(), json!([key(PropertyType::Status)]));
    let sum = Aggregate::OfProperty(number, AggregateFunction::Sum);
    assert_eq!(query.aggregates, [Aggregate::CountRecords, sum]);
    assert_eq!(sum.to_json(), json!({ "propertyId": number, "fn": "SUM" }));
    assert_eq!(query.page_size.get(), 200);
}

#[test]
fn lists_over_their_limit_break_a_constraint() {
    let title = key(PropertyType::Title);
    assert!(read(&json!({ "sort": vec![title.clone(); 8], "group": vec![title.clone(); 3] })).is_ok());
    assert_eq!(flaws(&json!({ "sort": vec![title.clone(); 9] })), one(400, "too_long", "sort"));
    assert_eq!(flaws(&json!({ "group": vec![title; 4] })), one(400, "too_long", "group"));
    let count = json!({ "propertyId": "*", "fn": "COUNT" });
    assert_eq!(flaws(&json!({ "aggregate": vec![count; 9] })), one(400, "too_long", "aggregate"));
    assert_eq!(flaws(&json!({ "select": vec!["x"; 201] })), one(400, "too_long", "select"));
    assert_eq!(flaws(&json!({ "sort": {} })), one(400, "invalid_type", "sort"));
    assert_eq!(flaws(&json!({ "pageSize": 0 })), one(400, "too_small", "pageSize"));
}

#[test]
fn faults_of_sorts_and_groups_name_their_path() {
    let unknown = json!({ "propertyId": unknown_id(), "direction": "asc" });
    let title = key(PropertyType::Title);
    assert_eq!(flaws(&json!({ "sort": [title, unknown] })), one(422, "invalid_sort", "sort.1.propertyId"));
    assert_eq!(flaws(&json!({ "group": [unknown] })), one(422, "invalid_group", "group.0.propertyId"));
    assert_eq!(flaws(&json!({ "sort": [{}] })), one(422, "invalid_sort", "sort.0.propertyId"));
    assert_eq!(flaws(&json!({ "sort": [1] })), one(422, "invalid_sort", "sort.0"));
    let up = json!({ "propertyId": id_of(PropertyType::Title), "direction": "up" });
    assert_eq!(flaws(&json!({ "sort": [up] })), one(422, "invalid_sort", "sort.0.direction"));
}

#[test]
fn everything_but_buttons_is_sorted_and_everything_but_buttons_and_files_is_grouped() {
    for kind in PropertyType::ALL {
        let sorts = read(&json!({ "sort": [key(*kind)] })).is_ok();
        let groups = read(&json!({ "group": [key(*kind)] })).is_ok();
        assert_eq!(sorts, *kind != PropertyType::Button, "{kind}");
        assert_eq!(groups, !matches!(kind, PropertyType::Button | PropertyType::Files), "{kind}");
    }
}

#[test]
fn a_property_to_show_must_exist() {
    assert_eq!(flaws(&json!({ "select": [unknown_id()] })), one(400, "invalid_value", "select.0"));
    assert_eq!(flaws(&json!({ "select": [7] })), one(400, "invalid_type", "select.0"));
}

#[test]
fn a_function_must_exist_and_fit_the_type() {
    let of = |property: Value, function: &str| json!({ "aggregate": [{ "propertyId": property, "fn": function }] });
    let title = json!(id_of(PropertyType::Title));
    assert_eq!(flaws(&of(title.clone(), "MEDIAN")), one(400, "invalid_value", "aggregate.0.fn"));
    assert_eq!(flaws(&of(title.clone(), "PERCENT")), one(400, "invalid_value", "aggregate.0.fn"));
    assert_eq!(flaws(&of(json!("*"), "SUM")), one(400, "invalid_value", "aggregate.0.propertyId"));
    assert_eq!(flaws(&of(json!(unknown_id()), "COUNT")), one(400, "invalid_value", "aggregate.0.propertyId"));
    assert_eq!(flaws(&of(title, "SUM")), one(422, "aggregate_type", "aggregate.0.propertyId"));
    let fits = |kind, function| read(&of(json!(id_of(kind)), function)).is_ok();
    for kind in PropertyType::ALL {
        assert!(fits(*kind, "COUNT") && fits(*kind, "UNIQUE"), "{kind}");
    }
    for kind in [PropertyType::Number, PropertyType::Rollup, PropertyType::Formula] {
        assert!(fits(kind, "SUM") && fits(kind, "AVERAGE") && fits(kind, "MIN"), "{kind}");
    }
    for kind in [PropertyType::Date, PropertyType::DateRange, PropertyType::CreatedTime] {
        assert!(fits(kind, "MAX") && !fits(kind, "AVERAGE"), "{kind}");
    }
    assert!(!fits(PropertyType::Checkbox, "SUM") && !fits(PropertyType::Select, "MAX"));
}
