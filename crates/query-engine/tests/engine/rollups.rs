//! Summaries of linked records.

use crate::sample::{Computed, Record, id_of, record_id, schema, table, user};
use chrono_tz::Tz;
use octavo_core_model::Timestamp;
use octavo_databases::{
    PropertyType,
    query::{Columns, Filter},
    types::Aggregate,
    value::Moment,
};
use octavo_query_engine::{ComputedColumn, ComputedValue, Context, Item, Rollup, RollupRequest, Stopped, Table};
use serde_json::{Value, json};

/// The records 50 to 53, which are linked; the last one is archived.
fn targets(values: &[(PropertyType, [Value; 4])]) -> Table {
    let record = |number: u8| {
        let values: Vec<_> =
            values.iter().map(|(kind, each)| (*kind, each[usize::from(number - 50)].clone())).collect();
        let mut record = Record::new(number).with(&values);
        record.is_archived = number == 53;
        record.computed.insert(id_of(PropertyType::Formula), Computed::Number(f64::from(number)));
        record
    };
    table(&schema(), &(50..54).map(record).collect::<Vec<_>>())
}

/// The value for a record with these links.
fn roll(target: &Table, kind: PropertyType, aggregate: Aggregate, filter: Option<&Value>, links: &[u8]) -> Computed {
    let schema = schema();
    let filter = filter.and_then(|filter| Filter::read(filter, Columns::by_id(&schema)).unwrap());
    let request = RollupRequest {
        relation: schema.property(id_of(PropertyType::Relation)).unwrap(),
        target,
        target_schema: &schema,
        property: schema.property(id_of(kind)).unwrap(),
        aggregate,
        filter: filter.as_ref(),
    };
    let context = Context::new(Timestamp::from_millis(0), Tz::UTC);
    let rollup = Rollup::new(request, &context, &mut || false).unwrap();
    let links = vec![(id_of(PropertyType::Relation), links.iter().map(|link| record_id(*link)).collect())];
    let source = table(&schema, &[Record { links, ..Record::new(1) }]);
    let column = rollup.column(source.chunks().next().unwrap(), &mut || false).unwrap();
    own(column.get(0))
}

fn own(value: ComputedValue<'_>) -> Computed {
    match value {
        ComputedValue::Null => Computed::Null,
        ComputedValue::Number(number) => Computed::Number(number),
        ComputedValue::Text(text) => Computed::Text(text.to_owned()),
        ComputedValue::Boolean(boolean) => Computed::Boolean(boolean),
        ComputedValue::Date(moment) => Computed::Date(moment),
        ComputedValue::List(items) => Computed::List(items.to_vec()),
        ComputedValue::Error(name) => Computed::Error(name),
    }
}

const ALL: &[u8] = &[52, 50, 51, 53];

#[test]
fn numbers_of_linked_records_are_summarized_without_archived_ones() {
    let target = targets(&[(PropertyType::Number, [json!(1), json!(4.5), Value::Null, json!(100)])]);
    let roll = |aggregate, links| roll(&target, PropertyType::Number, aggregate, None, links);
    let cases = [
        (Aggregate::Count, 3.0),
        (Aggregate::Sum, 5.5),
        (Aggregate::Average, 2.75),
        (Aggregate::Min, 1.0),
        (Aggregate::Max, 4.5),
        (Aggregate::Percent, 2.0 / 3.0),
    ];
    for (aggregate, expected) in cases {
        assert_eq!(roll(aggregate, ALL), Computed::Number(expected), "{aggregate}");
    }
    assert_eq!(roll(Aggregate::Unique, ALL), Computed::List(vec![Item::Number(1.0), Item::Number(4.5)]));
    assert_eq!(roll(Aggregate::Count, &[53, 99]), Computed::Number(0.0), "archived and unknown ones do not count");
}

#[test]
fn without_links_there_is_nothing_to_summarize() {
    let target = targets(&[(PropertyType::Number, [1, 2, 3, 4].map(Value::from))]);
    let cases = [
        (Aggregate::Count, Computed::Number(0.0)),
        (Aggregate::Sum, Computed::Number(0.0)),
        (Aggregate::Average, Computed::Null),
        (Aggregate::Min, Computed::Null),
        (Aggregate::Max, Computed::Null),
        (Aggregate::Percent, Computed::Null),
        (Aggregate::Unique, Computed::List(Vec::new())),
    ];
    for (aggregate, expected) in cases {
        assert_eq!(roll(&target, PropertyType::Number, aggregate, None, &[]), expected, "{aggregate}");
    }
}

#[test]
fn a_share_counts_ticked_boxes_and_filled_values() {
    let target = targets(&[
        (PropertyType::Checkbox, [json!(true), Value::Null, Value::Null, json!(true)]),
        (PropertyType::Text, [json!("a"), json!(""), Value::Null, json!("b")]),
    ]);
    for kind in [PropertyType::Checkbox, PropertyType::Text] {
        assert_eq!(roll(&target, kind, Aggregate::Percent, None, ALL), Computed::Number(1.0 / 3.0), "{kind}");
    }
}

#[test]
fn different_values_come_in_the_order_of_the_links() {
    let list = |texts: &[&str]| Computed::List(texts.iter().map(|text| Item::Text((*text).into())).collect());
    let target = targets(&[
        (PropertyType::Text, [json!("b"), json!("a"), json!("B"), json!("c")]),
        (PropertyType::MultiSelect, [json!(["opt-done", "Open"]), json!(["opt-open"]), json!(["gone"]), Value::Null]),
        (PropertyType::Person, [json!([user(1)]), json!([user(2), user(1)]), Value::Null, Value::Null]),
    ]);
    let unique = |kind| roll(&target, kind, Aggregate::Unique, None, ALL);
    assert_eq!(unique(PropertyType::Text), list(&["B", "b", "a"]));
    assert_eq!(unique(PropertyType::MultiSelect), list(&["opt-done", "opt-open"]));
    assert_eq!(unique(PropertyType::Person), list(&[&user(1).to_string(), &user(2).to_string()]));
    assert_eq!(unique(PropertyType::UniqueId), list(&["TASK-0052", "TASK-0050", "TASK-0051"]));
}

#[test]
fn the_earliest_date_and_a_computed_property_can_be_summarized() {
    let target =
        targets(&[(PropertyType::Date, ["2026-03-02", "2026-03-01", "2026-03-03", "2020-01-01"].map(Value::from))]);
    let earliest = roll(&target, PropertyType::Date, Aggregate::Min, None, ALL);
    assert_eq!(earliest, Computed::Date(Moment::parse("2026-03-01").unwrap()));
    assert_eq!(roll(&target, PropertyType::Formula, Aggregate::Max, None, ALL), Computed::Number(52.0));
}

#[test]
fn a_filter_decides_which_linked_records_count() {
    let target = targets(&[(PropertyType::Number, [1, 2, 3, 4].map(Value::from))]);
    let filter = json!({ "propertyId": id_of(PropertyType::Number), "op": "greater_than", "value": 1 });
    let sum = roll(&target, PropertyType::Number, Aggregate::Sum, Some(&filter), ALL);
    assert_eq!(sum, Computed::Number(5.0));
}

#[test]
fn rollups_follow_changes_of_their_targets() {
    let target = targets(&[(PropertyType::Number, [1, 2, 3, 4].map(Value::from))]);
    let changed = Record::new(50).with(&[(PropertyType::Number, json!(10))]);
    let target = target
        .apply(&[octavo_query_engine::Change::Put(changed.row()), octavo_query_engine::Change::Remove(record_id(51))]);
    assert_eq!(roll(&target, PropertyType::Number, Aggregate::Sum, None, ALL), Computed::Number(13.0));
}

#[test]
fn a_rollup_stops_when_its_caller_wants_it_to() {
    let target = targets(&[]);
    let schema = schema();
    let request = RollupRequest {
        relation: schema.property(id_of(PropertyType::Relation)).unwrap(),
        target: &target,
        target_schema: &schema,
        property: schema.property(id_of(PropertyType::Number)).unwrap(),
        aggregate: Aggregate::Sum,
        filter: None,
    };
    let context = Context::new(Timestamp::from_millis(0), Tz::UTC);
    assert!(matches!(Rollup::new(request, &context, &mut || true), Err(Stopped::Deadline)));
    assert_eq!(ComputedColumn::nulls(2).get(1), ComputedValue::Null, "for callers that cannot see the target");
}
