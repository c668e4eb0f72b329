//! PostgreSQL goes down and comes back.

use octavo_tests::{Answer, Deployment, Engine, OwnServer, Person, Reason, at_once::at_once, poll, proxy::Proxy};
use serde_json::json;
use std::time::{Duration, Instant};

/// An embedded database cannot go down by itself.
mod postgres {
    macro_rules! scenarios {
        ($($scenario:ident),* $(,)?) => {
            $(#[test]
            fn $scenario() {
                if octavo_tests::Engine::Postgres.is_there() {
                    super::$scenario();
                }
            })*
        };
    }
    scenarios! {
        calls_are_refused_meanwhile_and_served_again,
        readiness_follows_the_database,
        an_outage_is_one_warning_and_one_line_at_its_end,
        a_connection_that_hangs_is_given_up,
        calls_in_flight_are_answered,
        a_short_cut_is_survived_under_load,
    }
}

fn server() -> (OwnServer, Proxy) {
    let mut deployment = Deployment::new(Engine::Postgres, Reason::Settings);
    let database = deployment.database().unwrap();
    let proxy = Proxy::to(&database.address());
    let url = database.url().replace(&database.address(), &proxy.address().to_string());
    deployment.set("OCTAVO_DATABASE_URL", &url);
    deployment.set("OCTAVO_QUERY_TIMEOUT", "2s");
    (deployment.serve(), proxy)
}

#[track_caller]
fn unavailable(answer: &Answer) {
    let refusal = answer.refuses(503, "SERVICE_UNAVAILABLE");
    assert_eq!(refusal.detail()["service"], "database", "{}", answer.text());
}

#[track_caller]
fn served_again(person: &Person) {
    // The guarantee is 5 seconds on an idle machine.
    let within = Duration::from_secs(15);
    let back = poll::within(within, || (person.get("/users/me").send().status == 200).then_some(()));
    back.unwrap_or_else(|| panic!("no service {within:?} after the database came back"));
}

fn calls_are_refused_meanwhile_and_served_again() {
    let (server, proxy) = server();
    let ada = server.person("Ada");
    for _ in 0..2 {
        proxy.cut();
        unavailable(&poll::eventually("a refusal", || {
            let answer = ada.get("/users/me").send();
            (answer.status != 200).then_some(answer)
        }));
        unavailable(&ada.patch("/users/me", &json!({ "name": "Augusta" })).send());
        unavailable(&ada.try_login());
        unavailable(&ada.refresh_request().send());
        let form = json!({ "email": "bob@example.com", "password": "Correct-Horse-9", "name": "Bob" });
        unavailable(&server.post("/auth/register", &form).send());
        server.get("/health").send().is(200);
        server.get("/nothing").send().is(404);
        server.get("/users/me").send().is(401);
        proxy.open();
        served_again(&ada);
    }
    assert_eq!(ada.me()["name"], "Ada", "what was refused did not happen");
    server.person("Bob");
    ada.refresh_request().send().is(200);
}

fn readiness_follows_the_database() {
    let (server, proxy) = server();
    server.get("/health/ready").send().is(200);
    proxy.cut();
    let answer = poll::eventually("not ready", || {
        let answer = server.get("/health/ready").send();
        (answer.status == 503).then_some(answer)
    });
    let refusal = answer.refuses(503, "SERVICE_UNAVAILABLE");
    let database = refusal.details().iter().find(|entry| entry["service"] == "database");
    assert!(database.is_some_and(|entry| entry["status"].is_string()), "{}", answer.text());
    poll::eventually("deep down", || (server.get("/health/deep").send().status == 503).then_some(()));
    proxy.open();
    poll::eventually("ready", || (server.get("/health/ready").send().status == 200).then_some(()));
}

fn an_outage_is_one_warning_and_one_line_at_its_end() {
    let (server, proxy) = server();
    let ada = server.person("Ada");
    let of_level = |level: &str| -> Vec<_> {
        server.log().entries().into_iter().filter(|entry| entry["level"] == level).collect()
    };
    for outage in 1..=2 {
        proxy.cut();
        // Longer than the pauses of all background work.
        let _ = poll::within(Duration::from_secs(4), || {
            server.get("/health/ready").send();
            ada.get("/users/me").send();
            None::<()>
        });
        let warnings = of_level("warn");
        assert_eq!(warnings.len(), outage, "{warnings:#?}");
        proxy.open();
        served_again(&ada);
        let ends = || of_level("info").into_iter().filter(|entry| entry["msg"] == "the database answers again");
        poll::eventually("a line about the end", || (ends().count() == outage).then_some(()));
    }
    assert_eq!(of_level("warn").len(), 2);
}

fn a_connection_that_hangs_is_given_up() {
    let (server, proxy) = server();
    let ada = server.person("Ada");
    proxy.freeze();
    let started = Instant::now();
    let answer = ada.get("/users/me").send();
    answer.refuses(503, "SERVICE_UNAVAILABLE");
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
    server.get("/health").send().is(200);
    proxy.open();
    served_again(&ada);
    ada.patch("/users/me", &json!({ "name": "Augusta" })).send().is(200);
}

fn calls_in_flight_are_answered() {
    let (server, proxy) = server();
    let ada = server.person("Ada");
    let mut answers = at_once(13, |who| {
        if who == 12 {
            proxy.cut();
            return None;
        }
        Some(ada.patch("/users/me", &json!({ "name": format!("Ada {who}") })).send())
    });
    answers.pop();
    for answer in answers.into_iter().flatten() {
        match answer.status {
            200 => {}
            _ => unavailable(&answer),
        }
    }
    proxy.open();
    served_again(&ada);
}

/// However often the connection is cut, no transaction stays open and no connection is lost permanently.
fn a_short_cut_is_survived_under_load() {
    let (server, proxy) = server();
    let ada = server.person("Ada");
    at_once(9, |who| {
        for round in 0..8 {
            if who == 8 {
                proxy.cut();
                let answer = server.get("/health").send();
                answer.is(200);
                proxy.open();
                poll::within(Duration::from_millis(100), || None::<()>);
                continue;
            }
            let answer = ada.patch("/users/me", &json!({ "name": format!("Ada {who} {round}") })).send();
            assert!([200, 503].contains(&answer.status), "{}", answer.text());
        }
    });
    served_again(&ada);
    let mut statuses =
        at_once(32, |who| ada.patch("/users/me", &json!({ "name": format!("Ada {who}") })).send().status);
    statuses.dedup();
    assert_eq!(statuses, [200]);
}
