//! `/metrics` on its own listener.

use octavo_tests::{Deployment, Engine, OwnServer, Reason, Server, Site, both_engines};
use std::net::{SocketAddr, TcpListener};

both_engines! {
    every_family_has_its_type_from_the_start,
    requests_are_counted_by_route_pattern,
    unknown_paths_and_verbs_share_a_label,
    no_label_names_anybody,
    refused_calls_are_counted_by_bucket,
    without_the_setting_there_is_no_listener,
    an_address_in_use_ends_the_start,
}

/// A server with metrics, and the address that serves them.
pub(crate) fn measured(engine: Engine, settings: &[(&str, &str)]) -> (OwnServer, Site) {
    let server = Server::with(engine, &[&[("OCTAVO_METRICS_ADDR", "127.0.0.1:0")], settings].concat());
    let own = server.address().to_string();
    let line = server
        .stdout()
        .line("a line that names the metrics listener", |line| line.contains("127.0.0.1:") && !line.contains(&own));
    let from = line.find("127.0.0.1:").unwrap();
    let address = line[from..].split(|letter: char| !letter.is_ascii_digit() && !".:".contains(letter)).next().unwrap();
    let address: SocketAddr = address.parse().unwrap();
    (server, Site::at(address))
}

pub(crate) fn scrape(site: &Site) -> String {
    let answer = site.bare("GET", "/metrics").exchange().unwrap();
    assert!(answer.is(200).named("Content-Type").starts_with("text/plain"), "{answer:?}");
    answer.text()
}

pub(crate) fn lines<'a>(text: &'a str, family: &str, labels: &[&str]) -> Vec<&'a str> {
    let samples = text.lines().filter(|line| !line.starts_with('#') && line.starts_with(family));
    samples.filter(|line| labels.iter().all(|label| line.contains(label))).collect()
}

fn every_family_has_its_type_from_the_start(engine: Engine) {
    let (_server, metrics) = measured(engine, &[]);
    let text = scrape(&metrics);
    for family in [
        "octavo_http_requests_total counter",
        "octavo_http_request_duration_seconds histogram",
        "octavo_http_in_flight gauge",
        "octavo_db_query_duration_seconds histogram",
        "octavo_db_pool_connections gauge",
        "octavo_jobs_queued gauge",
        "octavo_job_duration_seconds histogram",
        "octavo_job_failures_total counter",
        "octavo_event_log_lag_seconds gauge",
        "octavo_event_consumer_lag_seconds gauge",
        "octavo_search_lag_seconds gauge",
        "octavo_events_set_aside gauge",
        "octavo_compute_jobs gauge",
        "octavo_compute_wait_seconds histogram",
        "octavo_compute_unfinished_total counter",
        "octavo_content_memory_bytes gauge",
        "octavo_content_memory_refused_total counter",
        "octavo_body_memory_bytes gauge",
        "octavo_body_memory_refused_total counter",
        "octavo_rate_limited_total counter",
        "octavo_overload_refused_total counter",
        "octavo_build_info gauge",
        "process_resident_memory_bytes gauge",
    ] {
        assert!(text.lines().any(|line| line == format!("# TYPE {family}")), "{family} in\n{text}");
    }
}

fn requests_are_counted_by_route_pattern(engine: Engine) {
    let (server, metrics) = measured(engine, &[]);
    let ada = server.person("Ada");
    let other = ada.login();
    ada.delete(&format!("/sessions/{}", other.session)).send().is(204);
    ada.get("/users/me").send().is(200);
    server.get("/users/me").send().is(401);
    let text = scrape(&metrics);
    let found = lines(&text, "octavo_http_requests_total", &["method=\"DELETE\"", "sessions/"]);
    assert!(found.len() == 1 && found[0].ends_with(" 1"), "{found:?}");
    assert!(!text.contains(&other.session));
    let of_me = lines(&text, "octavo_http_requests_total", &["method=\"GET\"", "users/me\""]);
    assert_eq!(of_me.len(), 2, "one for each class of status: {of_me:?}");
    assert!(
        of_me.iter().any(|line| line.contains("2xx")) && of_me.iter().any(|line| line.contains("4xx")),
        "{of_me:?}"
    );
}

fn unknown_paths_and_verbs_share_a_label(engine: Engine) {
    let (server, metrics) = measured(engine, &[]);
    let count = |text: &str| lines(text, "octavo_http_requests_total", &[]).len();
    server.get("/nothing/0").send().is(404);
    server.request("PUT", "/users/me").send().is(405);
    server.request("BREW", "/users/me").send().is(405);
    let before = count(&scrape(&metrics));
    for n in 1..20 {
        server.get(&format!("/nothing/{n}")).send().is(404);
        server.request(&format!("BREW{n}"), "/users/me").send().is(405);
    }
    let text = scrape(&metrics);
    assert_eq!(count(&text), before, "{text}");
    assert!(!text.contains("nothing") && !text.contains("BREW"), "{text}");
}

fn no_label_names_anybody(engine: Engine) {
    let (server, metrics) = measured(engine, &[]);
    let ada = server.person("Ada");
    ada.get("/users/me").send().is(200);
    ada.get("/auth/me").header("X-Service-Workspace", &ada.workspace).send().is(200);
    let text = scrape(&metrics);
    for secret in [&ada.id, &ada.workspace, &ada.session, &ada.email, "usr_", "wks_"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

fn refused_calls_are_counted_by_bucket(engine: Engine) {
    let (server, metrics) = measured(engine, &[("OCTAVO_RATE_LIMIT_GENERIC", "1")]);
    let ada = server.person("Ada");
    ada.get("/users/me").send().is(200);
    ada.get("/users/me").send().is(429);
    let text = scrape(&metrics);
    let found = lines(&text, "octavo_rate_limited_total", &["generic"]);
    assert!(found.len() == 1 && found[0].ends_with(" 1"), "{found:?}");
}

fn without_the_setting_there_is_no_listener(engine: Engine) {
    let server = Server::own(engine, Reason::Output);
    server.get("/health").send().is(200);
    assert_eq!(server.stdout().lines().len(), 1, "{:?}", server.stdout().lines());
    server.origin("GET", "/metrics").send().is(404);
}

fn an_address_in_use_ends_the_start(engine: Engine) {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let deployment = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_METRICS_ADDR", &address)]);
    let ran = deployment.run(&["serve"]).exits(1);
    assert!(ran.stderr.contains(&address), "{}", ran.stderr);
    let same = Deployment::new(engine, Reason::Settings)
        .with(&[("OCTAVO_METRICS_ADDR", &address), ("OCTAVO_LISTEN", &address)]);
    same.run(&["serve"]).exits(2);
}
