//! Probes, catalog, metrics.

use super::{server::settings, *};
use crate::{Settings, Wiring};
use octavo_counters::{FallbackCounters, MemoryCounters, RedisCounters};
use serde_json::json;
use std::{net::TcpListener, path::Path, sync::Arc};

#[test]
fn probes_answer_at_the_origin_and_under_the_base_path() {
    let server = Server::start();
    for base in ["", "/api/v1"] {
        let alive = server.get(&format!("{base}/health")).json();
        assert_eq!((&alive["status"], &alive["version"]), (&"ok".into(), &env!("CARGO_PKG_VERSION").into()));
        assert!(alive["uptimeSeconds"].is_u64());
        let ready = server.get(&format!("{base}/health/ready")).json();
        let all_ok = serde_json::json!({ "database": "ok", "migrations": "ok", "storage": "ok", "queue": "ok" });
        assert_eq!((&ready["status"], &ready["checks"]), (&"ready".into(), &all_ok));
        let deep = server.get(&format!("{base}/health/deep")).json();
        assert_eq!(deep["status"], "ready", "{deep}");
        for (check, state) in
            [("database", "ok"), ("mail", "ok"), ("disk", "ok"), ("cache", "disabled"), ("ai", "disabled")]
        {
            assert_eq!(deep["checks"][check]["status"], state, "{check}");
            assert!(deep["checks"][check]["latencyMs"].is_number());
        }
        assert!(
            deep["checks"]["queue"]["lagSeconds"].is_number() && deep["checks"]["eventLog"]["lagSeconds"].is_number()
        );
        assert!(deep["checks"]["disk"]["freePercent"].is_u64());
    }
}

#[test]
fn a_redis_that_is_down_degrades_the_service_though_calls_go_on() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let redis = RedisCounters::new(&format!("redis://{nobody}"), "octavo:").unwrap();
    let counters = Arc::new(FallbackCounters::new(redis, MemoryCounters::default(), Arc::default()));
    let server = Server::start_wired(settings(), |wiring| Wiring {
        counters: counters.clone(),
        shared_counters: true,
        ..wiring
    });
    assert_eq!(server.get("/api/v1/users/me").status, 401);
    let deep = server.get("/health/deep").json();
    assert_eq!((&deep["status"], &deep["checks"]["cache"]["status"]), (&"degraded".into(), &"down".into()), "{deep}");
    assert_eq!(server.get("/health/ready").status, 200);
}

#[cfg(unix)]
#[test]
fn a_database_file_that_is_removed_or_replaced_is_noticed() {
    let server = Server::start();
    let ada = server.person("ada");
    let me = || server.send(&request("GET /api/v1/users/me").bearer(&ada.token));
    assert_eq!(me().status, 200);
    let path = Path::new(server.database.url().strip_prefix("sqlite:").unwrap());
    let aside = path.with_extension("aside");
    std::fs::rename(path, &aside).unwrap();
    std::fs::copy(&aside, path).unwrap();
    let deep = server.get("/health/deep");
    assert_eq!((deep.status, deep.refusal().as_str()), (503, "SERVICE_UNAVAILABLE"));
    let details = deep.json()["error"]["details"].to_string();
    assert!(details.contains(r#""service":"database""#), "{details}");
    let rename = || request("PATCH /api/v1/users/me").bearer(&ada.token).json(&json!({ "name": "Augusta" }));
    assert_eq!(server.send(&rename()).status, 503, "what is written would be lost");
    std::fs::rename(&aside, path).unwrap();
    assert_eq!(server.send(&rename()).status, 200);
    assert!(me().body.contains("Augusta"));
}

#[test]
fn a_server_about_to_leave_is_not_ready_but_alive() {
    let server = Server::start();
    server.backend.leave();
    let answer = server.get("/health/ready");
    assert_eq!((answer.status, answer.refusal().as_str()), (503, "SERVICE_UNAVAILABLE"));
    assert_eq!(answer.json()["error"]["details"][0]["service"], "shutdown");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn the_catalog_lists_types_and_nothing_that_happened() {
    let server = Server::start();
    let before = server.get("/api/v1/debug/events").body;
    server.person("ada");
    assert_eq!(server.get("/api/v1/debug/events").body, before);
    let catalog: serde_json::Value = serde_json::from_str(&before).unwrap();
    let find =
        |name: &str| catalog["data"].as_array().unwrap().iter().find(|kind| kind["type"] == name).unwrap().clone();
    assert_eq!(
        (&find("workspace.created")["delivered"], &find("workspace.created")["audit"]),
        (&true.into(), &false.into())
    );
    assert_eq!((&find("user.login")["delivered"], &find("user.login")["audit"]), (&false.into(), &true.into()));
    let off = Server::start_with(Settings { debug_events: false, ..settings() });
    let answer = off.get("/api/v1/debug/events");
    assert_eq!((answer.status, answer.refusal().as_str()), (501, "NOT_IMPLEMENTED"));
    assert_eq!(answer.json()["error"]["details"][0]["feature"], "debug_events");
}

#[test]
fn metrics_have_a_listener_of_their_own() {
    let server = Server::start_with(Settings { metrics: Some("127.0.0.1:0".parse().unwrap()), ..settings() });
    server.get("/api/v1/users/me");
    server.get("/made/up");
    server.send(&request("BREW /coffee"));
    let mut connection = wire::Connection::open(server.bound.metrics.unwrap());
    let text = connection.send(&request("GET /metrics").to_bytes()).answer_to("GET").unwrap().body;
    assert!(text.contains("octavo_http_requests_total{method=\"GET\",route=\"/users/me\",status=\"4xx\"} 1"), "{text}");
    assert!(text.contains("octavo_http_requests_total{method=\"GET\",route=\"unmatched\",status=\"4xx\"} 1"), "{text}");
    assert!(!text.contains("made") && !text.contains("BREW"), "{text}");
    assert_eq!(server.get("/metrics").status, 404, "never under the origin of the API");
}
