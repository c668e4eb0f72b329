//! Stopping a server by signal.

use octavo_tests::{Engine, Person, Reason, Server, both_engines, engine::slow, poll};
use rustix::process::Signal;
use serde_json::json;
use std::time::{Duration, Instant};

both_engines! {
    a_signal_ends_the_server_with_success,
    not_ready_comes_before_closed,
    a_request_in_flight_is_finished,
    a_client_that_never_finishes_does_not_hold_it_up_forever,
    a_second_signal_ends_it_at_once,
    idle_connections_do_not_hold_it_up,
    acknowledged_changes_survive_a_shutdown,
    pending_mail_is_sent_after_the_next_start,
    mail_of_a_killed_server_is_sent_once_its_lease_ends,
}

fn a_signal_ends_the_server_with_success(engine: Engine) {
    for signal in [Signal::TERM, Signal::INT] {
        let server = Server::own(engine, Reason::Lifecycle);
        server.person("Ada");
        server.signal(signal);
        let (ended, _) = server.ended();
        assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
    }
}

fn not_ready_comes_before_closed(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_SHUTDOWN_DELAY", "2s")]);
    let ada = server.person("Ada");
    server.get("/health/ready").send().is(200);
    server.signal(Signal::TERM);
    let answer = poll::eventually("not ready", || {
        let answer = server.get("/health/ready").send();
        (answer.status == 503).then_some(answer)
    });
    let refusal = answer.refuses(503, "SERVICE_UNAVAILABLE");
    assert_eq!(refusal.detail()["service"], "shutdown");
    assert_eq!(ada.me()["id"], ada.id, "calls are still served");
    server.get("/health").send().is(200);
    let (ended, _) = server.ended();
    assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
}

/// Sends a registration with only half of its body.
fn halfway(server: &Server, email: &str) -> (octavo_tests::wire::Wire, Vec<u8>) {
    let form = json!({ "email": email, "password": "Correct-Horse-9", "name": "Ada" });
    let mut bytes = server.post("/auth/register", &form).header("Expect", "100-continue").bytes();
    let rest = bytes.split_off(bytes.len() - 10);
    let mut wire = server.wire();
    wire.send(bytes).unwrap();
    assert!(wire.is_asked_for_body().unwrap());
    (wire, rest)
}

fn stopped_accepting(server: &Server) -> bool {
    let fault = server.get("/health").exchange();
    fault.is_err()
}

fn a_request_in_flight_is_finished(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let (mut wire, rest) = halfway(&server, "ada@example.com");
    server.signal(Signal::TERM);
    poll::eventually("the listener to close", || stopped_accepting(&server).then_some(()));
    wire.send(rest).unwrap();
    wire.receive("POST").unwrap().is(201);
    let (ended, deployment) = server.ended();
    assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
    let server = deployment.serve();
    server.post("/auth/login", &json!({ "email": "ada@example.com", "password": "Correct-Horse-9" })).send().is(200);
}

fn a_client_that_never_finishes_does_not_hold_it_up_forever(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_SHUTDOWN_GRACE", "1s")]);
    let (_wire, _) = halfway(&server, "ada@example.com");
    let started = Instant::now();
    let (ended, _) = server.stop();
    assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
}

fn a_second_signal_ends_it_at_once(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_SHUTDOWN_DELAY", "60s")]);
    server.signal(Signal::TERM);
    poll::eventually("not ready", || (server.get("/health/ready").send().status == 503).then_some(()));
    let started = Instant::now();
    server.signal(Signal::TERM);
    let (ended, _) = server.ended();
    assert_eq!(ended.exit, Some(1), "{}", ended.stderr);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

fn idle_connections_do_not_hold_it_up(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let mut idle: Vec<_> = (0..5).map(|_| server.wire()).collect();
    for wire in &mut idle {
        wire.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        wire.receive("GET").unwrap().is(200);
    }
    let started = Instant::now();
    let (ended, _) = server.stop();
    assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
}

fn acknowledged_changes_survive_a_shutdown(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    let people: Vec<_> = (0..5).map(|n| server.person(&format!("P{n}"))).collect();
    let (_, deployment) = server.stop();
    let server = deployment.serve();
    for person in people {
        let person = Person { site: *server.site(), ..person };
        person.refresh_request().send().is(200);
    }
}

fn pending_mail_is_sent_after_the_next_start(engine: Engine) {
    let server = Server::own(engine, Reason::Lifecycle);
    for n in 0..5 {
        server.person(&format!("P{n}"));
    }
    let (_, deployment) = server.stop();
    let server = deployment.serve();
    for n in 0..5 {
        server.mailbox().token(&format!("p{n}@example.com"), "evt_");
    }
}

/// Runs for more than a minute, so only the long run includes it.
fn mail_of_a_killed_server_is_sent_once_its_lease_ends(engine: Engine) {
    if !slow() {
        return;
    }
    let server = Server::own(engine, Reason::Lifecycle);
    for n in 0..5 {
        server.person(&format!("P{n}"));
    }
    let server = server.kill().serve();
    let sent = poll::within(Duration::from_secs(90), || {
        let sent = |n| !server.mailbox().mails_to(&format!("p{n}@example.com")).is_empty();
        (0..5).all(sent).then_some(())
    });
    sent.expect("every mail is sent");
}
