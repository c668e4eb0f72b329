//! Tables that change, and their memory.

use crate::sample::{Record, chunks, id_of, puts, query, schema, schema_with, table};
use chrono_tz::Tz;
use octavo_core_model::{Timestamp, id::RecordId};
use octavo_databases::PropertyType;
use octavo_query_engine::{
    Change, ChunkBuilder, ComputedColumn, Context, InvalidBag, Layout, Request, Table, Value, run,
};
use serde_json::json;
use std::{cell::Cell, convert::Infallible, sync::Arc};

fn id(number: u32) -> RecordId {
    let mut random = [0; 10];
    random[..4].copy_from_slice(&number.to_be_bytes());
    RecordId::new(1, random)
}

fn record(number: u32) -> Record {
    let value = (PropertyType::Number, json!(number));
    Record { id: id(number), position: format!("a{number:06}"), ..Record::new(0) }.with(&[value])
}

fn total(table: &Table) -> f64 {
    let schema = schema();
    let number = id_of(PropertyType::Number);
    let query = query(&schema, json!({ "aggregate": [{ "propertyId": number, "fn": "SUM" }] }));
    let context = Context::new(Timestamp::from_millis(0), Tz::UTC);
    let answer = run(table, Request::new(&schema, &query), &context, None, &mut || false).unwrap();
    match answer.aggregates[0] {
        octavo_query_engine::AggregateValue::Number(total) => total,
        other => panic!("{other:?} is no sum"),
    }
}

#[test]
fn a_changed_table_leaves_earlier_ones_as_they_were() {
    let before = table(&schema(), &[record(1), record(2)]);
    let changed = Record { position: "a000009".to_owned(), ..record(1) }.with(&[(PropertyType::Number, json!(10))]);
    let after = before.apply(&[Change::Put(changed.row()), Change::Remove(id(7)), Change::Put(record(3).row())]);
    assert_eq!((before.ids(), total(&before)), (vec![id(1), id(2)], 3.0));
    assert_eq!((after.ids(), total(&after)), (vec![id(2), id(3), id(1)], 15.0));
    let removed = after.apply(&[Change::Remove(id(1)), Change::Remove(id(2))]);
    assert_eq!((removed.ids(), removed.len(), total(&removed)), (vec![id(3)], 1, 3.0));
}

#[test]
fn of_several_changes_of_a_record_the_last_one_counts() {
    let table = Table::new(&schema(), Vec::new());
    let (a, b) = (record(1), record(1).with(&[(PropertyType::Number, json!(8))]));
    assert_eq!(total(&table.apply(&[Change::Put(a.row()), Change::Remove(a.id), Change::Put(b.row())])), 8.0);
    assert!(table.apply(&[Change::Put(a.row()), Change::Remove(a.id)]).is_empty());
}

#[test]
fn thousands_of_changes_are_folded_into_chunks_in_order() {
    let schema = schema();
    let mut table = Table::new(&schema, chunks(&schema, &(0..5000).map(record).collect::<Vec<_>>(), 1000));
    // New records between all others, in an order that touches every chunk.
    let new: Vec<_> = (0..5000_u32)
        .map(|number| number * 1999 % 5000)
        .map(|number| Record { id: id(10_000 + number), position: format!("a{number:06}V"), ..record(number) })
        .collect();
    for changes in puts(&new).chunks(300) {
        table = table.apply(changes);
    }
    assert_eq!((table.len(), total(&table)), (10_000, 4999.0 * 5000.0));
    let expected: Vec<_> = (0..5000).flat_map(|number| [id(number), id(10_000 + number)]).collect();
    assert_eq!(table.ids(), expected);
    assert!(table.chunks().all(|chunk| chunk.len() <= 8192));
    // All but the last ten go again.
    let gone: Vec<_> = expected[..9990].iter().map(|id| Change::Remove(*id)).collect();
    for changes in gone.chunks(700) {
        table = table.apply(changes);
    }
    assert_eq!(table.ids(), expected[9990..]);
    let folded = table.folded();
    assert_eq!((folded.ids(), folded.chunks().count()), (expected[9990..].to_vec(), 1));
    assert!(folded.memory() < 20_000);
}

#[test]
fn ten_thousand_changes_at_once_start_a_table() {
    let records: Vec<_> = (0..10_000).map(record).collect();
    let table = Table::new(&schema(), Vec::new()).apply(&puts(&records));
    assert_eq!(table.ids(), (0..10_000).map(id).collect::<Vec<_>>());
}

#[test]
fn chunks_that_overlap_are_put_in_order() {
    let schema = schema();
    let records: Vec<_> = (0..100_u32).map(|number| record(number * 37 % 100)).collect();
    let table = Table::new(&schema, chunks(&schema, &records, 7));
    assert_eq!(table.ids(), (0..100).map(id).collect::<Vec<_>>());
}

#[test]
fn only_chunks_that_changed_are_computed_again() {
    let schema = schema();
    let formula = id_of(PropertyType::Formula);
    let computed = Cell::new(0);
    let complete = |table: &Table| {
        let compute = |chunk: &octavo_query_engine::Chunk| {
            computed.set(computed.get() + chunk.len());
            Ok::<_, Infallible>(ComputedColumn::nulls(chunk.len()))
        };
        table.complete(formula, compute).unwrap()
    };
    let table = complete(&Table::new(&schema, chunks(&schema, &(0..20).map(record).collect::<Vec<_>>(), 5)));
    assert_eq!(computed.replace(0), 20);
    let table = complete(&table.apply(&[Change::Put(record(3).row())]));
    assert_eq!(computed.replace(0), 1);
    assert!(table.computed_value(formula, id(3)).is_some());
    let table = complete(&table.without_computed(formula));
    assert_eq!(computed.replace(0), 21);
    assert_eq!(table.computed_value(formula, id(99)), None);
}

#[test]
fn a_new_property_is_empty_until_records_have_values_and_an_option_can_change_its_name() {
    let schema = schema();
    let select = id_of(PropertyType::Select);
    let one = Record::new(1).with(&[(PropertyType::Select, json!("opt-done"))]);
    let table = table(&schema, &[one]);
    let fewer = schema_with(&["Open"]);
    let property = fewer.property(select).unwrap();
    let (chunk, row) = table.find(crate::sample::record_id(1)).unwrap();
    assert_eq!(chunk.value(property, row), Value::Empty, "the option was deleted");
    assert!(
        matches!(chunk.value(schema.property(select).unwrap(), row), Value::Options(ids) if ids[0].as_str() == "opt-done")
    );
    // A layout without columns, as if all properties were added later.
    let empty = octavo_databases::Schema::from_stored(schema.database(), 1, 1, Vec::new());
    let late = Table::new(&empty, chunks(&empty, &[record(5)], 1)).with_schema(&schema);
    assert_eq!(total(&late), 0.0);
    assert_eq!(total(&late.apply(&[Change::Put(record(6).row())])), 6.0);
    assert_eq!(total(&late.apply(&[Change::Put(record(6).row())]).folded()), 6.0);
}

#[test]
fn a_bag_that_cannot_be_read_leaves_its_record_without_values() {
    let layout = Arc::new(Layout::of(&schema()));
    let mut builder = ChunkBuilder::new(&layout);
    let mut broken = record(1);
    let ok = record(2);
    for bag in ["", "[]", "{\"4\":", "{\"x\":1}", "{\"4\":1}}", "nothing"] {
        bag.clone_into(&mut broken.bag);
        assert_eq!(builder.push(&broken.row()), Err(InvalidBag), "{bag}");
        broken.id = id(u32::try_from(builder.len()).unwrap() + 10);
    }
    builder.push(&ok.row()).unwrap();
    assert_eq!(total(&Table::new(&schema(), vec![builder.finish()])), 2.0 + 1.0, "what was read before stays");
}

#[test]
fn values_of_the_wrong_form_are_no_values() {
    let wrong = [json!(true), json!("text"), json!([1, [2]]), json!({ "a": { "b": 1 } }), json!(null), json!(1.5e300)];
    let layout = Arc::new(Layout::of(&schema()));
    for kind in PropertyType::ALL {
        for value in &wrong {
            let mut builder = ChunkBuilder::new(&layout);
            // A list of something else cannot be read; other forms are passed over.
            let _ = builder.push(&Record::new(1).with(&[(*kind, value.clone())]).row());
            builder.push(&record(7).row()).unwrap();
            let table = Table::new(&schema(), vec![builder.finish()]);
            assert!(table.len() == 2 && total(&table) >= 7.0, "{kind} {value}");
        }
    }
}

#[test]
fn memory_grows_with_records_and_computed_columns_are_counted_apart() {
    let schema = schema();
    let table = |count| Table::new(&schema, chunks(&schema, &(0..count).map(record).collect::<Vec<_>>(), 4096));
    let (few, many) = (table(100), table(10_000));
    assert!(many.memory() > 50 * few.memory());
    let formula = id_of(PropertyType::Formula);
    let computed = many.complete::<Infallible>(formula, |chunk| Ok(ComputedColumn::nulls(chunk.len()))).unwrap();
    assert_eq!(computed.memory(), many.memory());
    assert!(computed.computed_memory() >= 9 * 10_000 && many.computed_memory() == 0);
}
