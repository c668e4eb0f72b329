//! What a server logs, and what it must never log.

use octavo_tests::{Engine, Person, Reason, Server, both_engines, poll};
use rustix::process::Signal;
use serde_json::json;

both_engines! {
    a_call_is_one_line_with_its_fields,
    a_client_s_request_id_is_a_field_when_it_is_one,
    no_secret_is_ever_logged,
    a_log_can_be_text,
    a_level_can_be_chosen,
    probes_are_logged_only_at_debug,
}

fn a_call_is_one_line_with_its_fields(engine: Engine) {
    let server = Server::own(engine, Reason::Output);
    let ada = server.person("Ada");
    let answer = ada.delete("/sessions/ses_00000000000000000000000000").send();
    let id = answer.is(404).named("X-Request-Id").to_owned();
    let line = server.log().entry("the line of the call", |entry| entry["requestId"] == id);
    for field in [
        "ts",
        "level",
        "msg",
        "target",
        "requestId",
        "actorType",
        "actorId",
        "clientAddress",
        "method",
        "route",
        "status",
        "durationMs",
    ] {
        assert!(line.get(field).is_some(), "{field} in {line}");
    }
    assert_eq!(line["actorType"], "USER");
    assert_eq!(line["actorId"], ada.id);
    assert_eq!(line["workspaceId"], ada.workspace);
    assert_eq!(line["clientAddress"], "127.0.0.1");
    assert_eq!(line["method"], "DELETE");
    assert_eq!(line["status"], 404);
    assert!(line["route"].as_str().unwrap().contains("/sessions/"), "{line}");
    assert!(!line.to_string().contains("ses_0000"), "the template, not the path: {line}");
    octavo_tests::shape::millis(&line["ts"]);
}

fn a_client_s_request_id_is_a_field_when_it_is_one(engine: Engine) {
    let server = Server::own(engine, Reason::Output);
    let logged = |sent: &str| {
        let answer = server.get("/nothing").header("X-Request-Id", sent).send();
        let id = answer.named("X-Request-Id").to_owned();
        server.log().entry("the line of the call", |entry| entry["requestId"] == id)
    };
    assert_eq!(logged("client-id_12345678")["clientRequestId"], "client-id_12345678");
    for wrong in ["short", "with space inside", &"x".repeat(65), "quote\"quote", "newline\\nlevel"] {
        let line = logged(wrong);
        assert_eq!(line.get("clientRequestId"), None, "{line}");
        assert!(!line.to_string().contains(wrong), "{line}");
    }
}

/// Uses every kind of secret once, with passwords that are easy to find in a log.
fn a_life(server: &Server) -> Vec<String> {
    let old = "Marker-Old-Password-1";
    let new = "Marker-New-Password-2";
    let form = json!({ "email": "ada@example.com", "password": old, "name": "Ada" });
    let data = server.post("/auth/register", &form).key("marker-idempotency-key").send().data(201);
    let ada = Person::of_registration(server, old, &data);
    let next = ada.refreshed();
    ada.refresh_request().send().is(401);
    let verification = server.mailbox().token(&ada.email, "evt_");
    server.post("/auth/email-verification/confirm", &json!({ "token": verification })).send().is(200);
    server.post("/auth/password-reset/request", &json!({ "email": ada.email })).send().is(202);
    let reset = server.mailbox().token(&ada.email, "pwrt_");
    server.post("/auth/password-reset/confirm", &json!({ "token": reset, "password": new })).send().is(200);
    Person { password: "Marker-Wrong-Password-3".into(), ..ada.clone() }.try_login().is(401);
    let back = Person { password: new.into(), ..ada.clone() }.login();
    server.get("/users/me?access_token=marker-in-query&token=marker-in-query&code=marker-in-query").send().is(401);
    server.get("/users/me").header("Cookie", "svc_sid=marker-in-cookie").bearer("marker-bearer").send().is(401);
    server
        .request("POST", "/auth/login")
        .body("application/json", "{\"password\": \"marker-broken-json")
        .send()
        .is(400);
    back.patch("/users/me", &json!({ "displayName": "Marker-Body-Text" })).send().is(200);
    let fixed = [
        "marker-in-query",
        "marker-in-cookie",
        "marker-bearer",
        "marker-broken-json",
        "marker-idempotency-key",
        "Marker-Wrong-Password-3",
        "Marker-Body-Text",
        old,
        new,
        "$argon2",
    ];
    let tokens = [ada.access, ada.refresh, next.access, next.refresh, back.access, back.refresh, verification, reset];
    fixed.map(str::to_owned).into_iter().chain(tokens).collect()
}

fn no_secret_is_ever_logged(engine: Engine) {
    for level in ["info", "trace"] {
        let server = Server::with(engine, &[("OCTAVO_LOG", level)]);
        let secrets = a_life(&server);
        server.signal(Signal::TERM);
        let (ended, _) = server.ended();
        assert!(ended.stderr.lines().count() > 10, "{}", ended.stderr);
        for secret in secrets {
            let line = ended.stderr.lines().chain(ended.stdout.lines()).find(|line| line.contains(&secret));
            assert_eq!(line, None, "{secret} at level {level}");
        }
    }
}

fn a_log_can_be_text(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LOG_FORMAT", "text")]);
    let id = server.get("/nothing").send().named("X-Request-Id").to_owned();
    let line = server.log().line("the line of the call", |line| line.contains(&id));
    assert!(!line.starts_with('{'), "{line}");
    assert!(!server.log().text().contains('\u{1b}'), "no colours where nobody looks");
}

fn a_level_can_be_chosen(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_LOG", "error")]);
    for _ in 0..5 {
        server.get("/nothing").send().is(404);
    }
    let (ended, _) = server.stop();
    let noise: Vec<_> = ended.stderr.lines().filter(|line| line.contains("\"level\":\"info\"")).collect();
    assert_eq!(noise, Vec::<&str>::new());
    let chatty = Server::with(engine, &[("OCTAVO_LOG", "debug")]);
    chatty.get("/health").send().is(200);
    poll::eventually("a line", || (!chatty.log().lines().is_empty()).then_some(()));
}

fn probes_are_logged_only_at_debug(engine: Engine) {
    let probed = |level: &str| {
        let server = Server::with(engine, &[("OCTAVO_LOG", level)]);
        let paths = ["/health", "/health/ready", "/health/deep"];
        let ids = paths.map(|path| server.get(path).send().is(200).named("X-Request-Id").to_owned());
        server.get("/nothing").send().is(404);
        let (ended, _) = server.stop();
        assert!(ended.stderr.contains("unmatched"), "other calls are logged: {}", ended.stderr);
        ids.map(|id| ended.stderr.contains(&id))
    };
    assert_eq!(probed("info"), [false; 3]);
    assert_eq!(probed("debug"), [true; 3]);
}
