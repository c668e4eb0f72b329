//! Tickets, with which browsers open streams.

use octavo_tests::{
    Deployment, Engine, EventStream, Person, Reason, Request, Server, at_once::at_once, both_engines, poll, shape,
};
use serde_json::{Value, json};

both_engines! {
    a_ticket_opens_one_stream_with_the_rights_of_its_maker,
    of_twenty_uses_of_a_ticket_one_wins,
    a_ticket_opens_nothing_else,
    a_ticket_of_a_revoked_key_is_void,
    who_has_ten_streams_gets_no_ticket,
    a_ticket_is_never_logged,
}

fn workspace(person: &Person) -> String {
    shape::text(&person.post("/workspaces", &json!({ "name": "Acme" })).send().data(201)["id"])
}

fn page(person: &Person, acme: &str, body: &Value) -> String {
    shape::text(&person.post("/pages", body).header("X-Service-Workspace", acme).send().data(201)["id"])
}

fn ticket(person: &Person, acme: &str) -> String {
    let made = person.request("POST", "/events/tickets").header("X-Service-Workspace", acme).send().data(201);
    shape::text(&made["ticket"])
}

fn with_ticket(server: &Server, ticket: &str) -> Request {
    server.get(&format!("/events/stream?types=page.*&ticket={ticket}"))
}

fn about(stream: &mut EventStream) -> String {
    shape::text(&stream.next_event().data()["resource"]["id"])
}

fn a_ticket_opens_one_stream_with_the_rights_of_its_maker(engine: Engine) {
    let server = Server::start(engine);
    let (ada, bob) = (server.person("Ada"), server.person("Bob"));
    let acme = workspace(&ada);
    let body = json!({ "userId": bob.id, "role": "MEMBER" });
    ada.post(&format!("/workspaces/{acme}/members"), &body).send().is(201);
    let of_bob = ticket(&bob, &acme);
    assert!(of_bob.starts_with("stk_"));
    let mut stream = with_ticket(&server, &of_bob).stream();
    page(&ada, &acme, &json!({ "title": "Hidden", "inherit": false }));
    let open = page(&ada, &acme, &json!({ "title": "Open" }));
    assert_eq!(about(&mut stream), open, "in the workspace of the ticket, and only what Bob may see");
    with_ticket(&server, &of_bob).send().refuses(401, "UNAUTHORIZED").because("token_malformed");
    for invalid in ["stk_nonsense", "", "stk_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"] {
        with_ticket(&server, invalid).send().refuses(401, "UNAUTHORIZED").because("token_malformed");
    }
    // A credential in the header comes first, and the ticket can still be used.
    let spare = ticket(&bob, &acme);
    with_ticket(&server, &spare).bearer(&ada.access).header("X-Service-Workspace", &acme).stream();
    with_ticket(&server, &spare).stream();
}

fn of_twenty_uses_of_a_ticket_one_wins(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let ticket = ticket(&ada, &acme);
    let answers = at_once(20, |_| with_ticket(&server, &ticket).exchange_head().status);
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 401).count(), 19, "{answers:?}");
}

fn a_ticket_opens_nothing_else(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let ticket = ticket(&ada, &acme);
    for path in ["/events", "/activity", "/users/me", "/pages"] {
        let refused = server.get(&format!("{path}?ticket={ticket}")).send();
        refused.refuses(401, "UNAUTHORIZED").because("token_missing");
        server.get(path).bearer(&ticket).send().refuses(401, "UNAUTHORIZED");
    }
    with_ticket(&server, &ticket).stream();
}

fn a_ticket_of_a_revoked_key_is_void(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let body = json!({ "name": "Robot", "scopes": ["READ"] });
    let key = ada.post(&format!("/workspaces/{acme}/api-keys"), &body).send().data(201);
    let make = || {
        let made = server.request("POST", "/events/tickets").bearer(key["key"].as_str().unwrap()).send().data(201);
        shape::text(&made["ticket"])
    };
    let mut stream = with_ticket(&server, &make()).stream();
    let late = make();
    let open = page(&ada, &acme, &json!({ "title": "Open" }));
    assert_eq!(about(&mut stream), open);
    ada.delete(&format!("/workspaces/{acme}/api-keys/{}", shape::text(&key["id"]))).send().is(204);
    with_ticket(&server, &late).send().refuses(401, "UNAUTHORIZED");
    assert_eq!(stream.close_reason(), "revoked");
}

fn who_has_ten_streams_gets_no_ticket(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let _open: Vec<_> = (0..10).map(|_| with_ticket(&server, &ticket(&ada, &acme)).stream()).collect();
    let refused = ada.request("POST", "/events/tickets").header("X-Service-Workspace", &acme).send();
    refused.refuses(429, "RATE_LIMITED").because("open_streams");
}

fn a_ticket_is_never_logged(engine: Engine) {
    let server = Deployment::new(engine, Reason::Output).serve();
    let ada = server.person("Ada");
    let acme = workspace(&ada);
    let ticket = ticket(&ada, &acme);
    drop(with_ticket(&server, &ticket).stream());
    with_ticket(&server, &ticket).send().is(401);
    let lines = poll::eventually("the line of the stream", || {
        let lines = server.log().lines();
        let of_stream = lines.iter().filter(|line| line.contains("/events/stream")).count();
        (of_stream >= 2).then_some(lines)
    });
    assert!(!lines.iter().any(|line| line.contains("stk_")), "{lines:#?}");
}
