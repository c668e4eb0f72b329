//! Memory and time, as the caller of the engine bounds them.

use crate::sample::{Record, id_of, query, schema};
use chrono_tz::Tz;
use octavo_core_model::{Timestamp, id::RecordId};
use octavo_databases::{PropertyType, types::Aggregate};
use octavo_formula::{compile, parse};
use octavo_query_engine::{
    Bounds, ChunkBuilder, Context, FormulaRequest, Layout, Request, Rollup, RollupRequest, Row, Scan, Stopped, Table,
    cells, find_all, formula_column, run,
};
use serde_json::json;
use std::sync::Arc;

/// Bounds that say no when more memory than this is held.
struct Memory {
    most: usize,
    held: usize,
    largest: usize,
}

impl Memory {
    const fn of(most: usize) -> Self {
        Self { most, held: 0, largest: 0 }
    }
}

impl Bounds for Memory {
    fn go_on(&mut self) -> Result<(), Stopped> {
        Ok(())
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        if self.held + bytes > self.most {
            return Err(Stopped::TooLarge);
        }
        self.held += bytes;
        self.largest = self.largest.max(self.held);
        Ok(())
    }

    fn release(&mut self, bytes: usize) {
        self.held -= bytes;
    }
}

const PLENTY: usize = 1 << 30;

fn context() -> Context<'static> {
    Context::new(Timestamp::from_millis(0), Tz::UTC)
}

fn id(number: u32) -> RecordId {
    let mut bytes = [0; 10];
    bytes[6..].copy_from_slice(&number.to_be_bytes());
    RecordId::new(1, bytes)
}

/// A table of so many records, each with this text and its own number.
fn numbered(count: u32, text: impl Fn(u32) -> String) -> Table {
    let schema = schema();
    let layout = Arc::new(Layout::of(&schema));
    let (mut chunks, mut builder) = (Vec::new(), ChunkBuilder::new(&layout));
    for number in 0..count {
        if builder.is_full() {
            chunks.push(std::mem::replace(&mut builder, ChunkBuilder::new(&layout)).finish());
        }
        let record =
            Record::new(0).with(&[(PropertyType::Number, json!(number)), (PropertyType::Text, json!(text(number)))]);
        let position = format!("a{number:08}");
        builder.push(&Row { id: id(number), position: &position, ..record.row() }).unwrap();
    }
    chunks.push(builder.finish());
    Table::new(&schema, chunks)
}

fn formula(table: &Table, expression: &str, bounds: &mut dyn Bounds) -> Result<usize, Stopped> {
    let schema = schema();
    let program = compile(&parse(expression).unwrap());
    let request = FormulaRequest { program: &program, schema: &schema, used: &[] };
    let chunk = table.chunks().next().unwrap();
    formula_column(&request, &context(), chunk, bounds).map(|(column, _)| column.memory())
}

#[test]
fn the_values_of_a_formula_are_counted_while_they_are_computed() {
    let table = numbered(3_000, |_| "a".repeat(100));
    let text = id_of(PropertyType::Text);
    let long = format!("concat({})", vec![format!("prop(\"{text}\")"); 100].join(", "));
    let mut plenty = Memory::of(PLENTY);
    let all = formula(&table, &long, &mut plenty).unwrap();
    assert!((30_000_000..40_000_000).contains(&all), "3,000 texts of 10,000 characters take {all} bytes");
    assert_eq!(plenty.held, all, "what is held is what the column takes");
    let mut little = Memory::of(5_000_000);
    assert_eq!(formula(&table, &long, &mut little), Err(Stopped::TooLarge));
    assert_eq!(little.held, 0, "what was held was given back");
    assert_eq!(formula(&table, &format!("length({long})"), &mut little).map(|bytes| bytes < 100_000), Ok(true));
}

#[test]
fn what_a_formula_copies_is_held_only_while_it_is_computed() {
    let schema = schema();
    let table = numbered(100, |_| "a".to_owned());
    let column = {
        let program = compile(&parse(&format!("concat({})", vec!["\"abcdefghij\""; 1_000].join(", "))).unwrap());
        let request = FormulaRequest { program: &program, schema: &schema, used: &[] };
        formula_column(&request, &context(), table.chunks().next().unwrap(), &mut || false).unwrap().0
    };
    let of_formula = id_of(PropertyType::Formula);
    let table = table.with_computed(of_formula, &[Arc::new(column)]);
    let mut memory = Memory::of(PLENTY);
    let taken = formula(&table, &format!("length(prop(\"{of_formula}\"))"), &mut memory).unwrap();
    assert_eq!(memory.held, taken);
    assert!(memory.largest > 1_000_000, "the texts were copied: {}", memory.largest);
    assert_eq!(
        formula(&table, &format!("length(prop(\"{of_formula}\"))"), &mut Memory::of(500_000)),
        Err(Stopped::TooLarge)
    );
}

#[test]
fn the_values_of_rollups_are_counted_as_they_are_added() {
    let schema = schema();
    let target = numbered(100, |number| format!("{number}{}", "a".repeat(10_000)));
    let request = RollupRequest {
        relation: schema.property(id_of(PropertyType::Relation)).unwrap(),
        target: &target,
        target_schema: &schema,
        property: schema.property(id_of(PropertyType::Text)).unwrap(),
        aggregate: Aggregate::Unique,
        filter: None,
    };
    let context = context();
    let rollup = Rollup::new(request, &context, &mut || false).unwrap();
    let links = vec![(id_of(PropertyType::Relation), (0..100).map(id).collect())];
    let layout = Arc::new(Layout::of(&schema));
    let mut builder = ChunkBuilder::new(&layout);
    for number in 0..50 {
        let record = Record { links: links.clone(), ..Record::new(number) };
        builder.push(&record.row()).unwrap();
    }
    let source = builder.finish();
    let mut memory = Memory::of(10_000_000);
    assert!(matches!(rollup.column(&source, &mut memory), Err(Stopped::TooLarge)));
    let column = rollup.column(&source, &mut Memory::of(PLENTY)).unwrap();
    assert!(column.memory() > 50_000_000, "each record has a copy of each text");
}

#[test]
fn records_that_are_kept_for_an_answer_are_counted_with_their_keys() {
    let schema = schema();
    let table = numbered(2_000, |number| format!("{}{number}", "A".repeat(1_000)));
    let by_text = query(&schema, json!({ "sort": [{ "propertyId": id_of(PropertyType::Text) }], "pageSize": 10 }));
    let request = Request::new(&schema, &by_text);
    let mut memory = Memory::of(PLENTY);
    assert_eq!(find_all(&table, request, &context(), &mut memory).unwrap().len(), 2_000);
    assert!(memory.held > 4_000_000, "2,000 texts and their folded forms: {}", memory.held);
    assert_eq!(find_all(&table, request, &context(), &mut Memory::of(1_000_000)), Err(Stopped::TooLarge));
    assert!(run(&table, request, &context(), None, &mut Memory::of(1_000_000)).is_ok(), "a page keeps few records");
}

#[test]
fn different_values_are_counted() {
    let schema = schema();
    let table = numbered(10_000, |_| String::new());
    let unique = json!({ "aggregate": [{ "propertyId": id_of(PropertyType::Number), "fn": "UNIQUE" }] });
    let unique = query(&schema, unique);
    let mut memory = Memory::of(PLENTY);
    run(&table, Request::new(&schema, &unique), &context(), None, &mut memory).unwrap();
    assert!(memory.held >= 10_000 * 16, "{}", memory.held);
}

#[test]
fn groups_are_bounded_by_their_number_and_by_their_texts() {
    let schema = schema();
    let group = |kind: PropertyType, more: serde_json::Value| {
        let mut sent = json!({ "group": [{ "propertyId": id_of(kind) }], "pageSize": 1 });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        query(&schema, sent)
    };
    let count = u32::try_from(Scan::MAX_GROUPS).unwrap();
    let by_number = group(PropertyType::Number, json!({}));
    let with_counts =
        group(PropertyType::Number, json!({ "perGroup": true, "aggregate": [{ "propertyId": "*", "fn": "COUNT" }] }));
    let ask = |table: &Table, query| run(table, Request::new(&schema, query), &context(), None, &mut || false);
    let table = numbered(count, |_| String::new());
    assert!(ask(&table, &by_number).is_ok());
    assert_eq!(ask(&table, &with_counts), Err(Stopped::TooManyGroups), "an aggregate of a group is one more");
    // Charts sum up more groups than an answer shows.
    let table = numbered(count + 1, |_| String::new());
    assert_eq!(ask(&table, &by_number), Err(Stopped::TooManyGroups));
    assert!(cells(&table, Request::new(&schema, &with_counts), &context(), &mut || false).is_ok());
    let by_text = group(PropertyType::Text, json!({}));
    let texts = |count: u32| numbered(count, |number| format!("{number}{}", "a".repeat(50_000)));
    assert!(ask(&texts(80), &by_text).is_ok());
    assert_eq!(ask(&texts(90), &by_text), Err(Stopped::TooManyGroups));
    assert_eq!(ask(&texts(500), &by_text), Err(Stopped::TooManyGroups));
}

#[test]
fn a_slow_formula_stops_when_its_caller_wants_it_to() {
    let table = numbered(4_000, |_| "a".repeat(1_000));
    let text = id_of(PropertyType::Text);
    let long = format!("concat({})", vec![format!("prop(\"{text}\")"); 60].join(", "));
    let slow = vec![format!("length(upper({long}))"); 15].join(" + ");
    let mut asked = 0;
    let mut is_late = || {
        asked += 1;
        asked > 3
    };
    assert_eq!(formula(&table, &slow, &mut is_late), Err(Stopped::Deadline));
    assert_eq!(asked, 4);
}
