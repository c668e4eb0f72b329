//! Queries over 100,000 records of 12 properties: `cargo bench -p octavo-query-engine`. The memory of the table is
//! printed first. `QUERY_ENGINE_RECORDS` changes the number of records.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "what cannot be measured ends the bench")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]
#![allow(clippy::disallowed_methods, reason = "a bench is a program of its own")]

use chrono_tz::Tz;
use divan::{Bencher, black_box};
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PropertyId, RecordId, UserId},
    position::Position,
    text::PropertyName,
};
use octavo_databases::{
    Property, PropertyConfig, PropertyType, Schema,
    query::{Columns, Query},
    stored::decode,
};
use octavo_query_engine::{
    Change, Chunk, ChunkBuilder, ComputedBuilder, ComputedColumn, ComputedValue, Context, Layout, Place, Request, Row,
    Table, run,
};
use serde_json::{Map, Value, json};
use std::{
    convert::Infallible,
    sync::{Arc, LazyLock},
};

#[global_allocator]
static PEAK: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

const NOW: i64 = 1_774_744_200_000;
const COLUMNS: [(&str, PropertyType); 13] = [
    ("Name", PropertyType::Title),
    ("Notes", PropertyType::Text),
    ("Worth", PropertyType::Number),
    ("Score", PropertyType::Number),
    ("Stage", PropertyType::Select),
    ("Tags", PropertyType::MultiSelect),
    ("Due", PropertyType::Date),
    ("Seen", PropertyType::Date),
    ("Owner", PropertyType::Person),
    ("Mail", PropertyType::Email),
    ("Site", PropertyType::Url),
    ("Open", PropertyType::Checkbox),
    // Not counted among the twelve: it is computed.
    ("Formula", PropertyType::Formula),
];
const WORDS: [&str; 16] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima",
    "mike", "november", "oscar", "papa",
];

fn main() {
    let _ = RECORDS.len();
    let before = PEAK.current_usage();
    let table = load();
    let used = PEAK.current_usage() - before;
    let per = |bytes: usize| bytes as f64 / 1e6 * 100_000.0 / table.len() as f64;
    println!(
        "{} records, {:.1} bytes a bag: {:.1} MB per 100,000 records as allocated, {:.1} MB as the table says",
        table.len(),
        RECORDS.iter().map(|record| record.bag.len()).sum::<usize>() as f64 / RECORDS.len() as f64,
        per(used),
        per(table.memory()),
    );
    drop(table);
    divan::main();
}

struct Record {
    id: RecordId,
    position: Position,
    bag: String,
}

fn id(number: usize) -> PropertyId {
    PropertyId::new(1, [u8::try_from(number).unwrap(); 10])
}

fn named(name: &str) -> PropertyId {
    id(COLUMNS.iter().position(|(known, _)| *known == name).unwrap())
}

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let options: Value = (0..12)
        .map(|at| json!({ "id": format!("opt-{at}"), "name": format!("Option {at}"), "color": "red" }))
        .collect();
    let property = |(at, (name, kind)): (usize, &(&str, PropertyType))| {
        let config = match kind {
            PropertyType::Select | PropertyType::MultiSelect => json!({ "options": options }),
            PropertyType::Formula => json!({ "expression": "1" }),
            _ => json!({}),
        };
        let config: Map<_, _> = serde_json::from_value(config).unwrap();
        Property {
            id: id(at),
            database: DatabaseId::EXAMPLE,
            slot: u32::try_from(at).unwrap() + 1,
            name: PropertyName::from_stored((*name).to_owned()),
            position: Position::after(None),
            is_visible: true,
            required: false,
            config: PropertyConfig::from_stored(*kind, config).unwrap(),
            default: None,
            created_at: Timestamp::from_millis(0),
        }
    };
    let properties = COLUMNS.iter().enumerate().map(property).collect();
    Schema::from_stored(DatabaseId::EXAMPLE, 1, 100, properties)
});

static RECORDS: LazyLock<Vec<Record>> = LazyLock::new(|| {
    let count = std::env::var("QUERY_ENGINE_RECORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let mut random = 1_u64;
    let mut next = move |end: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % end
    };
    let word = move |next: &mut dyn FnMut(u64) -> u64| WORDS[usize::try_from(next(16)).unwrap()];
    let positions = Position::spread(count);
    positions
        .enumerate()
        .map(|(at, position)| {
            let mut notes: Vec<_> = (0..7).map(|_| word(&mut next)).collect();
            if next(2000) == 0 {
                notes.push("Quicksilver");
            }
            let bag = json!({
                "1": format!("Record {at} {}", word(&mut next)),
                "2": format!("Notes: {}.", notes.join(" ")),
                "3": next(100_000) as f64 / 100.0,
                "4": next(1000),
                "5": format!("opt-{}", next(12)),
                "6": [format!("opt-{}", next(12)), format!("opt-{}", next(12))],
                "7": Timestamp::from_millis(NOW - 86_400_000 * i64::try_from(next(3000)).unwrap()).to_string()[..10],
                "8": NOW - i64::try_from(next(100_000_000)).unwrap() * 1000,
                "9": [UserId::new(1, [u8::try_from(next(40)).unwrap(); 10])],
                "10": format!("person{at}@example.com"),
                "11": format!("https://example.com/records/{at}"),
                "12": next(2) == 0,
            });
            let number = u64::try_from(at).unwrap().to_be_bytes();
            let mut random = [0; 10];
            random[2..].copy_from_slice(&number);
            Record { id: RecordId::new(NOW + i64::try_from(at).unwrap(), random), position, bag: bag.to_string() }
        })
        .collect()
});

fn row(record: &Record) -> Row<'_> {
    Row {
        id: record.id,
        position: record.position.as_str(),
        parent: None,
        is_archived: false,
        number: Some(1),
        created_at: Timestamp::from_millis(NOW),
        created_by: Some(UserId::EXAMPLE),
        edited_at: Timestamp::from_millis(NOW),
        edited_by: Some(UserId::EXAMPLE),
        bag: &record.bag,
        links: &[],
    }
}

fn load() -> Table {
    let layout = Arc::new(Layout::of(&SCHEMA));
    let mut chunks = Vec::new();
    let mut builder = ChunkBuilder::new(&layout);
    for record in RECORDS.iter() {
        builder.push(&row(record)).unwrap();
        if builder.is_full() {
            chunks.push(std::mem::replace(&mut builder, ChunkBuilder::new(&layout)).finish());
        }
    }
    chunks.push(builder.finish());
    Table::new(&SCHEMA, chunks)
}

static TABLE: LazyLock<Table> = LazyLock::new(load);

fn query(sent: Value) -> Query {
    let Value::Object(sent) = sent else { panic!("a query is an object") };
    Query::read(sent, Columns::by_id(&SCHEMA)).unwrap()
}

fn bench(bencher: Bencher<'_, '_>, sent: Value) {
    let query = query(sent);
    let context =
        Context { caller: Some(UserId::EXAMPLE), ..Context::new(Timestamp::from_millis(NOW), Tz::Europe__Berlin) };
    let table = &*TABLE;
    bencher.bench_local(|| {
        black_box(run(table, Request::new(&SCHEMA, black_box(&query)), &context, None, &mut || false).unwrap())
    });
}

#[divan::bench]
fn filter_sort_first_50(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "filter": { "op": "and", "conditions": [
                { "propertyId": named("Stage"), "op": "is", "value": { "optionId": "opt-3" } },
                { "propertyId": named("Score"), "op": "greater_than", "value": 200 },
            ] },
            "sort": [{ "propertyId": named("Worth"), "direction": "desc" }],
        }),
    );
}

#[divan::bench]
fn sort_all_by_number_first_50(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({ "sort": [{ "propertyId": named("Worth") }] }));
}

#[divan::bench]
fn sort_all_by_text_first_50(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({ "sort": [{ "propertyId": named("Name"), "direction": "desc" }] }));
}

#[divan::bench]
fn sort_all_by_date_and_time_first_50(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({ "sort": [{ "propertyId": named("Seen"), "direction": "desc" }] }));
}

#[divan::bench]
fn text_contains_a_rare_word_first_50(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "filter": { "propertyId": named("Notes"), "op": "contains", "value": { "text": "quicksilver" } },
            "sort": [{ "propertyId": named("Worth") }],
        }),
    );
}

#[divan::bench]
fn text_contains_a_common_word_first_50(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "filter": { "propertyId": named("Notes"), "op": "contains", "value": { "text": "delta" } },
            "sort": [{ "propertyId": named("Worth") }],
        }),
    );
}

#[divan::bench]
fn first_50_in_the_order_of_positions(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({}));
}

#[divan::bench]
fn is_this_month_in_berlin(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "filter": { "propertyId": named("Seen"), "op": "is_this_month" },
            "sort": [{ "propertyId": named("Worth") }],
        }),
    );
}

#[divan::bench]
fn group_by_select_with_counts_and_sum(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "group": [{ "propertyId": named("Stage") }],
            "aggregate": [{ "propertyId": "*", "fn": "COUNT" }, { "propertyId": named("Worth"), "fn": "SUM" }],
            "perGroup": true,
        }),
    );
}

#[divan::bench]
fn group_by_select_with_sum_over_all(bencher: Bencher<'_, '_>) {
    bench(
        bencher,
        json!({
            "group": [{ "propertyId": named("Stage") }],
            "aggregate": [{ "propertyId": named("Score"), "fn": "SUM" }],
        }),
    );
}

#[divan::bench]
fn group_by_tags_and_day_in_berlin(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({ "group": [{ "propertyId": named("Tags") }, { "propertyId": named("Seen") }] }));
}

#[divan::bench]
fn count_different_texts(bencher: Bencher<'_, '_>) {
    bench(bencher, json!({ "aggregate": [{ "propertyId": named("Notes"), "fn": "UNIQUE" }], "pageSize": 1 }));
}

#[divan::bench]
fn page_at_offset_90_000_of_a_sort(bencher: Bencher<'_, '_>) {
    let query = query(json!({ "sort": [{ "propertyId": named("Worth") }] }));
    let context = Context::new(Timestamp::from_millis(NOW), Tz::UTC);
    let request = Request::new(&SCHEMA, &query);
    let mut place: Option<Place> = None;
    // Once to its place by the offset alone, then once by its anchor.
    let far = Place {
        anchor: RecordId::LOWEST,
        offset: TABLE.len() as u64 * 9 / 10,
        key: 0,
        digest: octavo_query_engine::digest(&request),
    };
    place = place.or(run(&TABLE, request, &context, Some(&far), &mut || false).unwrap().next);
    bencher.bench_local(|| black_box(run(&TABLE, request, &context, place.as_ref(), &mut || false).unwrap()));
}

#[divan::bench]
fn page_at_offset_90_000_without_its_anchor(bencher: Bencher<'_, '_>) {
    let query = query(json!({ "sort": [{ "propertyId": named("Worth") }] }));
    let context = Context::new(Timestamp::from_millis(NOW), Tz::UTC);
    let request = Request::new(&SCHEMA, &query);
    let far = Place {
        anchor: RecordId::LOWEST,
        offset: TABLE.len() as u64 * 9 / 10,
        key: 0,
        digest: octavo_query_engine::digest(&request),
    };
    bencher.bench_local(|| black_box(run(&TABLE, request, &context, Some(&far), &mut || false).unwrap()));
}

#[expect(clippy::unnecessary_wraps, reason = "the engine passes errors on")]
fn formula(chunk: &Chunk) -> Result<ComputedColumn, Infallible> {
    let worth = SCHEMA.property(named("Worth")).unwrap();
    let mut builder = ComputedBuilder::new(chunk.len());
    for row in 0..chunk.len() {
        match chunk.value(worth, row) {
            octavo_query_engine::Value::Number(number) => builder.push(ComputedValue::Number(number * 1.19)),
            _ => builder.push(ComputedValue::Null),
        }
    }
    Ok(builder.finish())
}

#[divan::bench]
fn computed_column_filtered_and_sorted(bencher: Bencher<'_, '_>) {
    let table = TABLE.complete(named("Formula"), formula).unwrap();
    let query = query(json!({
        "filter": { "propertyId": named("Formula"), "op": "greater_than", "value": 300 },
        "sort": [{ "propertyId": named("Formula"), "direction": "desc" }],
    }));
    let context = Context::new(Timestamp::from_millis(NOW), Tz::UTC);
    bencher
        .bench_local(|| black_box(run(&table, Request::new(&SCHEMA, &query), &context, None, &mut || false).unwrap()));
}

#[divan::bench]
fn compute_a_column(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| black_box(TABLE.complete(named("Formula"), formula).unwrap()));
}

#[divan::bench(sample_count = 10)]
fn cold_load(bencher: Bencher<'_, '_>) {
    let _ = RECORDS.len();
    bencher.bench_local(|| black_box(load()));
}

#[divan::bench(sample_count = 10)]
fn parse_the_bags_only(bencher: Bencher<'_, '_>) {
    let _ = RECORDS.len();
    bencher.bench_local(|| {
        for record in RECORDS.iter() {
            black_box(serde_json::from_str::<Map<String, Value>>(&record.bag).unwrap());
        }
    });
}

#[divan::bench(sample_count = 10)]
fn decode_the_bags_only(bencher: Bencher<'_, '_>) {
    let _ = RECORDS.len();
    bencher.bench_local(|| {
        for record in RECORDS.iter() {
            black_box(decode(&record.bag, &SCHEMA).unwrap());
        }
    });
}

#[divan::bench]
fn apply_one_change(bencher: Bencher<'_, '_>) {
    let table = &*TABLE;
    bencher.bench_local(|| black_box(table.apply(&[Change::Put(row(&RECORDS[RECORDS.len() / 2]))])));
}

#[divan::bench]
fn apply_one_change_to_a_full_overlay(bencher: Bencher<'_, '_>) {
    let changes: Vec<_> = RECORDS.iter().step_by(RECORDS.len() / 999).map(|record| Change::Put(row(record))).collect();
    let table = TABLE.apply(&changes[..900]);
    bencher.bench_local(|| black_box(table.apply(&[Change::Put(row(&RECORDS[RECORDS.len() / 2 + 1]))])));
}

#[divan::bench]
fn change_after_change(bencher: Bencher<'_, '_>) {
    // What one change costs on average, folding included.
    let mut table = TABLE.clone();
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 7919) % RECORDS.len();
        table = table.apply(&[Change::Put(row(&RECORDS[at]))]);
    });
}
