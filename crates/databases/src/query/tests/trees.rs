//! Groups, paths and limits of filters.

use super::{leaf, paths, read};
use crate::{
    query::{
        Columns, Filter,
        sample::{id_of, largest_id, schema, unknown_id},
    },
    types::PropertyType,
};
use serde_json::{Value, json};

fn title() -> Value {
    leaf(PropertyType::Title, "is", json!({ "text": "a" }))
}

fn number() -> Value {
    leaf(PropertyType::Number, "is", json!({ "value": 1 }))
}

fn group(op: &str, conditions: &[Value]) -> Value {
    json!({ "op": op, "conditions": conditions })
}

fn nested(depth: usize) -> Value {
    (1..depth).fold(title(), |tree, _| group("not", &[tree]))
}

#[test]
fn null_is_no_filter() {
    assert_eq!(read(&Value::Null), Ok(None));
}

#[test]
fn paths_are_relative_to_the_tree() {
    assert_eq!(paths(&json!([])), [""]);
    assert_eq!(paths(&json!("x")), [""]);
    assert_eq!(paths(&json!({})), ["op"]);
    assert_eq!(paths(&json!({ "op": "xor" })), ["op"]);
    assert_eq!(paths(&json!({ "op": "is" })), ["propertyId"]);
    assert_eq!(paths(&json!({ "op": "is", "propertyId": unknown_id(), "value": 1 })), ["propertyId"]);
    assert_eq!(paths(&json!({ "op": "is", "propertyId": 7 })), ["propertyId"]);
    assert_eq!(paths(&json!({ "op": "and" })), ["conditions"]);
    assert_eq!(paths(&group("or", &[])), ["conditions"]);
    assert_eq!(paths(&group("not", &[title(), title()])), ["conditions"]);
    let wrong = leaf(PropertyType::Number, "is", json!("x"));
    assert_eq!(paths(&group("and", &[title(), wrong.clone()])), ["conditions.1.value"]);
    assert_eq!(
        paths(&group("and", &[group("not", std::slice::from_ref(&wrong)), json!(1), wrong])),
        ["conditions.0.conditions.0.value", "conditions.1", "conditions.2.value"]
    );
}

#[test]
fn a_tree_is_at_most_16_deep_and_the_leaf_counts() {
    assert!(read(&nested(16)).is_ok());
    let path = vec!["conditions.0"; 16].join(".");
    assert_eq!(paths(&nested(17)), [path]);
}

#[test]
fn a_tree_has_at_most_200_leaves_in_all_groups_together() {
    let halves = |leaves: usize| group("and", &[group("or", &vec![title(); 120]), group("or", &vec![title(); leaves])]);
    assert!(read(&halves(80)).is_ok());
    assert_eq!(paths(&halves(81)), [""]);
    assert_eq!(paths(&group("or", &vec![title(); 201])), ["conditions"]);
}

#[test]
fn a_property_can_be_named_only_where_ids_are_unknown() {
    let schema = schema();
    let sent = json!({ "op": "is", "propertyId": " TITLE", "value": "a" });
    assert_eq!(paths(&sent), ["propertyId"]);
    let by_name = Filter::read(&sent, Columns::by_id_or_name(&schema)).unwrap().unwrap();
    assert_eq!(by_name.to_json(), title());
}

#[test]
fn a_deleted_property_leaves_the_tree_and_emptied_groups_disappear() {
    let tree = group("and", &[group("or", &[title()]), group("not", &[title()]), number()]);
    let filter = read(&tree).unwrap().unwrap();
    let left = filter.without_property(id_of(PropertyType::Title)).unwrap();
    assert_eq!(left.to_json(), group("and", &[number()]));
    assert_eq!(left.without_property(id_of(PropertyType::Number)), None);
    assert_eq!(filter.without_property(unknown_id()), Some(filter));
}

#[test]
fn what_no_longer_fits_is_left_out_of_a_stored_tree() {
    let schema = schema();
    let unknown = json!({ "propertyId": unknown_id(), "op": "is_empty" });
    let unfit = leaf(PropertyType::Number, "contains", json!("a"));
    let stored = group("or", &[unknown.clone(), group("and", &[unfit]), title()]);
    let filter = Filter::read(&stored, Columns::stored(&schema)).unwrap().unwrap();
    assert_eq!(filter.to_json(), group("or", &[title()]));
    assert_eq!(Filter::read(&unknown, Columns::stored(&schema)), Ok(None));
}

#[test]
fn leaves_are_listed_with_their_paths() {
    let filter = read(&group("and", &[group("not", &[title()]), number()])).unwrap().unwrap();
    let leaves: Vec<_> = filter.leaves().map(|(path, leaf)| (path, leaf.property)).collect();
    let expected = [
        ("conditions.0.conditions.0".to_owned(), id_of(PropertyType::Title)),
        ("conditions.1".to_owned(), id_of(PropertyType::Number)),
    ];
    assert_eq!(leaves, expected);
}

#[test]
fn a_rollup_of_other_values_than_numbers_is_compared_like_a_formula() {
    let on_largest = |op: &str, value: Value| json!({ "propertyId": largest_id(), "op": op, "value": value });
    assert!(read(&on_largest("before", json!("2024-05-01"))).is_ok());
    assert!(read(&on_largest("less_than", json!(5))).is_ok());
    assert_eq!(paths(&on_largest("contains_any", json!(["a"]))), ["op"]);
    assert_eq!(paths(&leaf(PropertyType::Rollup, "before", json!("2024-05-01"))), ["op"], "a count is a number");
}
