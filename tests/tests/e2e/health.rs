//! Health probes, and the catalog of event types.

use octavo_tests::{Answer, Engine, Server, both_engines, shape};
use serde_json::{Value, json};

both_engines! {
    alive_is_said_at_both_places,
    ready_names_its_checks,
    deep_looks_at_everything,
    probes_reveal_nothing,
    the_catalog_lists_event_types,
    the_catalog_never_shows_what_happened,
    the_catalog_can_be_turned_off,
    a_command_asks_whether_a_server_is_ready,
}

fn both(server: &Server, path: &str) -> [Answer; 2] {
    [server.origin("GET", path).send(), server.get(path).send()]
}

fn alive_is_said_at_both_places(engine: Engine) {
    let server = Server::start(engine);
    for answer in both(&server, "/health") {
        let body = answer.body_of(200);
        assert_eq!(body["status"], "ok");
        assert!(!shape::text(&body["version"]).is_empty());
        assert!(body["uptimeSeconds"].as_f64().is_some_and(|uptime| uptime >= 0.0), "{body}");
    }
}

fn ready_names_its_checks(engine: Engine) {
    let server = Server::start(engine);
    for answer in both(&server, "/health/ready") {
        let body = answer.body_of(200);
        assert_eq!(body["status"], "ready");
        assert_eq!(body["checks"], json!({ "database": "ok", "migrations": "ok", "storage": "ok", "queue": "ok" }));
    }
}

fn deep_looks_at_everything(engine: Engine) {
    let server = Server::start(engine);
    for answer in both(&server, "/health/deep") {
        let body = answer.body_of(200);
        assert!(["ready", "degraded"].contains(&body["status"].as_str().unwrap()), "{body}");
        let checks = &body["checks"];
        for name in ["database", "migrations", "storage", "queue", "cache", "mail", "scanner", "ai", "search"] {
            let status = checks[name]["status"].as_str().unwrap_or_else(|| panic!("{name} in {body}"));
            assert!(["ok", "down", "disabled"].contains(&status), "{name} in {body}");
        }
        assert!(checks["database"]["latencyMs"].is_number(), "{body}");
        assert!(checks["queue"]["lagSeconds"].is_number(), "{body}");
        assert!(checks["eventLog"]["lagSeconds"].is_number(), "{body}");
        let free = checks["disk"]["freePercent"].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&free), "{body}");
    }
}

fn probes_reveal_nothing(engine: Engine) {
    let server = Server::start(engine);
    for path in ["/health", "/health/ready", "/health/deep"] {
        let text = server.get(path).send().is(200).text();
        let folder = server.folder().display().to_string();
        for word in [folder.as_str(), "127.0.0.1", "postgres://", "sqlite:", "localhost", "/tmp"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
}

fn the_catalog_lists_event_types(engine: Engine) {
    let server = Server::start(engine);
    let data = both(&server, "/debug/events")[1].data(200);
    let entries = data.as_array().unwrap();
    for entry in entries {
        shape::exactly(entry, &["type", "delivered", "audit", "description"]);
        assert!(entry["delivered"].is_boolean() && entry["audit"].is_boolean(), "{entry}");
        assert!(!shape::text(&entry["description"]).is_empty());
    }
    let goes = |name: &str| {
        let entry: &Value = entries.iter().find(|entry| entry["type"] == name).unwrap_or_else(|| panic!("no {name}"));
        (entry["delivered"] == true, entry["audit"] == true)
    };
    for delivered in ["user.registered", "workspace.created", "user.profile_updated"] {
        assert_eq!(goes(delivered), (true, false), "{delivered}");
    }
    for audit in [
        "user.login",
        "auth.refresh",
        "user.logout",
        "user.password_reset",
        "session.revoked",
        "user.login_failed",
        "user.password_changed",
        "user.email_changed",
        "user.email_reverted",
        "user.suspended",
        "user.reinstated",
        "user.deletion_scheduled",
        "user.restored",
        "user.deleted",
        "user.new_device",
    ] {
        assert_eq!(goes(audit), (false, true), "{audit}");
    }
}

fn the_catalog_never_shows_what_happened(engine: Engine) {
    let server = Server::start(engine);
    let before = server.get("/debug/events").send().is(200).body.clone();
    let ada = server.person("Ada");
    ada.login().refreshed();
    ada.patch("/users/me", &json!({ "name": "Augusta" })).send().is(200);
    assert_eq!(server.get("/debug/events").send().is(200).body, before);
}

fn the_catalog_can_be_turned_off(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_DEBUG_EVENTS", "false")]);
    let refusal = server.get("/debug/events").send().refuses(501, "NOT_IMPLEMENTED");
    assert_eq!(refusal.detail()["feature"], "debug_events");
}

fn a_command_asks_whether_a_server_is_ready(engine: Engine) {
    let server = Server::start(engine);
    let address = server.site().address().to_string();
    assert_eq!(server.run(&["health", "--listen", &address]).exits(0).stdout, "ready");
    let everywhere = format!("0.0.0.0:{}", server.site().address().port());
    assert_eq!(server.run(&["health", "--json", "--listen", &everywhere]).exits(0).data()["status"], "ready");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let ran = server.run(&["health", "--listen", &nobody]).exits(1);
    assert!(ran.stderr.contains(&nobody), "{}", ran.stderr);
    let ran = server.run(&["health", "--listen", "127.0.0.1:0"]).exits(1);
    assert!(ran.stderr.contains("OCTAVO_LISTEN"), "{}", ran.stderr);
}
