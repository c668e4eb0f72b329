//! Sorts, groups, aggregates and pages as callers see them.

use crate::sample::{Computed, Record, id_of, query, record_id, schema, table, user};
use chrono_tz::Tz;
use octavo_core_model::{Timestamp, id::RecordId};
use octavo_databases::{PropertyType, value::Moment};
use octavo_query_engine::{
    AggregateValue, Answer, Change, Context, Found, Group, GroupValue, Request, Stopped, Table, digest, run,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const NOW: i64 = 1_774_771_200_000;

fn context() -> Context<'static> {
    Context::new(Timestamp::from_millis(NOW), Tz::Europe__Berlin)
}

fn ask(table: &Table, sent: Value) -> Answer {
    let schema = schema();
    let query = query(&schema, sent);
    run(table, Request::new(&schema, &query), &context(), None, &mut || false).unwrap()
}

fn ids(numbers: &[u8]) -> Vec<RecordId> {
    numbers.iter().map(|number| record_id(*number)).collect()
}

fn groups(answer: &Answer) -> &[Group] {
    match &answer.found {
        Found::Groups(groups) => groups,
        Found::Records(_) => panic!("there are groups"),
    }
}

fn records_with(kind: PropertyType, values: &[Value]) -> Vec<Record> {
    (0..).zip(values).map(|(number, value)| Record::new(number).with(&[(kind, value.clone())])).collect()
}

fn sorted_by(kind: PropertyType, direction: &str, values: &[Value]) -> Vec<RecordId> {
    let table = table(&schema(), &records_with(kind, values));
    ask(&table, json!({ "sort": [{ "propertyId": id_of(kind), "direction": direction }] })).found.ids()
}

#[test]
fn records_without_value_are_last_in_both_directions_and_ties_keep_the_order_of_positions() {
    let values = [Value::Null, json!(2), json!(1), json!(2), Value::Null];
    assert_eq!(sorted_by(PropertyType::Number, "asc", &values), ids(&[2, 1, 3, 0, 4]));
    assert_eq!(sorted_by(PropertyType::Number, "desc", &values), ids(&[1, 3, 2, 0, 4]));
}

#[test]
fn texts_are_sorted_without_regard_to_case_first() {
    let values = ["b", "B", "a", "\u{e4}", "A", ""].map(Value::from);
    assert_eq!(sorted_by(PropertyType::Title, "asc", &values), ids(&[4, 2, 1, 0, 3, 5]));
    assert_eq!(sorted_by(PropertyType::Title, "desc", &values), ids(&[3, 0, 1, 2, 4, 5]));
}

#[test]
fn options_are_sorted_by_their_order_and_checkboxes_from_no_to_yes() {
    let options = ["opt-done", "opt-open", "Doing", "opt-deleted"].map(Value::from);
    assert_eq!(sorted_by(PropertyType::Select, "asc", &options), ids(&[1, 2, 0, 3]));
    let lists = [json!(["opt-done", "opt-open"]), json!(["opt-deleted", "opt-doing"]), json!(["opt-open"])];
    assert_eq!(sorted_by(PropertyType::MultiSelect, "asc", &lists), ids(&[2, 1, 0]));
    assert_eq!(sorted_by(PropertyType::Checkbox, "desc", &[Value::Null, json!(true)]), ids(&[1, 0]));
}

#[test]
fn a_day_is_sorted_like_the_time_when_it_begins_for_the_caller() {
    let millis = |text: &str| json!(Timestamp::parse(text).unwrap().millis());
    let values = [json!("2026-03-29"), millis("2026-03-28T22:59:00Z"), millis("2026-03-28T23:01:00Z")];
    assert_eq!(sorted_by(PropertyType::Date, "asc", &values), ids(&[1, 0, 2]));
}

#[test]
fn files_are_sorted_by_their_number() {
    let files = |count: u8| json!((0..count).map(crate::sample::file).collect::<Vec<_>>());
    assert_eq!(
        sorted_by(PropertyType::Files, "desc", &[files(1), files(3), Value::Null, files(2)]),
        ids(&[1, 3, 0, 2])
    );
}

#[test]
fn persons_are_sorted_and_labelled_by_their_names() {
    let schema = schema();
    let values = [json!([user(1)]), json!([user(2), user(1)]), json!([user(3)])];
    let table = table(&schema, &records_with(PropertyType::Person, &values));
    let persons =
        BTreeMap::from([(user(1), "Zoe".to_owned()), (user(2), "ada".to_owned()), (user(3), "Bob".to_owned())]);
    let context = Context { persons: &persons, ..context() };
    let person = id_of(PropertyType::Person);
    let query = query(&schema, json!({ "sort": [{ "propertyId": person }], "group": [{ "propertyId": person }] }));
    let answer = run(&table, Request::new(&schema, &query), &context, None, &mut || false).unwrap();
    let shown: Vec<_> =
        groups(&answer).iter().map(|group| (group.key.label.as_deref().unwrap(), group.count)).collect();
    assert_eq!(shown, [("ada", 1), ("Bob", 1), ("Zoe", 2)]);
    assert_eq!(answer.total, Some(3), "a record in two groups counts once");
}

#[test]
fn groups_show_all_counts_and_fill_with_records_until_the_page_is_full() {
    let values = ["opt-done", "opt-open", "opt-done", "opt-deleted", "opt-open"].map(Value::from);
    let table = table(&schema(), &records_with(PropertyType::Select, &values));
    let select = id_of(PropertyType::Select);
    let sent = json!({
        "group": [{ "propertyId": select }],
        "aggregate": [{ "propertyId": "*", "fn": "COUNT" }],
        "perGroup": true,
        "pageSize": 3,
    });
    let answer = ask(&table, sent);
    let shown: Vec<_> = groups(&answer)
        .iter()
        .map(|group| (group.key.label.as_deref(), group.count, group.records.clone(), group.aggregates.clone()))
        .collect();
    let count = |count| vec![AggregateValue::Number(count)];
    assert_eq!(
        shown,
        [
            (Some("Open"), 2, ids(&[1, 4]), count(2.0)),
            (Some("Done"), 2, ids(&[0]), count(2.0)),
            (None, 1, Vec::new(), count(1.0)),
        ]
    );
    assert_eq!(groups(&answer)[2].key.value, GroupValue::Empty);
    assert_eq!((answer.total, answer.aggregates.clone()), (Some(5), count(5.0)));
    assert!(answer.next.is_some());
}

#[test]
fn boards_show_options_that_no_record_has() {
    let schema = schema();
    let table = table(&schema, &records_with(PropertyType::Status, &[json!("opt-doing")]));
    let query = query(&schema, json!({ "group": [{ "propertyId": id_of(PropertyType::Status) }] }));
    let request = Request { with_empty_groups: true, ..Request::new(&schema, &query) };
    let answer = run(&table, request, &context(), None, &mut || false).unwrap();
    let shown: Vec<_> =
        groups(&answer).iter().map(|group| (group.key.label.as_deref().unwrap(), group.count)).collect();
    assert_eq!(shown, [("Open", 0), ("Doing", 1), ("Done", 0)]);
}

#[test]
fn dates_are_grouped_by_the_day_of_the_caller() {
    let millis = |text: &str| json!(Timestamp::parse(text).unwrap().millis());
    let values = [json!("2026-03-29"), millis("2026-03-28T23:01:00Z"), millis("2026-03-28T22:59:00Z"), Value::Null];
    let table = table(&schema(), &records_with(PropertyType::Date, &values));
    let answer = ask(&table, json!({ "group": [{ "propertyId": id_of(PropertyType::Date), "direction": "desc" }] }));
    let day = |text| match Moment::parse(text) {
        Some(Moment::Day(day)) => GroupValue::Day(day),
        _ => panic!("it is a day"),
    };
    let shown: Vec<_> = groups(&answer).iter().map(|group| (group.key.value.clone(), group.records.clone())).collect();
    assert_eq!(
        shown,
        [(day("2026-03-29"), ids(&[0, 1])), (day("2026-03-28"), ids(&[2])), (GroupValue::Empty, ids(&[3]))]
    );
}

#[test]
fn inner_groups_count_a_record_once_in_each_group_around_them() {
    let record = Record::new(1).with(&[
        (PropertyType::MultiSelect, json!(["opt-open", "opt-done"])),
        (PropertyType::Person, json!([user(1), user(2)])),
    ]);
    let table = table(&schema(), &[record]);
    let levels = [PropertyType::Checkbox, PropertyType::MultiSelect, PropertyType::Person];
    let group: Vec<_> = levels.iter().map(|kind| json!({ "propertyId": id_of(*kind) })).collect();
    let answer = ask(&table, json!({ "group": group, "pageSize": 3 }));
    let [outer] = groups(&answer) else { panic!("no box is ticked") };
    assert_eq!((outer.count, outer.groups.len(), outer.records.len()), (1, 2, 0));
    assert_eq!(outer.groups.iter().map(|group| group.count).collect::<Vec<_>>(), [1, 1]);
    // The page has three of the four appearances.
    assert_eq!(outer.groups[0].groups.iter().map(|group| group.records.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(outer.groups[1].groups.iter().map(|group| group.records.len()).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(answer.next.map(|next| next.offset), Some(3));
}

#[test]
fn aggregates_cover_all_records_that_are_found() {
    let values = [json!(1), json!(2), Value::Null, json!(2)];
    let table = table(&schema(), &records_with(PropertyType::Number, &values));
    let number = id_of(PropertyType::Number);
    let aggregate: Vec<_> = ["COUNT", "SUM", "AVERAGE", "MIN", "MAX", "UNIQUE"]
        .iter()
        .map(|function| json!({ "propertyId": number, "fn": function }))
        .collect();
    let sent = |filter: Value| json!({ "aggregate": aggregate, "filter": filter, "pageSize": 1 });
    let number = AggregateValue::Number;
    let answer = ask(&table, sent(Value::Null));
    let expected = [3.0, 5.0, 5.0 / 3.0, 1.0, 2.0, 2.0].map(number);
    assert_eq!(answer.aggregates, expected);
    let none = json!({ "propertyId": id_of(PropertyType::Checkbox), "op": "is", "value": true });
    let null = AggregateValue::Null;
    assert_eq!(ask(&table, sent(none)).aggregates, [number(0.0), number(0.0), null, null, null, number(0.0)]);
}

#[test]
fn a_sum_that_is_too_large_is_null_and_one_that_only_passes_through_is_not() {
    let number = id_of(PropertyType::Number);
    let sum = |values: &[f64]| {
        let values: Vec<_> = values.iter().map(|value| json!(value)).collect();
        let table = table(&schema(), &records_with(PropertyType::Number, &values));
        ask(&table, json!({ "aggregate": [{ "propertyId": number, "fn": "SUM" }] })).aggregates[0]
    };
    assert_eq!(sum(&[1e308, 1e308]), AggregateValue::Null);
    assert_eq!(sum(&[1e308, 1e308, -1e308]), AggregateValue::Number(1e308));
    assert_eq!(sum(&[0.1; 10]), AggregateValue::Number(1.0));
}

#[test]
fn earliest_and_latest_dates_are_dates() {
    let table = table(
        &schema(),
        &records_with(PropertyType::Date, &[json!("2026-03-29"), json!(["2026-01-01", "2027-01-01"])]),
    );
    let date = id_of(PropertyType::Date);
    let sent = json!({ "aggregate": [{ "propertyId": date, "fn": "MIN" }, { "propertyId": date, "fn": "MAX" }] });
    let moment = |text| AggregateValue::Date(Moment::parse(text).unwrap());
    assert_eq!(ask(&table, sent).aggregates, [moment("2026-01-01"), moment("2026-03-29")]);
}

#[test]
fn errors_of_formulas_count_as_no_value() {
    let formula = id_of(PropertyType::Formula);
    let mut records: Vec<_> = (0..3).map(Record::new).collect();
    for (record, value) in
        records.iter_mut().zip([Computed::Error("cycle"), Computed::Number(2.0), Computed::Number(1.0)])
    {
        record.computed.insert(formula, value);
    }
    let table = table(&schema(), &records);
    let sent = json!({
        "sort": [{ "propertyId": formula, "direction": "desc" }],
        "aggregate": [{ "propertyId": formula, "fn": "COUNT" }, { "propertyId": formula, "fn": "SUM" }],
    });
    let answer = ask(&table, sent);
    assert_eq!(answer.found.ids(), ids(&[1, 2, 0]));
    assert_eq!(answer.aggregates, [AggregateValue::Number(2.0), AggregateValue::Number(3.0)]);
}

fn numbered(count: u8) -> Vec<Record> {
    (0..count).map(|number| Record::new(number).with(&[(PropertyType::Number, json!(number))])).collect()
}

#[test]
fn records_that_are_added_while_somebody_turns_pages_neither_repeat_nor_hide_others() {
    let schema = schema();
    let table = table(&schema, &numbered(6));
    let query = query(
        &schema,
        json!({ "sort": [{ "propertyId": id_of(PropertyType::Number), "direction": "desc" }], "pageSize": 3 }),
    );
    let request = Request::new(&schema, &query);
    let first = run(&table, request, &context(), None, &mut || false).unwrap();
    assert_eq!(first.found.ids(), ids(&[5, 4, 3]));
    let added: Vec<_> =
        (10..14).map(|number| Record::new(number).with(&[(PropertyType::Number, json!(number))])).collect();
    let table = table.apply(&crate::sample::puts(&added));
    let second = run(&table, request, &context(), first.next.as_ref(), &mut || false).unwrap();
    assert_eq!((second.found.ids(), second.next), (ids(&[2, 1, 0]), None));
}

#[test]
fn a_page_whose_anchor_is_gone_continues_after_as_many_records() {
    let schema = schema();
    let table = table(&schema, &numbered(6));
    let query = query(&schema, json!({ "pageSize": 2 }));
    let request = Request::new(&schema, &query);
    let first = run(&table, request, &context(), None, &mut || false).unwrap();
    let next = |change| {
        let table = table.apply(&[change]);
        run(&table, request, &context(), first.next.as_ref(), &mut || false).unwrap().found.ids()
    };
    assert_eq!(next(Change::Remove(record_id(1))), ids(&[3, 4]));
    // The same if it was moved behind all others.
    let moved = Record { position: "b".to_owned(), ..Record::new(1) };
    assert_eq!(next(Change::Put(moved.row())), ids(&[3, 4]));
}

#[test]
fn the_place_of_another_query_is_refused() {
    let schema = schema();
    let table = table(&schema, &numbered(6));
    let by_size = |sent: Value| query(&schema, sent);
    let one = by_size(json!({ "pageSize": 2 }));
    let place = run(&table, Request::new(&schema, &one), &context(), None, &mut || false).unwrap().next;
    let sorted = by_size(json!({ "sort": [{ "propertyId": id_of(PropertyType::Number) }] }));
    let answer = |query| run(&table, Request::new(&schema, query), &context(), place.as_ref(), &mut || false);
    assert_eq!(answer(&sorted), Err(Stopped::OtherQuery));
    assert!(answer(&by_size(json!({ "pageSize": 4 }))).is_ok(), "pages may have other sizes");
    assert_ne!(digest(&Request::new(&schema, &one)), digest(&Request::new(&schema, &sorted)));
}

#[test]
fn a_query_stops_when_its_caller_wants_it_to() {
    let schema = schema();
    let table = table(&schema, &numbered(30));
    let query = query(&schema, json!({ "sort": [{ "propertyId": id_of(PropertyType::Number) }] }));
    let mut asked = 0;
    let mut is_late = || {
        asked += 1;
        asked > 4
    };
    assert_eq!(run(&table, Request::new(&schema, &query), &context(), None, &mut is_late), Err(Stopped::Deadline));
    assert_eq!(asked, 5);
}

#[test]
fn the_first_page_in_the_order_of_positions_reads_no_more_chunks_than_it_shows() {
    let schema = schema();
    let table = table(&schema, &numbered(30));
    let query = query(&schema, json!({ "pageSize": 4 }));
    let mut asked = 0;
    let mut is_late = || {
        asked += 1;
        false
    };
    let answer = run(&table, Request::new(&schema, &query), &context(), None, &mut is_late).unwrap();
    assert_eq!((answer.found.ids(), answer.total, asked), (ids(&[0, 1, 2, 3]), None, 3));
}

#[test]
fn parts_of_a_record_are_listed() {
    let schema = schema();
    let mut records = numbered(4);
    records[2].parent = Some(record_id(0));
    let table = table(&schema, &records);
    let query = query(&schema, json!({}));
    let request = Request { parent: Some(record_id(0)), ..Request::new(&schema, &query) };
    assert_eq!(run(&table, request, &context(), None, &mut || false).unwrap().found.ids(), ids(&[2]));
}

#[test]
fn a_record_in_too_many_groups_stops_the_query() {
    let schema = schema();
    let mut record = Record::new(1);
    let links: Vec<_> = (0..1500_u16)
        .map(|number| {
            let [high, low] = number.to_be_bytes();
            RecordId::new(7, [0, 0, 0, 0, 0, 0, 0, 0, high, low])
        })
        .collect();
    record.links = vec![(id_of(PropertyType::Relation), links)];
    let table = table(&schema, &[record]);
    let relation = json!({ "propertyId": id_of(PropertyType::Relation) });
    let query = query(&schema, json!({ "group": [relation, relation] }));
    let answer = run(&table, Request::new(&schema, &query), &context(), None, &mut || false);
    assert_eq!(answer, Err(Stopped::TooManyGroups));
}
