//! `kill -9` under load: acknowledged writes survive, and nothing is left half done.

use octavo_tests::{Deployment, Engine, OwnServer, Person, Server, Site, both_engines, engine::slow};
use serde_json::{Value, json};
use std::{
    collections::hash_map::RandomState,
    hash::BuildHasher,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

both_engines! {
    no_account_is_lost_or_half_made,
    no_refresh_chain_breaks,
    a_lost_answer_to_a_refresh_can_be_asked_for_again,
    a_lost_answer_to_a_registration_can_be_asked_for_again,
    a_graceful_shutdown_loses_nothing,
}

const CLIENTS: usize = 6;

fn rounds() -> usize {
    if slow() { 20 } else { 3 }
}

/// A random moment during the load, different in every round of every run.
fn moment(round: usize) -> Duration {
    Duration::from_millis(200 + RandomState::new().hash_one(round) % 800)
}

/// Runs clients until the server is killed at a random moment; each client keeps what it saw.
fn load_until_killed<T: Send>(
    server: OwnServer,
    round: usize,
    client: impl Fn(&Site, usize) -> T + Sync,
) -> (Vec<T>, Deployment) {
    load_until(OwnServer::kill, server, round, client)
}

fn load_until<T: Send>(
    end: impl FnOnce(OwnServer) -> Deployment,
    server: OwnServer,
    round: usize,
    client: impl Fn(&Site, usize) -> T + Sync,
) -> (Vec<T>, Deployment) {
    let site = *server.site();
    let client = &client;
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|who| scope.spawn(move || client(&site, who))).collect();
        let wait = moment(round);
        let started = Instant::now();
        while started.elapsed() < wait {
            thread::yield_now();
            thread::sleep(Duration::from_millis(1));
        }
        let deployment = end(server);
        (clients.into_iter().map(|client| client.join().unwrap()).collect(), deployment)
    })
}

/// A server whose tokens survive restarts, and whose hasher does not limit the load.
fn server(engine: Engine) -> OwnServer {
    Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")])
}

/// Addresses of registrations: answered ones, and those without an answer.
#[derive(Default)]
struct Registrations {
    acknowledged: Vec<String>,
    unanswered: Vec<String>,
}

fn form(email: &str) -> Value {
    json!({ "email": email, "password": "Correct-Horse-9", "name": "Ada Lovelace" })
}

fn register_until_killed(site: &Site, round: usize, who: usize) -> Registrations {
    let mut seen = Registrations::default();
    for number in 0.. {
        let email = format!("r{round}-c{who}-n{number}@example.com");
        match site.post("/auth/register", &form(&email)).try_send() {
            Ok(answer) if answer.status == 201 => seen.acknowledged.push(email),
            Ok(answer) => assert_eq!(answer.status, 503, "{}", answer.text()),
            Err(_) => {
                seen.unanswered.push(email);
                break;
            }
        }
    }
    seen
}

/// Checks that the account can sign in and has exactly what a registration creates.
#[track_caller]
fn is_complete(site: &Site, email: &str) {
    let login = json!({ "email": email, "password": "Correct-Horse-9" });
    let data = site.post("/auth/login", &login).send().data(200);
    let token = data["accessToken"].as_str().unwrap().to_owned();
    let me = site.get("/users/me").bearer(&token).send().data(200);
    assert_eq!(me["user"]["email"], email);
    let workspaces = me["workspaces"].as_array().unwrap();
    assert_eq!(workspaces.len(), 1, "{me}");
    assert_eq!((&workspaces[0]["isPersonal"], &workspaces[0]["role"]), (&json!(true), &json!("OWNER")));
}

fn no_account_is_lost_or_half_made(engine: Engine) {
    let mut server = server(engine);
    let mut acknowledged = 0;
    for round in 0..rounds() {
        let (seen, deployment) = load_until_killed(server, round, |site, who| register_until_killed(site, round, who));
        server = deployment.serve();
        for email in seen.iter().flat_map(|seen| &seen.acknowledged) {
            is_complete(&server, email);
            acknowledged += 1;
        }
        for email in seen.iter().flat_map(|seen| &seen.unanswered) {
            let again = server.post("/auth/register", &form(email)).send();
            assert!([201, 409].contains(&again.status), "{}", again.text());
            is_complete(&server, email);
        }
    }
    assert!(acknowledged > 0);
    // The mails of acknowledged registrations are as durable as the accounts.
    server.mailbox().tokens("r0-c0-n0@example.com", "evt_", 1);
}

/// A chain of refresh tokens: the last one that was exchanged, and the one that was in flight.
struct ChainEnd {
    spent: Option<Person>,
    in_flight: Person,
    key: Option<String>,
}

fn refresh_until_killed(person: Person, with_key: bool) -> ChainEnd {
    let mut end = ChainEnd { spent: None, in_flight: person, key: None };
    for number in 0.. {
        end.key = with_key.then(|| format!("step-{number}"));
        match request(&end).try_send() {
            Ok(answer) => {
                let next = end.in_flight.with_tokens_of(&answer.data(200));
                end.spent = Some(std::mem::replace(&mut end.in_flight, next));
            }
            Err(_) => break,
        }
    }
    end
}

fn request(end: &ChainEnd) -> octavo_tests::Request {
    let request = end.in_flight.refresh_request();
    match &end.key {
        Some(key) => request.key(key),
        None => request,
    }
}

fn at(site: &Site, person: &Person) -> Person {
    Person { site: *site, ..person.clone() }
}

/// One user for each client, signed in before the load starts.
fn people(server: &Server, round: usize) -> Vec<Person> {
    (0..CLIENTS).map(|who| server.person(&format!("R{round} C{who}"))).collect()
}

fn no_refresh_chain_breaks(engine: Engine) {
    let mut server = server(engine);
    let rotated = AtomicBool::new(false);
    for round in 0..rounds() {
        let people = people(&server, round);
        let (ends, deployment) =
            load_until_killed(server, round, |_, who| refresh_until_killed(people[who].clone(), false));
        server = deployment.serve();
        for end in ends {
            let current = at(&server, &end.in_flight).refresh_request().send();
            if current.status != 200 {
                // The rotation was durable and its answer was lost, so using the token is reuse.
                current.refuses(401, "REFRESH_TOKEN_REUSED");
            }
            if let Some(spent) = end.spent {
                at(&server, &spent).refresh_request().send().refuses(401, "REFRESH_TOKEN_REUSED");
                rotated.store(true, Ordering::Relaxed);
            }
            at(&server, &end.in_flight).try_login().is(200);
        }
    }
    assert!(rotated.into_inner(), "no refresh was answered before a crash");
}

fn a_lost_answer_to_a_refresh_can_be_asked_for_again(engine: Engine) {
    let mut server = server(engine);
    for round in 0..rounds() {
        let people = people(&server, round);
        let (ends, deployment) =
            load_until_killed(server, round, |_, who| refresh_until_killed(people[who].clone(), true));
        server = deployment.serve();
        for end in ends {
            let end = ChainEnd { in_flight: at(&server, &end.in_flight), ..end };
            let answer = request(&end).send();
            let next = end.in_flight.with_tokens_of(&answer.data(200));
            assert_eq!(next.me()["id"], next.id);
            next.refresh_request().send().is(200);
        }
    }
}

fn a_lost_answer_to_a_registration_can_be_asked_for_again(engine: Engine) {
    let mut server = server(engine);
    for round in 0..rounds() {
        let request = |site: &Site, email: &str| site.post("/auth/register", &form(email)).key(email);
        let (lost, deployment) = load_until_killed(server, round, |site, who| {
            let mut emails = (0..).map(|number| format!("r{round}-c{who}-n{number}@example.com"));
            emails.find(|email| request(site, email).try_send().is_err()).unwrap()
        });
        server = deployment.serve();
        for email in lost {
            let data = request(&server, &email).send().data(201);
            let token = data["accessToken"].as_str().unwrap().to_owned();
            assert_eq!(server.get("/users/me").bearer(&token).send().data(200)["user"]["email"], email);
            is_complete(&server, &email);
        }
    }
}

fn a_graceful_shutdown_loses_nothing(engine: Engine) {
    let mut server = server(engine);
    let stop = |server: OwnServer| {
        let (ended, deployment) = server.stop();
        assert_eq!(ended.exit, Some(0), "{}", ended.stderr);
        deployment
    };
    let (seen, deployment) = load_until(stop, server, 0, |site, who| register_until_killed(site, 0, who));
    server = deployment.serve();
    let acknowledged: Vec<_> = seen.iter().flat_map(|seen| &seen.acknowledged).collect();
    assert!(!acknowledged.is_empty());
    for email in acknowledged {
        is_complete(&server, email);
    }
}
