//! Cursors and limits, tested on two lists.

use octavo_tests::{Engine, Person, Reason, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    pages_join_without_gap_or_double,
    security_events_come_in_pages_too,
    without_a_limit_there_are_twenty,
    a_limit_above_the_maximum_is_lowered,
    an_invalid_limit_is_refused,
    a_cursor_that_was_touched_is_refused,
    a_cursor_of_somebody_else_is_refused,
    a_cursor_belongs_to_its_route_and_filters,
    a_cursor_survives_a_restart,
}

/// A person with this many sessions.
fn person_with_sessions(server: &Server, count: usize) -> Person {
    let ada = server.person("Ada");
    for _ in 1..count {
        ada.try_login().is(200);
    }
    ada
}

fn page(person: &Person, path: &str) -> (Vec<String>, Option<String>) {
    let body = person.get(path).send().body_of(200);
    let ids = body["data"].as_array().unwrap().iter().map(|item| shape::text(&item["id"]));
    (ids.collect(), body["nextCursor"].as_str().map(str::to_owned))
}

/// Follows cursors to the end.
fn walk(person: &Person, path: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut next = path.to_owned();
    loop {
        let (ids, cursor) = page(person, &next);
        pages.push(ids);
        let Some(cursor) = cursor else { return pages };
        assert!(cursor.len() <= 512, "{cursor}");
        let joint = if path.contains('?') { '&' } else { '?' };
        next = format!("{path}{joint}cursor={cursor}");
    }
}

fn pages_join_without_gap_or_double(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 7);
    let (whole, cursor) = page(&ada, "/sessions");
    assert_eq!((whole.len(), cursor), (7, None));
    for limit in [1, 3, 7] {
        let pages = walk(&ada, &format!("/sessions?limit={limit}"));
        assert!(pages.iter().all(|page| page.len() <= limit), "{pages:?}");
        assert_eq!(pages.concat(), whole, "limit {limit}");
        assert!(pages.len() <= 7 / limit + 1);
    }
}

fn security_events_come_in_pages_too(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 5);
    let (whole, _) = page(&ada, "/users/me/security-events?limit=100");
    assert!(whole.len() >= 4, "{whole:?}");
    assert_eq!(walk(&ada, "/users/me/security-events?limit=2").concat(), whole);
}

fn without_a_limit_there_are_twenty(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 22);
    assert_eq!(walk(&ada, "/sessions").iter().map(Vec::len).collect::<Vec<_>>(), [20, 2]);
}

fn a_limit_above_the_maximum_is_lowered(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 2);
    for limit in ["100", "101", "1000000", "18446744073709551615", "99999999999999999999999999"] {
        assert_eq!(page(&ada, &format!("/sessions?limit={limit}")).0.len(), 2, "limit {limit}");
    }
}

fn an_invalid_limit_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for limit in ["0", "-1", "1.5", "ten", "", "0x10", "1e-1", "%20"] {
        let answer = ada.get(&format!("/sessions?limit={limit}")).send();
        answer.refuses(400, "VALIDATION_ERROR").names("limit");
    }
}

fn a_cursor_that_was_touched_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 3);
    let cursor = page(&ada, "/sessions?limit=1").1.unwrap();
    let mut wrong =
        vec![String::new(), "nonsense".to_owned(), "A".repeat(513), format!("{cursor}A"), cursor[1..].to_owned()];
    for at in [0, cursor.len() / 2, cursor.len() - 2] {
        let letter = if cursor.as_bytes()[at] == b'A' { "B" } else { "A" };
        wrong.push(format!("{}{letter}{}", &cursor[..at], &cursor[at + 1..]));
    }
    for cursor in wrong {
        let answer = ada.get(&format!("/sessions?limit=1&cursor={cursor}")).send();
        answer.refuses(400, "VALIDATION_ERROR").names("cursor");
    }
}

fn a_cursor_of_somebody_else_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 2);
    let eve = server.person("Eve");
    let cursor = page(&ada, "/sessions?limit=1").1.unwrap();
    let answer = eve.get(&format!("/sessions?limit=1&cursor={cursor}")).send();
    answer.refuses(400, "VALIDATION_ERROR").names("cursor");
}

fn a_cursor_belongs_to_its_route_and_filters(engine: Engine) {
    let server = Server::start(engine);
    let ada = person_with_sessions(&server, 2);
    let cursor = page(&ada, "/sessions?limit=1").1.unwrap();
    for path in ["/sessions?status=REVOKED&", "/users/me/security-events?"] {
        let answer = ada.get(&format!("{path}limit=1&cursor={cursor}")).send();
        answer.refuses(400, "VALIDATION_ERROR").names("cursor");
    }
    assert_eq!(page(&ada, &format!("/sessions?limit=1&cursor={cursor}")).0.len(), 1);
}

fn a_cursor_survives_a_restart(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let ada = person_with_sessions(&server, 2);
    let cursor = page(&ada, "/sessions?limit=1").1.unwrap();
    let server = server.kill().serve();
    let login = json!({ "email": ada.email, "password": ada.password });
    let data: Value = server.post("/auth/login", &login).send().data(200);
    let ada = Person { site: *server.site(), ..ada }.with_tokens_of(&data);
    assert_eq!(page(&ada, &format!("/sessions?limit=1&cursor={cursor}")).0.len(), 1);
}
