//! Live streams of events.

use octavo_tests::{
    Deployment, Engine, EventStream, Frame, Person, Reason, Server, at_once::at_once, both_engines, poll, shape,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

both_engines! {
    events_arrive_as_they_happen,
    a_stream_goes_on_behind_the_last_event,
    nothing_is_missed_while_sixteen_write,
    a_place_that_the_log_does_not_know_starts_anew,
    a_stream_has_what_its_filter_wants,
    a_stream_of_a_subtree_has_the_records_in_it,
    only_events_that_match_make_a_place_too_old,
    what_is_hidden_in_the_middle_is_not_sent,
    a_stream_ends_with_the_right_to_it,
    a_user_has_ten_streams,
    streams_are_refused_like_other_calls,
    a_client_that_reads_nothing_loses_its_own_stream_only,
    a_service_that_stops_says_so,
}

fn workspace(person: &Person) -> String {
    shape::text(&person.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"])
}

fn add(owner: &Person, acme: &str, person: &Person, role: &str) {
    let body = json!({ "userId": person.id, "role": role });
    owner.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
}

fn page(person: &Person, acme: &str, body: &Value) -> String {
    shape::text(&person.post("/pages", body).header("X-Service-Workspace", acme).send().data(201)["id"])
}

fn named(person: &Person, acme: &str, title: &str) -> String {
    page(person, acme, &json!({ "title": title }))
}

fn open(person: &Person, acme: &str, query: &str) -> EventStream {
    person.get(&format!("/events/stream?{query}")).header("X-Service-Workspace", acme).stream()
}

fn key(owner: &Person, acme: &str, scope: &str) -> Value {
    let body = json!({ "name": "Robot", "scopes": [scope] });
    owner.post(&format!("/workspaces/{acme}/api-keys"), &body).send().data(201)
}

fn by_key(server: &Server, key: &Value) -> EventStream {
    server.get("/events/stream?types=page.*").bearer(key["key"].as_str().unwrap()).stream()
}

fn about(frame: &Frame) -> String {
    shape::text(&frame.data()["resource"]["id"])
}

/// The log, once its last event is about this thing.
fn log(person: &Person, acme: &str, last: &str) -> Vec<Value> {
    poll::eventually("the last event in the log", || {
        let answer = person.get("/events?limit=500").header("X-Service-Workspace", acme).send().body_of(200);
        let events = answer["data"].as_array().unwrap().clone();
        events.last().is_some_and(|event| event["resource"]["id"] == last).then_some(events)
    })
}

fn events_arrive_as_they_happen(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let before = named(&ada, &acme, "Before");
    log(&ada, &acme, &before);
    let mut stream = ada
        .get("/events/stream")
        .header("X-Service-Workspace", &acme)
        .header("Accept-Encoding", "gzip, br, zstd")
        .stream();
    for (name, value) in
        [("content-type", "text/event-stream"), ("cache-control", "no-store"), ("x-accel-buffering", "no")]
    {
        assert_eq!(stream.head().named(name), value);
    }
    assert_eq!(stream.head().header("content-encoding"), None);
    assert_eq!(stream.next_frame().unwrap().retry.as_deref(), Some("3000"));
    let id = named(&ada, &acme, "Line one\u{2028}two");
    let frame = stream.next_event();
    assert_eq!((frame.event.as_deref(), about(&frame)), (Some("page.created"), id.clone()));
    let logged = log(&ada, &acme, &id).pop().unwrap();
    assert_eq!((frame.id, frame.data), (Some(shape::text(&logged["id"])), Some(logged)));
}

fn a_stream_goes_on_behind_the_last_event(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let pages: Vec<_> = (0..4).map(|number| named(&ada, &acme, &format!("Page {number}"))).collect();
    let events = log(&ada, &acme, &pages[3]);
    let of = |page: &str| shape::text(&events.iter().find(|event| event["resource"]["id"] == page).unwrap()["id"]);
    let (first, third) = (of(&pages[0]), of(&pages[2]));
    let mut by_query = open(&ada, &acme, &format!("lastEventId={third}"));
    let request = ada.get(&format!("/events/stream?lastEventId={third}")).header("X-Service-Workspace", &acme);
    let mut by_header = request.header("Last-Event-ID", &first).stream();
    let mut filtered = open(&ada, &acme, &format!("lastEventId={first}&types=page.*&resourceId={}", pages[3]));
    let live = named(&ada, &acme, "Live");
    assert_eq!([(); 2].map(|()| about(&by_query.next_event())), [pages[3].clone(), live.clone()]);
    let expected = [pages[1].clone(), pages[2].clone(), pages[3].clone(), live];
    assert_eq!([(); 4].map(|()| about(&by_header.next_event())), expected, "the header comes first");
    assert_eq!(about(&filtered.next_event()), pages[3], "an event that the filter leaves out is a place too");
}

fn nothing_is_missed_while_sixteen_write(engine: Engine) {
    const EACH: usize = 12;
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let start = named(&ada, &acme, "Start");
    let mut last = shape::text(&log(&ada, &acme, &start).last().unwrap()["id"]);
    let (written, seen) = std::thread::scope(|scope| {
        let writers = scope.spawn(|| {
            at_once(16, |who| {
                (0..EACH).map(|number| named(&ada, &acme, &format!("{who} {number}"))).collect::<Vec<_>>()
            })
        });
        // Breaks off again and again, and resumes behind what it has got.
        let mut seen = Vec::new();
        for round in 1.. {
            let request = ada.get("/events/stream?types=page.created").header("X-Service-Workspace", &acme);
            let mut stream = request.header("Last-Event-ID", &last).stream();
            for _ in 0..(round * 3).min(16 * EACH - seen.len()) {
                let frame = stream.next_event();
                assert!(frame.is("page.created"), "{frame:?}");
                last = frame.id.clone().unwrap();
                seen.push((frame.data()["sequence"].as_i64().unwrap(), about(&frame)));
            }
            if seen.len() == 16 * EACH {
                break;
            }
        }
        (writers.join().unwrap(), seen)
    });
    assert!(seen.is_sorted_by(|earlier, later| earlier.0 < later.0), "in order, and none twice: {seen:?}");
    let seen: BTreeSet<_> = seen.into_iter().map(|(_, id)| id).collect();
    assert_eq!(seen, written.into_iter().flatten().collect());
}

fn a_place_that_the_log_does_not_know_starts_anew(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let (acme, other) = (workspace(&ada), workspace(&ada));
    let elsewhere = named(&ada, &other, "Elsewhere");
    let foreign = shape::text(&log(&ada, &other, &elsewhere).last().unwrap()["id"]);
    let here = named(&ada, &acme, "Here");
    log(&ada, &acme, &here);
    for place in ["evn_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", "nonsense", "17", "", foreign.as_str()] {
        let request = ada.get("/events/stream").header("X-Service-Workspace", &acme);
        let mut stream = request.header("Last-Event-ID", place).stream();
        let reset = stream.next_event();
        assert_eq!((reset.event.as_deref(), &reset.id), (Some("reset"), &None), "{place}");
        assert_eq!(reset.data(), &json!({ "reason": "history_lost" }));
        let live = named(&ada, &acme, "Live");
        assert_eq!(about(&stream.next_event()), live, "{place}");
    }
}

fn a_stream_has_what_its_filter_wants(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let top = named(&ada, &acme, "Top");
    let below = page(&ada, &acme, &json!({ "title": "Below", "parentId": top }));
    let end = named(&ada, &acme, "End");
    log(&ada, &acme, &end);
    let types = "types=page.created,page.updated";
    let mut all = open(&ada, &acme, types);
    let mut subtree = open(&ada, &acme, &format!("pageId={top}&subtree=true&{types}"));
    let mut one = open(&ada, &acme, &format!("pageId={top}&{types}"));
    let mut updates = open(&ada, &acme, "types=page.updated");
    let beside = named(&ada, &acme, "Beside");
    let deeper = page(&ada, &acme, &json!({ "title": "Deeper", "parentId": below }));
    ada.patch(&format!("/pages/{top}"), &json!({ "title": "Renamed" }))
        .header("X-Service-Workspace", &acme)
        .send()
        .is(200);
    assert_eq!([(); 3].map(|()| about(&all.next_event())), [beside, deeper.clone(), top.clone()]);
    assert_eq!([(); 2].map(|()| about(&subtree.next_event())), [deeper, top.clone()]);
    assert_eq!([&mut one, &mut updates].map(|stream| about(&stream.next_event())), [top.clone(), top]);
}

/// A database below a page, or at the root.
fn database(person: &Person, acme: &str, parent: Option<&str>) -> Value {
    let properties = json!([{ "name": "Name", "type": "title" }]);
    let body = json!({ "title": "Table", "pageId": parent, "properties": properties });
    person.post("/databases", &body).header("X-Service-Workspace", acme).send().data(201)
}

/// Creates so many records in one call.
fn fill(person: &Person, acme: &str, database: &Value, records: usize) {
    let title = database["properties"][0]["id"].as_str().unwrap();
    let ops = vec![json!({ "op": "create", "properties": { title: { "text": "Row" } } }); records];
    let path = format!("/databases/{}/records/bulk", database["id"].as_str().unwrap());
    person.post(&path, &json!({ "ops": ops })).header("X-Service-Workspace", acme).send().is(200);
}

fn a_stream_of_a_subtree_has_the_records_in_it(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let top = named(&ada, &acme, "Top");
    let below = page(&ada, &acme, &json!({ "title": "Below", "parentId": top }));
    let (inside, beside) = (database(&ada, &acme, Some(&below)), database(&ada, &acme, None));
    log(&ada, &acme, beside["id"].as_str().unwrap());
    let mut stream = open(&ada, &acme, &format!("pageId={top}&subtree=true"));
    let databases = [&beside, &inside];
    for database in databases {
        fill(&ada, &acme, database, 1);
    }
    let rename = ada.patch(&format!("/databases/{}", inside["id"].as_str().unwrap()), &json!({ "title": "Renamed" }));
    rename.header("X-Service-Workspace", &acme).send().is(200);
    for kind in ["record.created", "database.updated"] {
        let frame = stream.next_event();
        assert!(frame.is(kind), "{frame:?}");
        assert_eq!(frame.data()["databaseId"], inside["id"]);
    }
    let found = ada.get(&format!("/events?pageId={top}&subtree=true&types=record.created"));
    let found = found.header("X-Service-Workspace", &acme).send().body_of(200);
    let databases: Vec<_> = found["data"].as_array().unwrap().iter().map(|event| &event["databaseId"]).collect();
    assert_eq!(databases, [&inside["id"]]);
}

fn only_events_that_match_make_a_place_too_old(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let first = named(&ada, &acme, "First");
    let place = shape::text(&log(&ada, &acme, &first).last().unwrap()["id"]);
    let table = database(&ada, &acme, None);
    for _ in 0..21 {
        fill(&ada, &acme, &table, 500);
    }
    let last = named(&ada, &acme, "Last");
    let resume = |types: &str| {
        let request = ada.get(&format!("/events/stream?types={types}")).header("X-Service-Workspace", &acme);
        request.header("Last-Event-ID", &place).stream()
    };
    poll::eventually("the last event", || {
        let newest = ada.get("/activity?limit=1").header("X-Service-Workspace", &acme).send().body_of(200);
        (newest["data"][0]["resource"]["id"] == last.as_str()).then_some(())
    });
    let reset = resume("record.created").next_event();
    assert_eq!((reset.event.as_deref(), reset.data()), (Some("reset"), &json!({ "reason": "history_lost" })));
    assert_eq!(about(&resume("page.created").next_event()), last);
}

fn what_is_hidden_in_the_middle_is_not_sent(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER");
    let (secret, open_page) = (named(&ada, &acme, "Secret"), named(&ada, &acme, "Open"));
    log(&ada, &acme, &open_page);
    let mut stream = open(&bob, &acme, "types=page.updated");
    let rename = |page: &str, title: &str| {
        let request = ada.patch(&format!("/pages/{page}"), &json!({ "title": title }));
        request.header("X-Service-Workspace", &acme).send().is(200);
    };
    rename(&secret, "Seen");
    assert_eq!(about(&stream.next_event()), secret);
    let body = json!({ "inherit": false, "grants": [] });
    let path = format!("/pages/{secret}/permissions");
    ada.request("PUT", &path).json(&body).header("X-Service-Workspace", &acme).send().is(200);
    rename(&secret, "Hidden");
    rename(&open_page, "Still open");
    assert_eq!(about(&stream.next_event()), open_page);
}

fn a_stream_ends_with_the_right_to_it(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER");
    let robot = key(&ada, &acme, "READ");
    let mut of_key = by_key(&server, &robot);
    let mut of_member = open(&bob, &acme, "");
    let mut of_owner = open(&ada, &acme, "types=page.*");
    let path = format!("/workspaces/{acme}/api-keys/{}", shape::text(&robot["id"]));
    ada.delete(&path).send().is(204);
    let revoked = Instant::now();
    assert_eq!(of_key.close_reason(), "revoked");
    ada.delete(&format!("/workspaces/{acme}/members/{}", bob.id)).send().is(204);
    assert_eq!(of_member.close_reason(), "revoked");
    assert!(revoked.elapsed() < Duration::from_secs(10), "each within five seconds");
    let id = named(&ada, &acme, "Still here");
    assert_eq!(about(&of_owner.next_event()), id);
}

fn a_user_has_ten_streams(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let mut streams: Vec<_> = (0..10).map(|_| open(&ada, &acme, "types=page.created")).collect();
    let eleventh = ada.get("/events/stream").header("X-Service-Workspace", &acme);
    let refused = eleventh.send();
    refused.refuses(429, "RATE_LIMITED").because("open_streams");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "generic");
    streams.pop();
    let id =
        poll::eventually("a place", || (eleventh.exchange_head().status == 200).then(|| named(&ada, &acme, "New")));
    for stream in &mut streams {
        assert!(!id.is_empty() && stream.next_event().is("page.created"));
    }
    // Those of others do not count.
    let robot = key(&ada, &acme, "READ");
    let _by_key: Vec<_> = (0..12).map(|_| by_key(&server, &robot)).collect();
}

fn streams_are_refused_like_other_calls(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    add(&ada, &acme, &bob, "MEMBER");
    let hidden = page(&ada, &acme, &json!({ "title": "Hidden", "inherit": false }));
    let ask = |person: &Person, query: &str| {
        person.get(&format!("/events/stream?{query}")).header("X-Service-Workspace", &acme).send()
    };
    ask(&bob, &format!("pageId={hidden}")).refuses(404, "NOT_FOUND");
    ask(&ada, "databaseId=db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX").refuses(404, "NOT_FOUND");
    ask(&ada, "types=*").refuses(400, "VALIDATION_ERROR").of("types", "invalid_format");
    server.get("/events/stream").send().refuses(401, "UNAUTHORIZED").because("token_missing");
    let eve = server.person("Eve");
    ask(&eve, "").refuses(403, "FORBIDDEN").because("workspace_mismatch");
}

fn a_client_that_reads_nothing_loses_its_own_stream_only(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let body = json!({ "title": "Things", "properties": [{ "name": "Name", "type": "title" }, { "name": "Text", "type": "text" }] });
    let database = ada.post("/databases", &body).header("X-Service-Workspace", &acme).send().data(201);
    let database_id = shape::text(&database["id"]);
    let property = |kind: &str| {
        let found = database["properties"].as_array().unwrap().iter().find(|property| property["type"] == kind);
        shape::text(&found.unwrap()["id"])
    };
    let (title, text) = (property("title"), property("text"));
    let mut silent = open(&ada, &acme, "types=record.created");
    let mut reading = open(&ada, &acme, "types=record.created");
    let properties = json!({ title: { "text": "A record" }, text: { "text": "x".repeat(4000) } });
    let op = json!({ "op": "create", "properties": properties });
    let body = json!({ "ops": vec![op; 400] });
    let path = format!("/databases/{database_id}/records/bulk");
    for _ in 0..12 {
        ada.post(&path, &body).header("X-Service-Workspace", &acme).send().is(200);
        for _ in 0..400 {
            assert!(reading.next_event().is("record.created"));
        }
    }
    assert_eq!(silent.close_reason(), "slow_consumer");
}

fn a_service_that_stops_says_so(engine: Engine) {
    let server = Deployment::new(engine, Reason::Lifecycle).serve();
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let mut stream = open(&ada, &acme, "");
    std::thread::scope(|scope| {
        scope.spawn(|| server.stop());
        assert_eq!(stream.close_reason(), "shutdown");
    });
}
