//! Callers learn nothing of what they cannot see.

use crate::sample::{Record, id_of, query, record_id, schema, table, user};
use chrono_tz::Tz;
use octavo_core_model::Timestamp;
use octavo_databases::PropertyType;
use octavo_query_engine::{AggregateValue, Answer, Context, Found, GroupValue, Relation, Request, Visible, count, run};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn context() -> Context<'static> {
    Context::new(Timestamp::from_millis(0), Tz::UTC)
}

fn linking() -> Vec<Record> {
    let links = [vec![50, 51], vec![51], vec![52], Vec::new()];
    let record = |(number, links): (u8, Vec<u8>)| Record {
        links: vec![(id_of(PropertyType::Relation), links.into_iter().map(record_id).collect())],
        ..Record::new(number)
    };
    (0..).zip(links).map(record).collect()
}

fn ask(context: &Context<'_>, records: &[Record], sent: Value) -> Answer {
    let schema = schema();
    let query = query(&schema, sent);
    run(&table(&schema, records), Request::new(&schema, &query), context, None, &mut || false).unwrap()
}

/// Asks as somebody who sees only the linked records 51 and 52, which are called Zoe and Ada.
fn ask_with_links(visible: Visible<'_>, sent: Value) -> Answer {
    let titles = BTreeMap::from([
        (record_id(50), "Aaa".to_owned()),
        (record_id(51), "Zoe".to_owned()),
        (record_id(52), "Ada".to_owned()),
    ]);
    let relations = BTreeMap::from([(id_of(PropertyType::Relation), Relation { titles: &titles, visible })]);
    ask(&Context { relations: &relations, ..context() }, &linking(), sent)
}

#[test]
fn hidden_links_are_neither_found_nor_sorted_nor_grouped_nor_counted() {
    let relation = id_of(PropertyType::Relation);
    let hidden = BTreeSet::from([record_id(50)]);
    let visible = || Visible::AllBut(&hidden);
    let find = |op: &str, ids: &[u8]| {
        let ids: Vec<_> = ids.iter().map(|id| record_id(*id)).collect();
        let filter = json!({ "propertyId": relation, "op": op, "value": ids });
        ask_with_links(visible(), json!({ "filter": filter })).found.ids()
    };
    assert_eq!(find("contains_any", &[50]), []);
    assert_eq!(find("is", &[51]), [record_id(0), record_id(1)]);
    let sorted = ask_with_links(visible(), json!({ "sort": [{ "propertyId": relation }] }));
    assert_eq!(sorted.found.ids(), [2, 0, 1, 3].map(record_id));
    let grouped = ask_with_links(
        visible(),
        json!({
            "group": [{ "propertyId": relation }],
            "aggregate": [{ "propertyId": relation, "fn": "UNIQUE" }],
        }),
    );
    let Found::Groups(groups) = &grouped.found else { panic!("there are groups") };
    let shown: Vec<_> = groups.iter().map(|group| (group.key.label.as_deref(), group.count)).collect();
    assert_eq!(shown, [(Some("Ada"), 1), (Some("Zoe"), 2), (None, 1)]);
    assert_eq!(grouped.aggregates, [AggregateValue::Number(2.0)]);
}

#[test]
fn a_relation_to_a_database_that_a_caller_cannot_see_is_empty() {
    let relation = id_of(PropertyType::Relation);
    let sent = json!({
        "filter": { "propertyId": relation, "op": "is_empty" },
        "aggregate": [{ "propertyId": relation, "fn": "COUNT" }],
    });
    let answer = ask_with_links(Visible::Nothing, sent);
    assert_eq!((answer.found.ids().len(), answer.aggregates), (4, vec![AggregateValue::Number(0.0)]));
}

#[test]
fn hidden_records_are_neither_listed_nor_counted() {
    let hidden = BTreeSet::from([record_id(1), record_id(99)]);
    let records: Vec<_> = (0..4).map(Record::new).collect();
    let context = Context { hidden: &hidden, ..context() };
    let sent = json!({ "group": [{ "propertyId": id_of(PropertyType::Checkbox) }], "aggregate": [{ "propertyId": "*", "fn": "COUNT" }] });
    let answer = ask(&context, &records, sent);
    assert_eq!(answer.found.ids(), [0, 2, 3].map(record_id));
    assert_eq!((answer.total, answer.aggregates), (Some(3), vec![AggregateValue::Number(3.0)]));
}

#[test]
fn archived_records_are_found_only_when_a_query_wants_them() {
    let records: Vec<_> = (0..3).map(|number| Record { is_archived: number == 1, ..Record::new(number) }).collect();
    assert_eq!(ask(&context(), &records, json!({})).found.ids(), [0, 2].map(record_id));
    assert_eq!(ask(&context(), &records, json!({ "includeArchived": true })).found.ids(), [0, 1, 2].map(record_id));
    let schema = schema();
    assert_eq!(count(&table(&schema, &records), &schema, None, &context(), &mut || false), Ok(2));
}

#[test]
fn readers_of_a_share_link_see_names_of_persons_and_no_ids() {
    let persons = BTreeMap::from([(user(1), "Ada".to_owned()), (user(2), "Ada".to_owned())]);
    let context = Context { persons: &persons, persons_by_name: true, ..context() };
    let person = |user| Record::new(user).with(&[(PropertyType::Person, json!([crate::sample::user(user)]))]);
    let sent = json!({ "group": [{ "propertyId": id_of(PropertyType::Person) }] });
    let answer = ask(&context, &[person(1), person(2)], sent);
    let Found::Groups(groups) = &answer.found else { panic!("there are groups") };
    assert_eq!(groups.len(), 1);
    assert_eq!((&groups[0].key.value, groups[0].count), (&GroupValue::PersonName("Ada".to_owned()), 2));
}

#[test]
fn nobody_in_particular_is_never_the_current_user() {
    let record = Record::new(1).with(&[(PropertyType::Person, json!([user(1)]))]);
    let sent = json!({ "filter": { "propertyId": id_of(PropertyType::Person), "op": "is_current_user" } });
    assert_eq!(ask(&context(), std::slice::from_ref(&record), sent.clone()).found.ids(), []);
    let context = Context { caller: Some(user(1)), ..context() };
    assert_eq!(ask(&context, &[record], sent).found.ids(), [record_id(1)]);
}
