//! The activity feed.

use octavo_tests::{Answer, Engine, Person, Server, both_engines, poll, shape};
use serde_json::{Value, json};

both_engines! {
    the_newest_comes_first_and_pages_join,
    a_feed_is_narrowed_by_place_actor_type_and_time,
    values_before_and_after_a_change_are_left_out,
    everybody_sees_what_they_may_see_now,
    flawed_filters_are_refused,
}

fn ask(person: &Person, query: &str) -> Answer {
    person.get(&format!("/activity?{query}")).send()
}

fn page(person: &Person, body: &Value) -> String {
    shape::text(&person.post("/pages", body).send().data(201)["id"])
}

fn resources(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|event| event["resource"]["id"].as_str().unwrap()).collect()
}

/// Reads the feed until its newest event is about this page.
fn until(person: &Person, query: &str, page: &str) -> Value {
    poll::eventually("the event of the page", || {
        let body = ask(person, query).body_of(200);
        (resources(&body).first() == Some(&page)).then_some(body)
    })
}

fn the_newest_comes_first_and_pages_join(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let made: Vec<_> = (0..7).map(|number| page(&ada, &json!({ "title": format!("Page {number}") }))).collect();
    until(&ada, "types=page.created", &made[6]);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let part = ask(&ada, &format!("types=page.created&limit=3{cursor}")).body_of(200);
        assert!(part["data"].as_array().unwrap().len() <= 3);
        seen.extend(resources(&part).into_iter().map(str::to_owned));
        match part["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, made.iter().rev().cloned().collect::<Vec<_>>());
}

fn a_feed_is_narrowed_by_place_actor_type_and_time(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let key = json!({ "name": "Robot", "scopes": ["WRITE"] });
    let key = ada.post(&format!("/workspaces/{}/api-keys", ada.workspace), &key).send().data(201);
    let top = page(&ada, &json!({ "title": "Top" }));
    let below = page(&ada, &json!({ "title": "Below", "parentId": top }));
    let beside = server.request("POST", "/pages").json(&json!({ "title": "Beside" }));
    let beside = shape::text(&beside.bearer(key["key"].as_str().unwrap()).send().data(201)["id"]);
    let all = until(&ada, "", &beside);
    let time = all["data"].as_array().unwrap().iter().find(|event| event["resource"]["id"] == below.as_str());
    let time = shape::text(&time.unwrap()["occurredAt"]);
    let (robot, ada_id) = (shape::text(&key["id"]), &ada.id);
    for (query, expected) in [
        (format!("pageId={top}"), vec![&top]),
        (format!("pageId={top}&subtree=true"), vec![&below, &top]),
        (format!("resourceId={below}"), vec![&below]),
        (format!("actorId={robot}"), vec![&beside]),
        (format!("actorId={ada_id}"), vec![&below, &top]),
        (format!("pageId={top}&subtree=true&actorId={robot}"), vec![]),
        ("types=team.*".to_owned(), vec![]),
        (format!("since={time}"), vec![&beside, &below]),
        (format!("until={time}"), vec![&top]),
        ("since=2020-01-01".to_owned(), vec![&beside, &below, &top]),
        ("until=2020-01-01".to_owned(), vec![]),
        ("since=2999-01-01".to_owned(), vec![]),
    ] {
        let types = if query.contains("types") { "" } else { "&types=page.created" };
        let body = ask(&ada, &format!("{query}{types}")).body_of(200);
        assert_eq!(resources(&body), expected, "{query}");
    }
    let day = &time[..10];
    let zone = |zone: &str| ada.patch("/users/me", &json!({ "timezone": zone })).send().is(200).status;
    // One of two places a day apart has this day by now, and the other not yet, or no longer.
    let counts = ["Pacific/Kiritimati", "Etc/GMT+12"].map(|place| {
        zone(place);
        resources(&ask(&ada, &format!("since={day}&types=page.created")).body_of(200)).len()
    });
    assert_eq!(counts[0], 3, "the day began 14 hours before it did in UTC");
    let began = time[11..13].parse::<u32>().unwrap() >= 12;
    assert_eq!(counts[1], if began { 3 } else { 0 }, "it begins 12 hours later than in UTC");
}

fn values_before_and_after_a_change_are_left_out(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let id = page(&ada, &json!({ "title": "Before" }));
    ada.patch(&format!("/pages/{id}"), &json!({ "title": "After" })).send().is(200);
    let body = until(&ada, "types=page.updated", &id);
    let data = &body["data"][0]["data"];
    assert_eq!(data["changedFields"], json!(["title"]));
    assert!(data.get("before").is_none() && data.get("after").is_none(), "{data}");
}

fn everybody_sees_what_they_may_see_now(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let body = json!({ "name": "Acme" });
    let acme = shape::text(&ada.post("/workspaces", &body).send().data(201)["id"]);
    let body = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
    let make = |body: &Value| {
        shape::text(&ada.post("/pages", body).header("X-Service-Workspace", &acme).send().data(201)["id"])
    };
    let hidden = make(&json!({ "title": "Hidden", "inherit": false }));
    let open = make(&json!({ "title": "Open" }));
    let read = |person: &Person, query: &str| {
        person.get(&format!("/activity?{query}")).header("X-Service-Workspace", &acme).send()
    };
    poll::eventually("both pages", || {
        (resources(&read(&ada, "types=page.created").body_of(200)) == [open.as_str(), hidden.as_str()]).then_some(())
    });
    assert_eq!(resources(&read(&bob, "types=page.created").body_of(200)), [open.as_str()]);
    read(&bob, &format!("pageId={hidden}")).refuses(404, "NOT_FOUND");
    let grant = json!({ "grants": [{ "principalType": "user", "principalId": bob.id, "level": "VIEW" }] });
    let path = format!("/pages/{hidden}/permissions");
    ada.request("PUT", &path).json(&grant).header("X-Service-Workspace", &acme).send().is(200);
    assert_eq!(resources(&read(&bob, "types=page.created").body_of(200)), [open.as_str(), hidden.as_str()]);
}

fn flawed_filters_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for (query, field, issue) in [
        ("since=yesterday", "since", "invalid_format"),
        ("until=2026-02-30", "until", "invalid_format"),
        ("types=*", "types", "invalid_format"),
        ("limit=0", "limit", "too_small"),
    ] {
        ask(&ada, query).refuses(400, "VALIDATION_ERROR").of(field, issue);
    }
    ask(&ada, "databaseId=db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX").refuses(404, "NOT_FOUND");
    server.get("/activity").send().refuses(401, "UNAUTHORIZED");
}
