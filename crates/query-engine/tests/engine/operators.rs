//! What each operator means for each type, by example.

use crate::sample::{Computed, Record, file, id_of, largest, query, record_id, schema, table, user};
use chrono_tz::Tz;
use octavo_core_model::{Timestamp, id::PropertyId};
use octavo_databases::{PropertyType, query::operators_of, types::Operator as Op, value::Moment};
use octavo_query_engine::{Context, Item, Request, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An operator, its operand, and the records that it finds, by their places.
type Example = (Op, Value, &'static [u8]);

/// Sunday, 29 March 2026, 10:00 in Berlin, where the clocks changed that night.
const NOW: i64 = 1_774_771_200_000;

fn millis(text: &str) -> i64 {
    Timestamp::parse(text).unwrap().millis()
}

/// The values of records in the bag, and examples.
fn examples(kind: PropertyType) -> (Vec<Value>, Vec<Example>) {
    match kind {
        PropertyType::Title | PropertyType::Text | PropertyType::RichText => texts(|text| json!(text)),
        PropertyType::Email | PropertyType::Phone => texts(|text| json!(text)),
        PropertyType::Url => texts(|text| json!([text, "the title does not count: zebra"])),
        PropertyType::Number => (vec![json!(-1), json!(0), json!(2.5), Value::Null], numbers()),
        PropertyType::Select | PropertyType::Status => one_option(),
        PropertyType::MultiSelect => options(),
        PropertyType::Date | PropertyType::DateRange => dates(),
        PropertyType::Person => persons(),
        PropertyType::Checkbox => {
            let examples = vec![
                (Op::IsEmpty, Value::Null, &[][..]),
                (Op::IsNotEmpty, Value::Null, &[0, 1]),
                (Op::Is, json!(true), &[0]),
                (Op::Is, json!(false), &[1]),
                (Op::Equals, json!(true), &[0]),
                (Op::IsNot, json!(true), &[1]),
                (Op::NotEquals, json!(false), &[0]),
            ];
            (vec![json!(true), Value::Null], examples)
        }
        PropertyType::Files => {
            let wanted = json!({ "fileIds": [file(2), file(1)] });
            let examples = vec![
                (Op::IsEmpty, Value::Null, &[2][..]),
                (Op::IsNotEmpty, Value::Null, &[0, 1]),
                (Op::Is, wanted.clone(), &[0]),
                (Op::Equals, wanted.clone(), &[0]),
                (Op::IsNot, wanted.clone(), &[1, 2]),
                (Op::NotEquals, wanted, &[1, 2]),
            ];
            (vec![json!([file(1), file(2)]), json!([file(1)]), Value::Null], examples)
        }
        PropertyType::Button => {
            (vec![Value::Null], vec![(Op::IsEmpty, Value::Null, &[0]), (Op::IsNotEmpty, Value::Null, &[])])
        }
        _ => (Vec::new(), Vec::new()),
    }
}

fn texts(value: fn(&str) -> Value) -> (Vec<Value>, Vec<Example>) {
    let texts = ["Stra\u{df}e \u{c4}pfel", "stra\u{df}e", "100% a_b", "Zebra"].map(value);
    let values = texts.into_iter().chain([json!(""), Value::Null]).collect();
    let text = |text: &str| json!({ "text": text });
    let examples = vec![
        (Op::IsEmpty, Value::Null, &[4, 5][..]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2, 3]),
        // Case makes no difference, accents and the sharp s do.
        (Op::Is, text("STRASSE"), &[]),
        (Op::Is, text("STRA\u{1e9e}E"), &[1]),
        (Op::Is, text("STRA\u{df}E"), &[1]),
        (Op::Is, text(""), &[]),
        (Op::Equals, json!("zebra"), &[3]),
        (Op::IsNot, text("ZEBRA"), &[0, 1, 2, 4, 5]),
        (Op::NotEquals, text("zebra"), &[0, 1, 2, 4, 5]),
        (Op::Contains, text("a\u{308}PF"), &[0]),
        (Op::Contains, text("apf"), &[]),
        (Op::Contains, text("%"), &[2]),
        (Op::Contains, text("a_b"), &[2]),
        (Op::Contains, text("r"), &[0, 1, 3]),
        (Op::Contains, text(""), &[0, 1, 2, 3]),
        (Op::DoesNotContain, text("R"), &[2, 4, 5]),
        (Op::DoesNotContain, text(""), &[4, 5]),
        (Op::StartsWith, text("STR"), &[0, 1]),
        (Op::EndsWith, text("FEL"), &[0]),
    ];
    (values, examples)
}

fn numbers() -> Vec<Example> {
    vec![
        (Op::IsEmpty, Value::Null, &[3]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2]),
        (Op::Is, json!(-0.0), &[1]),
        (Op::Equals, json!({ "value": 2.5 }), &[2]),
        (Op::IsNot, json!(0), &[0, 2, 3]),
        (Op::NotEquals, json!(2.5), &[0, 1, 3]),
        (Op::GreaterThan, json!(0), &[2]),
        (Op::LessThan, json!(0), &[0]),
        (Op::GreaterOrEqual, json!(0), &[1, 2]),
        (Op::LessOrEqual, json!(0), &[0, 1]),
    ]
}

fn one_option() -> (Vec<Value>, Vec<Example>) {
    // The second one is stored by its name, the third one was deleted.
    let values = vec![json!("opt-open"), json!("Done"), json!("opt-deleted"), Value::Null];
    let examples = vec![
        (Op::IsEmpty, Value::Null, &[2, 3][..]),
        (Op::IsNotEmpty, Value::Null, &[0, 1]),
        (Op::Is, json!({ "optionId": "opt-done" }), &[1]),
        (Op::Is, json!({ "optionIds": ["opt-open"] }), &[0]),
        (Op::Is, json!("opt-deleted"), &[]),
        (Op::Equals, json!("opt-open"), &[0]),
        (Op::IsNot, json!("opt-open"), &[1, 2, 3]),
        (Op::NotEquals, json!("opt-open"), &[1, 2, 3]),
        (Op::ContainsAny, json!(["opt-open", "opt-done"]), &[0, 1]),
        (Op::ContainsAny, json!(["opt-deleted"]), &[]),
        (Op::ContainsAll, json!(["opt-open"]), &[0]),
        (Op::ContainsAll, json!(["opt-open", "opt-done"]), &[]),
    ];
    (values, examples)
}

fn options() -> (Vec<Value>, Vec<Example>) {
    let values = vec![
        json!(["opt-open", "opt-done"]),
        json!(["Done", "opt-done"]),
        json!(["opt-deleted", "opt-open"]),
        json!(["opt-deleted"]),
        Value::Null,
    ];
    let examples = vec![
        (Op::IsEmpty, Value::Null, &[3, 4][..]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2]),
        (Op::Is, json!({ "optionIds": ["opt-done", "opt-open"] }), &[0]),
        (Op::Equals, json!(["opt-open"]), &[2]),
        (Op::Is, json!(["opt-open", "opt-unknown"]), &[]),
        (Op::IsNot, json!("opt-done"), &[0, 2, 3, 4]),
        (Op::NotEquals, json!(["opt-done", "opt-open"]), &[1, 2, 3, 4]),
        (Op::ContainsAny, json!(["opt-done", "opt-doing"]), &[0, 1]),
        (Op::ContainsAll, json!(["opt-done", "opt-open"]), &[0]),
    ];
    (values, examples)
}

fn persons() -> (Vec<Value>, Vec<Example>) {
    let values = vec![json!([user(1), user(2)]), json!([user(2)]), Value::Null];
    let users = |numbers: &[u8]| json!({ "userIds": numbers.iter().map(|number| user(*number)).collect::<Vec<_>>() });
    let examples = vec![
        (Op::IsEmpty, Value::Null, &[2][..]),
        (Op::IsNotEmpty, Value::Null, &[0, 1]),
        (Op::Is, users(&[2, 1]), &[0]),
        (Op::Equals, users(&[2]), &[1]),
        (Op::IsNot, users(&[2]), &[0, 2]),
        (Op::NotEquals, users(&[1, 2]), &[1, 2]),
        (Op::ContainsAny, users(&[2, 3]), &[0, 1]),
        (Op::ContainsAll, users(&[1, 2]), &[0]),
        (Op::IsCurrentUser, Value::Null, &[0]),
    ];
    (values, examples)
}

fn dates() -> (Vec<Value>, Vec<Example>) {
    let values = vec![
        json!("2026-03-29"),
        // 00:30 on the 29th in Berlin.
        json!(millis("2026-03-28T23:30:00Z")),
        json!(["2026-03-23", "2026-03-30"]),
        json!(millis("2026-03-29T08:00:00.001Z")),
        json!("2026-03-30"),
        json!("2026-02-28"),
        Value::Null,
    ];
    let examples = vec![
        (Op::IsEmpty, Value::Null, &[6][..]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2, 3, 4, 5]),
        (Op::Is, json!("2026-03-29"), &[0, 1, 3]),
        (Op::Is, json!("2026-03-23"), &[]),
        (Op::Is, json!({ "start": "2026-03-23", "end": "2026-03-30" }), &[2]),
        (Op::IsNot, json!("2026-03-29"), &[2, 4, 5, 6]),
        (Op::Equals, json!({ "value": "2026-03-23" }), &[2]),
        (Op::Equals, json!("2026-03-28T23:30:00Z"), &[0, 1]),
        (Op::NotEquals, json!("2026-03-29"), &[2, 4, 5, 6]),
        (Op::Before, json!("2026-03-29"), &[2, 5]),
        (Op::Before, json!("2026-03-29T08:00:00Z"), &[1, 2, 5]),
        (Op::After, json!("2026-03-29"), &[4]),
        (Op::OnOrBefore, json!("2026-03-29"), &[0, 1, 2, 3, 5]),
        (Op::OnOrAfter, json!("2026-03-29"), &[0, 1, 3, 4]),
        (Op::Between, json!({ "start": "2026-03-23", "end": "2026-03-29" }), &[0, 1, 2, 3]),
        // From Monday the 23rd to Sunday the 29th.
        (Op::IsThisWeek, Value::Null, &[0, 1, 2, 3]),
        (Op::IsThisMonth, Value::Null, &[0, 1, 2, 3, 4]),
        (Op::WithinNextDays, json!({ "days": 0 }), &[0, 1, 3]),
        (Op::WithinNextDays, json!(1), &[0, 1, 3, 4]),
        // The end counts, or the start; a day is past when it is over.
        (Op::IsPast, Value::Null, &[1, 5]),
        (Op::IsFuture, Value::Null, &[3, 4]),
    ];
    (values, examples)
}

fn context() -> Context<'static> {
    Context { caller: Some(user(1)), ..Context::new(Timestamp::from_millis(NOW), Tz::Europe__Berlin) }
}

/// Checks examples for one property, and that there is one for each of its operators.
fn check(property: PropertyId, records: &[Record], examples: &[Example]) {
    let schema = schema();
    let table = table(&schema, records);
    for (operator, operand, expected) in examples {
        let filter = json!({ "propertyId": property, "op": operator, "value": operand });
        let query = query(&schema, json!({ "filter": filter }));
        let answer = run(&table, Request::new(&schema, &query), &context(), None, &mut || false).unwrap();
        let expected: Vec<_> = expected.iter().map(|at| record_id(*at)).collect();
        assert_eq!(answer.found.ids(), expected, "{} {operator} {operand}", schema.property(property).unwrap().name);
    }
    let property = schema.property(property).unwrap();
    let missing: Vec<_> = operators_of(&property.config)
        .filter(|operator| !examples.iter().any(|(known, ..)| known == operator))
        .map(Op::name)
        .collect();
    assert!(missing.is_empty(), "no example for {} with {missing:?}", property.name);
}

fn numbered(count: usize) -> impl Iterator<Item = Record> {
    (0..u8::try_from(count).unwrap()).map(Record::new)
}

#[test]
fn values_that_records_keep_are_found_by_every_operator() {
    let mut checked = Vec::new();
    for kind in PropertyType::ALL {
        let (values, examples) = examples(*kind);
        if !examples.is_empty() {
            let records: Vec<_> = numbered(values.len())
                .zip(&values)
                .map(|(record, value)| record.with(&[(*kind, value.clone())]))
                .collect();
            check(id_of(*kind), &records, &examples);
            checked.push(*kind);
        }
    }
    let elsewhere = [
        PropertyType::CreatedTime,
        PropertyType::CreatedBy,
        PropertyType::LastEditedTime,
        PropertyType::LastEditedBy,
        PropertyType::Relation,
        PropertyType::Rollup,
        PropertyType::Formula,
        PropertyType::UniqueId,
    ];
    let missing: Vec<_> =
        PropertyType::ALL.iter().filter(|kind| !checked.contains(kind) && !elsewhere.contains(kind)).collect();
    assert!(missing.is_empty(), "no examples for {missing:?}");
}

#[test]
fn times_of_records_are_found_like_dates() {
    let times = ["2026-03-29T08:00:00.001Z", "2026-03-28T23:30:00Z", "2026-03-28T22:30:00Z"].map(millis);
    let examples: &[Example] = &[
        (Op::IsEmpty, Value::Null, &[]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2]),
        (Op::Is, json!("2026-03-29"), &[0, 1]),
        (Op::IsNot, json!("2026-03-29"), &[2]),
        (Op::Equals, json!("2026-03-28T23:30:00Z"), &[1]),
        (Op::NotEquals, json!("2026-03-28T23:30:00Z"), &[0, 2]),
        (Op::Before, json!("2026-03-29"), &[2]),
        (Op::After, json!("2026-03-28"), &[0, 1]),
        (Op::OnOrBefore, json!("2026-03-28"), &[2]),
        (Op::OnOrAfter, json!("2026-03-29"), &[0, 1]),
        (Op::Between, json!({ "start": "2026-03-28", "end": "2026-03-28" }), &[2]),
        (Op::IsThisWeek, Value::Null, &[0, 1, 2]),
        (Op::IsThisMonth, Value::Null, &[0, 1, 2]),
        (Op::WithinNextDays, json!(0), &[0, 1]),
        (Op::IsPast, Value::Null, &[1, 2]),
        (Op::IsFuture, Value::Null, &[0]),
    ];
    let with = |set: fn(&mut Record, i64)| {
        let each = numbered(3).zip(times).map(move |(mut record, time)| {
            set(&mut record, time);
            record
        });
        each.collect::<Vec<_>>()
    };
    check(id_of(PropertyType::CreatedTime), &with(|record, time| record.created_at = time), examples);
    check(id_of(PropertyType::LastEditedTime), &with(|record, time| record.edited_at = time), examples);
}

#[test]
fn authors_of_records_are_found_like_persons() {
    let users = |numbers: &[u8]| json!({ "userIds": numbers.iter().map(|number| user(*number)).collect::<Vec<_>>() });
    let examples: &[Example] = &[
        // Somebody wrote every record, also where it is no longer known who.
        (Op::IsEmpty, Value::Null, &[]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2]),
        (Op::Is, users(&[1]), &[0]),
        (Op::Equals, users(&[2]), &[1]),
        (Op::IsNot, users(&[1]), &[1, 2]),
        (Op::NotEquals, users(&[1]), &[1, 2]),
        (Op::ContainsAny, users(&[1, 2]), &[0, 1]),
        (Op::ContainsAll, users(&[1, 2]), &[]),
        (Op::IsCurrentUser, Value::Null, &[0]),
    ];
    let authors = [Some(user(1)), Some(user(2)), None];
    let mut records: Vec<_> = numbered(3).collect();
    for (record, author) in records.iter_mut().zip(authors) {
        record.created_by = author;
    }
    check(id_of(PropertyType::CreatedBy), &records, examples);
    for (record, author) in records.iter_mut().zip(authors) {
        (record.created_by, record.edited_by) = (None, author);
    }
    check(id_of(PropertyType::LastEditedBy), &records, examples);
}

#[test]
fn linked_records_are_found_as_sets() {
    let examples: &[Example] = &[
        (Op::IsEmpty, Value::Null, &[2]),
        (Op::IsNotEmpty, Value::Null, &[0, 1]),
        (Op::Is, json!({ "recordIds": [record_id(51), record_id(50)] }), &[0]),
        (Op::Equals, json!([record_id(50)]), &[1]),
        (Op::IsNot, json!([record_id(50)]), &[0, 2]),
        (Op::NotEquals, json!([record_id(50)]), &[0, 2]),
        (Op::ContainsAny, json!([record_id(51), record_id(52)]), &[0]),
        (Op::ContainsAll, json!([record_id(50)]), &[0, 1]),
    ];
    let links = [vec![record_id(50), record_id(51)], vec![record_id(50)], Vec::new()];
    let mut records: Vec<_> = numbered(3).collect();
    for (record, links) in records.iter_mut().zip(links) {
        record.links = vec![(id_of(PropertyType::Relation), links)];
    }
    check(id_of(PropertyType::Relation), &records, examples);
}

#[test]
fn unique_ids_are_found_as_they_are_written_or_by_their_numbers() {
    let examples: &[Example] = &[
        (Op::IsEmpty, Value::Null, &[]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2]),
        (Op::Is, json!("task-0001"), &[1]),
        (Op::Is, json!("OTHER-0001"), &[]),
        (Op::Equals, json!(1), &[1]),
        (Op::IsNot, json!("TASK-0001"), &[0, 2]),
        (Op::NotEquals, json!("OTHER-0001"), &[0, 1, 2]),
    ];
    let mut records: Vec<_> = numbered(3).collect();
    records[2].number = None;
    check(id_of(PropertyType::UniqueId), &records, examples);
}

#[test]
fn computed_numbers_are_found_like_numbers() {
    let values = [Computed::Number(-1.0), Computed::Number(0.0), Computed::Number(2.5), Computed::Null];
    let mut records: Vec<_> = numbered(4).collect();
    for (record, value) in records.iter_mut().zip(values) {
        record.computed.insert(id_of(PropertyType::Rollup), value);
    }
    check(id_of(PropertyType::Rollup), &records, &numbers());
}

#[test]
fn computed_values_are_found_by_what_they_are() {
    let day = |text: &str| Computed::Date(Moment::parse(text).unwrap());
    let values = [
        Computed::Number(5.0),
        Computed::Text("Zebra".to_owned()),
        Computed::Boolean(true),
        day("2026-03-29"),
        day("2026-03-28T22:30:00Z"),
        Computed::List(vec![Item::Text("Zebra".into()), Item::Number(5.0)]),
        Computed::List(vec![Item::Number(5.0)]),
        Computed::List(Vec::new()),
        Computed::Error("division_by_zero"),
        Computed::Text(String::new()),
        Computed::Null,
    ];
    let mut records: Vec<_> = numbered(values.len()).collect();
    for (record, value) in records.iter_mut().zip(values) {
        record.computed = BTreeMap::from([(id_of(PropertyType::Formula), value.clone()), (largest(), value)]);
    }
    let examples: &[Example] = &[
        (Op::IsEmpty, Value::Null, &[7, 8, 9, 10]),
        (Op::IsNotEmpty, Value::Null, &[0, 1, 2, 3, 4, 5, 6]),
        (Op::Is, json!(5), &[0, 6]),
        (Op::Is, json!("ZEBRA"), &[1]),
        (Op::Is, json!(true), &[2]),
        (Op::Is, json!("2026-03-29"), &[3]),
        (Op::Equals, json!({ "value": 5 }), &[0, 6]),
        // Values of another type and missing ones are something else.
        (Op::IsNot, json!(5), &[1, 2, 3, 4, 5, 7, 8, 9, 10]),
        (Op::NotEquals, json!("zebra"), &[0, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (Op::Contains, json!("EBR"), &[1, 5]),
        (Op::DoesNotContain, json!("ebr"), &[0, 2, 3, 4, 6, 7, 8, 9, 10]),
        (Op::StartsWith, json!("z"), &[1, 5]),
        (Op::EndsWith, json!("a"), &[1, 5]),
        (Op::GreaterThan, json!(4), &[0]),
        (Op::LessThan, json!(6), &[0]),
        (Op::GreaterOrEqual, json!(5), &[0]),
        (Op::LessOrEqual, json!(5), &[0]),
        (Op::Before, json!("2026-03-29"), &[4]),
        (Op::After, json!("2026-03-28"), &[3]),
        (Op::OnOrBefore, json!("2026-03-29"), &[3, 4]),
        (Op::OnOrAfter, json!("2026-03-29"), &[3]),
        (Op::Between, json!({ "start": "2026-03-28", "end": "2026-03-28" }), &[4]),
        (Op::IsThisWeek, Value::Null, &[3, 4]),
        (Op::IsThisMonth, Value::Null, &[3, 4]),
        (Op::WithinNextDays, json!(3), &[3]),
        (Op::IsPast, Value::Null, &[4]),
        (Op::IsFuture, Value::Null, &[]),
    ];
    check(id_of(PropertyType::Formula), &records, examples);
    check(largest(), &records, examples);
}
