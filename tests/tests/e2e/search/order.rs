//! The order of results, pages of them, and their number.

use super::{eventually, eventually_all, find, ids};
use crate::pages::office;
use octavo_tests::{Engine, both_engines, shape};
use serde_json::json;
use std::collections::BTreeSet;

both_engines! {
    whole_titles_come_first_then_words_in_the_title,
    results_can_be_sorted_by_time,
    without_words_everything_is_listed_by_its_last_change,
    results_come_in_pages,
    the_total_counts_up_to_a_thousand,
}

fn whole_titles_come_first_then_words_in_the_title(engine: Engine) {
    let office = office(engine);
    let in_text = office.below(None, "Somewhere");
    for _ in 0..5 {
        office.line(&in_text, None, "zebra crossing zebra crossing");
    }
    let in_title = office.below(None, "The crossing of a zebra");
    let whole = office.below(None, "Z\u{e9}bra Crossing");
    eventually(&office, &office.owner, "zebra crossing", "", &[&whole, &in_title, &in_text]);
    let body = find(&office, &office.owner, "zebra crossing", "").body_of(200);
    assert!(body["data"][0]["score"].is_number());
    assert_eq!(body["total"], json!({ "value": 3, "exact": true }));
}

fn results_can_be_sorted_by_time(engine: Engine) {
    let office = office(engine);
    let [a, b, c] = ["Yak a", "Yak b", "Yak c"].map(|title| office.below(None, title));
    office.patch(&office.owner, &format!("/pages/{a}"), &json!({ "title": "Yak d" })).is(200);
    eventually(&office, &office.owner, "yak d", "", &[&a]);
    for (sort, expected) in [
        ("createdAt", [&a, &b, &c]),
        ("-createdAt", [&c, &b, &a]),
        ("updatedAt", [&b, &c, &a]),
        ("-updatedAt", [&a, &c, &b]),
    ] {
        assert_eq!(
            ids(&find(&office, &office.owner, "yak", &format!("&sort={sort}"))),
            expected.map(Clone::clone),
            "{sort}"
        );
    }
}

fn without_words_everything_is_listed_by_its_last_change(engine: Engine) {
    let office = office(engine);
    let [a, b] = ["First", "Second"].map(|title| office.below(None, title));
    eventually(&office, &office.owner, "second", "", &[&b]);
    office.patch(&office.owner, &format!("/pages/{a}"), &json!({ "title": "Third" })).is(200);
    eventually(&office, &office.owner, "third", "", &[&a]);
    let all = office.get(&office.owner, "/search");
    assert_eq!(ids(&all), [a, b]);
    let body = all.body_of(200);
    assert_eq!((&body["data"][0]["highlights"], &body["total"]["value"]), (&json!([]), &json!(2)));
}

fn results_come_in_pages(engine: Engine) {
    let office = office(engine);
    let pages: BTreeSet<_> = (0..25).map(|number| office.below(None, &format!("Emu {number}"))).collect();
    let expected: Vec<_> = pages.iter().map(String::as_str).collect();
    eventually_all(&office, &office.owner, "emu", "&limit=200", &expected);
    for more in ["", "&sort=createdAt"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let answer = find(&office, &office.owner, "emu", &format!("{more}&limit=10{cursor}"));
            let body = answer.body_of(200);
            assert_eq!(body["total"], json!({ "value": 25, "exact": true }));
            seen.extend(ids(&answer));
            let Some(next) = body["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(seen.len(), 25);
        assert_eq!(BTreeSet::from_iter(seen), pages);
        if !cursor.is_empty() {
            let other = find(&office, &office.owner, "ostrich", &format!("{more}&limit=10{cursor}"));
            other.refuses(400, "VALIDATION_ERROR").of("cursor", "invalid_value");
        }
    }
}

fn the_total_counts_up_to_a_thousand(engine: Engine) {
    let office = office(engine);
    let table = crate::records::Table::of(&office, None, &[]);
    let name = table.property("Name");
    for _ in 0..3 {
        let op =
            |number: usize| json!({ "op": "create", "properties": { name: { "text": format!("Kiwi {number}") } } });
        let ops: Vec<_> = (0..400).map(op).collect();
        office.post(&office.owner, &format!("{}/records/bulk", table.path), &json!({ "ops": ops })).is(200);
    }
    let total = octavo_tests::poll::eventually("the records", || {
        let body = find(&office, &office.owner, "kiwi", "&limit=1").body_of(200);
        (body["total"]["value"] == 1000).then(|| body["total"].clone())
    });
    assert_eq!(total, json!({ "value": 1000, "exact": false }));
    let first = find(&office, &office.owner, "kiwi", "&limit=500").body_of(200);
    assert_eq!(first["data"].as_array().unwrap().len(), 200, "the limit is lowered");
    assert_eq!(shape::text(&first["data"][0]["type"]), "record");
}
