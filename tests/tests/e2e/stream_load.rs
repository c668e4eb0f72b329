//! What a thousand streams cost. A long test: it runs with `--slow` and prints its figures.

#![allow(clippy::print_stdout, reason = "figures for whoever runs it")]

use octavo_tests::{Deployment, Engine, EventStream, Person, Reason, both_engines, engine::slow, shape};
use serde_json::json;
use std::time::{Duration, Instant};

both_engines! {
    a_thousand_streams_cost_little_and_get_events_at_once,
}

const PEOPLE: usize = 50;
const KEYS: usize = 10;
const EVENTS: usize = 40;

fn a_thousand_streams_cost_little_and_get_events_at_once(engine: Engine) {
    if !slow() {
        return;
    }
    let server = Deployment::new(engine, Reason::Load).serve();
    let ada = server.person("Ada");
    let acme = shape::text(&ada.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"]);
    let people: Vec<_> = (0..PEOPLE).map(|number| server.person(&format!("Person {number}"))).collect();
    for person in &people {
        let body = json!({ "userId": person.id, "role": "MEMBER" });
        ada.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
    }
    let keys: Vec<_> = (0..KEYS)
        .map(|number| {
            let body = json!({ "name": format!("Key {number}"), "scopes": ["READ"] });
            let key = ada.post(&format!("/workspaces/{acme}/api-keys"), &body).send().data(201);
            shape::text(&key["key"])
        })
        .collect();
    let create = |person: &Person, number: usize| {
        let request = person.post("/pages", &json!({ "title": format!("Page {number}") }));
        request.header("X-Service-Workspace", &acme).send().is(201);
    };
    create(&ada, 0);
    let before = server.resident_bytes();
    let of_people = people.iter().flat_map(|person| {
        (0..10).map(|_| person.get("/events/stream?types=page.created").header("X-Service-Workspace", &acme).stream())
    });
    let of_keys = keys
        .iter()
        .flat_map(|key| (0..50).map(|_| server.get("/events/stream?types=page.created").bearer(key).stream()));
    let mut streams: Vec<EventStream> = of_people.chain(of_keys).collect();
    assert_eq!(streams.len(), 1000);
    for stream in &mut streams {
        assert!(stream.next_frame().unwrap().retry.is_some());
    }
    let open = server.resident_bytes();
    let mut took = Vec::new();
    for number in 1..=EVENTS {
        let began = Instant::now();
        create(&ada, number);
        for stream in &mut streams {
            assert!(stream.next_event().is("page.created"));
            took.push(began.elapsed());
        }
    }
    let loaded = server.resident_bytes();
    took.sort();
    let at = |share: usize| took[took.len() * share / 100 - 1];
    println!(
        "{engine:?}: {} bytes for each stream, {} after {EVENTS} events; from the call to the client p50 {:?}, p95 {:?}, longest {:?}",
        (open - before) / 1000,
        (loaded - before) / 1000,
        at(50),
        at(95),
        at(100)
    );
    assert!(open - before < 40 << 20, "{} bytes", open - before);
    assert!(at(95) < Duration::from_secs(2), "a debug build may take longer than one for production");
}
