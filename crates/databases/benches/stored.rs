//! The time to read and write the values of a record: `cargo bench -p octavo-databases`.

#![allow(clippy::unwrap_used, reason = "what cannot be measured ends the bench")]

use divan::{Bencher, black_box, counter::ItemsCount};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId},
    text::PropertyName,
};
use octavo_databases::{
    Schema, Schemas, Values,
    record::{Found, How, Write, read},
    schema::read_drafts,
    stored::{decode, encode},
    types::{ConfigInputs, Form},
};
use serde_json::{Map, Value, json};

fn main() {
    divan::main();
}

const RECORDS: usize = 1000;

/// Ten properties of the types that most records have.
fn schema() -> Schema {
    let options: Value = (0..20).map(|number| json!({ "name": format!("Option {number}") })).collect();
    let config = json!({ "options": options });
    let sent = json!([
        { "name": "Name", "type": "title" },
        { "name": "Notes", "type": "text" },
        { "name": "Worth", "type": "number" },
        { "name": "Stage", "type": "select", "config": config },
        { "name": "Tags", "type": "multi_select", "config": config },
        { "name": "Due", "type": "date" },
        { "name": "Mail", "type": "email" },
        { "name": "Site", "type": "url" },
        { "name": "Open", "type": "checkbox" },
        { "name": "Seen", "type": "date_range" },
    ]);
    let mut number = 0;
    let mut draw = || {
        number += 1;
        PropertyId::new(number, [0; 10])
    };
    let reverse_name = PropertyName::parse("Reverse").unwrap();
    let drafts = read_drafts(Some(sent), &mut ConfigInputs { draw: &mut draw, reverse_name: &reverse_name }).unwrap();
    let mut schemas = Schemas::default();
    schemas.create(DatabaseId::EXAMPLE, drafts, Timestamp::from_millis(0), &mut draw).unwrap();
    schemas.get(DatabaseId::EXAMPLE).unwrap().clone()
}

fn sent(schema: &Schema, number: usize) -> Map<String, Value> {
    let values = [
        json!({ "text": format!("Record {number}") }),
        json!({ "text": "A note of some words about this record." }),
        json!({ "value": f64::from(u32::try_from(number).unwrap()) * 1.5 }),
        json!({ "optionId": format!("opt-option-{}", number % 20) }),
        json!({ "optionIds": [format!("opt-option-{}", number % 20), format!("opt-option-{}", (number + 7) % 20)] }),
        json!({ "start": "2026-05-01" }),
        json!({ "value": format!("person{number}@example.com") }),
        json!({ "value": format!("https://example.com/{number}") }),
        json!({ "value": number.is_multiple_of(2) }),
        json!({ "start": "2026-05-01T10:00:00Z", "end": "2026-05-02T10:00:00Z" }),
    ];
    let ids = schema.properties().iter().map(|property| property.id.to_string());
    ids.zip(values).collect()
}

fn values(schema: &Schema, number: usize) -> Values {
    let how = How { write: Write::Create, form: Form::Exact, allows_references: false };
    let mut values = Values::default();
    let read = read(schema, sent(schema, number), how).unwrap();
    read.resolve(&Found::default(), &values).unwrap().apply(&mut values);
    values
}

#[divan::bench]
fn decode_a_thousand_records(bencher: Bencher<'_, '_>) {
    let schema = schema();
    let texts: Vec<_> = (0..RECORDS).map(|number| encode(&values(&schema, number))).collect();
    bencher.counter(ItemsCount::new(RECORDS)).bench_local(|| {
        for text in &texts {
            black_box(decode(black_box(text), &schema).unwrap());
        }
    });
}

#[divan::bench]
fn encode_a_thousand_records(bencher: Bencher<'_, '_>) {
    let schema = schema();
    let all: Vec<_> = (0..RECORDS).map(|number| values(&schema, number)).collect();
    bencher.counter(ItemsCount::new(RECORDS)).bench_local(|| {
        for values in &all {
            black_box(encode(black_box(values)));
        }
    });
}

#[divan::bench]
fn read_a_thousand_records(bencher: Bencher<'_, '_>) {
    let schema = schema();
    let how = How { write: Write::Create, form: Form::Exact, allows_references: false };
    bencher
        .counter(ItemsCount::new(RECORDS))
        .with_inputs(|| (0..RECORDS).map(|number| sent(&schema, number)).collect::<Vec<_>>())
        .bench_local_values(|all| {
            for sent in all {
                black_box(read(&schema, sent, how).unwrap());
            }
        });
}
