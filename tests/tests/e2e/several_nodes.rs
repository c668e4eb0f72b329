//! Two servers that share one PostgreSQL and one Redis.

use crate::search_index::agrees;
use octavo_tests::{
    Deployment, Engine, OwnServer, Person, Reason, Server,
    at_once::at_once,
    engine::REDIS_VARIABLE,
    person::{PASSWORD, registration},
    poll,
    proxy::Proxy,
    shape,
};
use serde_json::json;
use std::{
    collections::hash_map::RandomState,
    env,
    hash::BuildHasher,
    time::{Duration, Instant},
};

mod postgres {
    macro_rules! scenarios {
        ($($scenario:ident),* $(,)?) => {
            $(#[test]
            fn $scenario() {
                if octavo_tests::engine::several_nodes_are_possible() {
                    super::$scenario();
                }
            })*
        };
    }
    scenarios! {
        both_serve_the_same_accounts,
        rate_limits_are_counted_together,
        rate_limits_survive_a_restart,
        of_twenty_refreshes_on_both_one_wins,
        a_key_has_one_effect_on_both,
        a_suspension_reaches_both_at_once,
        mail_is_sent_once,
        a_stream_has_what_the_other_node_wrote,
        each_node_indexes_what_the_other_one_wrote,
        streams_are_counted_together,
        presence_and_tickets_reach_the_other_node,
        without_redis_credentials_are_still_counted,
        what_several_nodes_need_is_asked_for,
    }
}

fn deployment(redis: &str) -> Deployment {
    Deployment::new(Engine::Postgres, Reason::Settings).with(&[
        ("OCTAVO_NODES", "several"),
        ("OCTAVO_REDIS_URL", redis),
        ("OCTAVO_JWT_SECRET", "a-secret-of-at-least-32-bytes-for-tests"),
        ("OCTAVO_SECRET_KEY", "a-key-of-at-least-32-bytes-to-encrypt-with"),
        ("OCTAVO_PUBLIC_URL", "http://octavo.test"),
        ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1"),
    ])
}

fn redis() -> String {
    env::var(REDIS_VARIABLE).unwrap()
}

fn two(settings: &[(&str, &str)]) -> [OwnServer; 2] {
    let one = deployment(&redis()).with(settings);
    let other = one.neighbour();
    [one.serve(), other.serve()]
}

/// Tests share one Redis, so each counts only calls of a person of its own.
fn somebody(server: &Server) -> Person {
    let folder = server.folder().file_name().unwrap().to_str().unwrap();
    let request = registration(server, folder).forwarded_for(&own_address());
    Person::of_registration(server, PASSWORD, &request.send().data(201))
}

/// An IP address in a network that no other test calls from.
fn own_address() -> String {
    let random = RandomState::new().hash_one(0);
    format!("2001:db8:{:x}:{:x}::1", random & 0xffff, random >> 16 & 0xffff)
}

fn on(server: &Server, person: &Person) -> Person {
    Person { site: *server.site(), ..person.clone() }
}

fn both_serve_the_same_accounts() {
    let [one, other] = two(&[]);
    let ada = one.person("Ada");
    assert_eq!(on(&other, &ada).me()["id"], ada.id);
    let next = on(&other, &ada).refreshed();
    assert_eq!(on(&one, &next).me()["id"], ada.id);
    on(&one, &ada).refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
}

fn each_node_indexes_what_the_other_one_wrote() {
    let [one, other] = two(&[]);
    let ada = somebody(&one);
    let there = on(&other, &ada);
    for person in [&ada, &there, &ada, &there] {
        person.post("/pages", &json!({ "title": "Plan" })).send().is(201);
    }
    for node in [&one, &other] {
        assert_eq!(agrees(|arguments| node.run(arguments)), 4);
    }
}

fn rate_limits_are_counted_together() {
    let [one, other] = two(&[("OCTAVO_RATE_LIMIT_GENERIC", "6")]);
    let ada = somebody(&one);
    let there = on(&other, &ada);
    for person in [&ada, &there, &ada, &there, &ada, &there] {
        person.get("/users/me").send().is(200);
    }
    ada.get("/users/me").send().refuses(429, "RATE_LIMITED");
    let refused = there.get("/users/me").send();
    refused.refuses(429, "RATE_LIMITED");
    assert_eq!(refused.named("X-RateLimit-Bucket"), "generic");
}

fn rate_limits_survive_a_restart() {
    let [one, _other] = two(&[("OCTAVO_RATE_LIMIT_GENERIC", "2")]);
    let ada = somebody(&one);
    for _ in 0..2 {
        ada.get("/users/me").send().is(200);
    }
    let one = one.kill().serve();
    on(&one, &ada).get("/users/me").send().refuses(429, "RATE_LIMITED");
}

fn of_twenty_refreshes_on_both_one_wins() {
    let nodes = two(&[]);
    let ada = nodes[0].person("Ada");
    let answers = at_once(20, |who| on(&nodes[who % 2], &ada).refresh_request().send().status);
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 401).count(), 19, "{answers:?}");
}

fn a_key_has_one_effect_on_both() {
    let nodes = two(&[]);
    let ada = nodes[0].person("Ada");
    let from = own_address();
    let answers = at_once(12, |who| on(&nodes[who % 2], &ada).login_request().key("once").forwarded_for(&from).send());
    let done: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!done.is_empty());
    assert!(done.iter().all(|answer| answer.body == done[0].body));
    assert!(answers.iter().all(|answer| [200, 409].contains(&answer.status)));
    assert_eq!(ada.get("/sessions").send().data(200).as_array().unwrap().len(), 2);
}

fn a_suspension_reaches_both_at_once() {
    let nodes = two(&[]);
    let ada = nodes[0].person("Ada");
    for node in &nodes {
        assert_eq!(on(node, &ada).me()["status"], "ACTIVE");
    }
    nodes[0].run(&["user", "suspend", &ada.email]).exits(0);
    for node in &nodes {
        on(node, &ada).get("/users/me").send().refuses(403, "FORBIDDEN").because("account_suspended");
    }
}

fn mail_is_sent_once() {
    let nodes = two(&[]);
    for n in 0..10 {
        nodes[n % 2].person(&format!("P{n}"));
    }
    let letters = || nodes.iter().flat_map(|node| node.mailbox().mails()).collect::<Vec<_>>();
    poll::eventually("ten letters", || (letters().len() >= 10).then_some(()));
    for n in 0..10 {
        let address = format!("p{n}@example.com");
        let count: usize = nodes.iter().map(|node| node.mailbox().mails_to(&address).len()).sum();
        assert_eq!(count, 1, "{address}");
    }
}

fn without_redis_credentials_are_still_counted() {
    let url = redis();
    let authority = url.split("://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let address = authority.rsplit('@').next().unwrap().to_owned();
    let proxy = Proxy::to(&address);
    let through = url.replace(&address, &proxy.address().to_string());
    let server = deployment(&through).with(&[("OCTAVO_RATE_LIMIT_LOGIN", "3")]).serve();
    let ada = somebody(&server);
    ada.get("/users/me").send().is(200);
    proxy.cut();
    let wrong = Person { password: "Wrong-Horse-9".to_owned(), ..ada.clone() };
    let statuses: Vec<_> = (0..6).map(|_| wrong.try_login().status).collect();
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&429), "never unlimited: {statuses:?}");
    ada.get("/users/me").send().is(200);
    proxy.open();
    poll::eventually("service as before", || (ada.get("/users/me").send().status == 200).then_some(()));
}

fn what_several_nodes_need_is_asked_for() {
    let mut lacking = Deployment::new(Engine::Postgres, Reason::Settings);
    lacking.set("OCTAVO_NODES", "several");
    let text = lacking.run(&["check-config"]).exits(2).stderr;
    for need in ["OCTAVO_REDIS_URL", "OCTAVO_SECRET_KEY", "OCTAVO_JWT_SECRET"] {
        assert!(text.contains(need), "{need} in {text}");
    }
    deployment(&redis()).run(&["check-config", "--online"]).exits(0);
}

fn page(person: &Person, title: &str) -> String {
    shape::text(&person.post("/pages", &json!({ "title": title })).send().data(201)["id"])
}

fn a_stream_has_what_the_other_node_wrote() {
    let [one, other] = two(&[]);
    let ada = one.person("Ada");
    let mut stream = on(&other, &ada).get("/events/stream?types=page.created").stream();
    let mut slowest = Duration::ZERO;
    let mut last = None;
    for number in 0..20 {
        let began = Instant::now();
        let id = page(&ada, &format!("Page {number}"));
        let frame = stream.next_event();
        slowest = slowest.max(began.elapsed());
        assert_eq!(frame.data()["resource"]["id"], id);
        last = frame.id;
    }
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    drop(stream);
    // It goes on at the other node where it broke off at the first one.
    let missed = page(&on(&other, &ada), "Missed");
    let request = ada.get("/events/stream?types=page.created").header("Last-Event-ID", last.unwrap());
    assert_eq!(request.stream().next_event().data()["resource"]["id"], missed);
}

fn streams_are_counted_together() {
    let nodes = two(&[]);
    let ada = nodes[0].person("Ada");
    let open = |who: usize| on(&nodes[who % 2], &ada).get("/events/stream");
    let mut streams: Vec<_> = (0..10).map(|who| open(who).stream()).collect();
    for who in 0..2 {
        open(who).send().refuses(429, "RATE_LIMITED").because("open_streams");
    }
    streams.pop();
    poll::eventually("a place", || (open(0).exchange_head().status == 200).then_some(()));
}

fn presence_and_tickets_reach_the_other_node() {
    let [one, other] = two(&[]);
    let ada = one.person("Ada");
    let here = page(&ada, "Here");
    let ticket = ada.request("POST", "/events/tickets").send().data(201);
    let path = format!("/events/stream?pageId={here}&types=page.updated&ticket={}", shape::text(&ticket["ticket"]));
    let mut stream = other.get(&path).stream();
    let body = json!({ "state": "viewing" });
    ada.request("PUT", &format!("/pages/{here}/presence")).json(&body).send().is(204);
    assert_eq!(stream.next_event().data()["user"]["id"], ada.id);
}
