//! `octavo keys rotate`.

use octavo_tests::{Deployment, Engine, OwnServer, Person, Reason, Server, both_engines, poll};
use serde_json::json;

both_engines! {
    a_new_token_key_signs_while_the_old_one_verifies,
    a_new_secret_key_keeps_what_was_sealed,
    a_token_key_of_the_settings_is_not_rotated,
    a_rotation_without_a_server_holds_at_the_next_start,
    a_listed_old_key_still_opens_what_it_sealed,
}

/// Whether the server accepts the token. Comparing signatures would not show which key signed, so the server is
/// asked.
fn works(server: &Server, token: &str) -> bool {
    server.get("/users/me").bearer(token).send().status == 200
}

fn generated(server: &OwnServer) -> Vec<u8> {
    let folder = server.deployment().data_folder();
    let mut bytes = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries.iter().filter(|path| path.is_file() && !path.to_string_lossy().contains(".db")) {
        bytes.extend(std::fs::read(path).unwrap());
    }
    bytes
}

fn a_new_token_key_signs_while_the_old_one_verifies(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    let ada = server.person("Ada");
    let before = generated(&server);
    server.run(&["keys", "rotate", "--jwt"]).exits(0);
    assert_ne!(generated(&server), before, "a new key is kept");
    assert!(works(&server, &ada.access));
    let ada = ada.refreshed();
    assert!(works(&server, &ada.access));
    // After a restart the server accepts tokens of the present signing key and of the one before.
    let old = ada.access.clone();
    let server = server.kill().serve();
    let ada = Person { site: *server.site(), ..ada };
    assert!(works(&server, &old));
    assert!(works(&server, &ada.refreshed().access));
}

fn a_new_secret_key_keeps_what_was_sealed(engine: Engine) {
    let server = Server::own(engine, Reason::Deployment);
    let ada = server.person("Ada");
    ada.login();
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    let first = rename.send().data(200);
    let cursor = ada.get("/sessions?limit=1").send().body_of(200)["nextCursor"].as_str().unwrap().to_owned();
    server.run(&["keys", "rotate", "--secret"]).exits(0);
    let replayed = poll::eventually("a replay under the new key", || {
        let answer = rename.send();
        (answer.status == 200).then_some(answer)
    });
    assert_eq!(replayed.data(200), first);
    assert_eq!(replayed.header("Idempotency-Replayed"), Some("true"));
    ada.get(&format!("/sessions?limit=1&cursor={cursor}")).send().is(200);
    let bob = server.person("Bob");
    server.mailbox().token(&bob.email, "evt_");
}

fn a_token_key_of_the_settings_is_not_rotated(engine: Engine) {
    let settings = [("OCTAVO_JWT_SECRET", "a-secret-of-at-least-32-bytes-for-tests")];
    let server = Server::with(engine, &settings);
    let ran = server.run(&["keys", "rotate", "--jwt"]).exits(1);
    assert!(ran.stderr.contains("OCTAVO_JWT_SECRET"), "{}", ran.stderr);
}

fn a_rotation_without_a_server_holds_at_the_next_start(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    let ada = server.person("Ada");
    let rename = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once");
    let first = rename.send().data(200);
    let (_, deployment) = server.stop();
    deployment.run(&["keys", "rotate", "--jwt"]).exits(0);
    deployment.run(&["keys", "rotate", "--secret"]).exits(0);
    let server = deployment.serve();
    let ada = Person { site: *server.site(), ..ada };
    assert!(works(&server, &ada.access));
    let again = ada.patch("/users/me", &json!({ "name": "Augusta" })).key("once").send();
    assert_eq!(again.data(200), first);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
}

fn a_listed_old_key_still_opens_what_it_sealed(engine: Engine) {
    let (old, new) = ("an-old-key-of-at-least-32-bytes-for-tests", "a-new-key-of-at-least-32-bytes-for-tests");
    let mut deployment = Deployment::new(engine, Reason::Settings).with(&[("OCTAVO_PUBLIC_URL", "http://octavo.test")]);
    deployment.set("OCTAVO_SECRET_KEY", old);
    let server = deployment.serve();
    let ada = server.person("Ada");
    let body = json!({ "name": "Augusta" });
    let first = ada.patch("/users/me", &body).key("once").send().data(200);
    let (_, mut deployment) = server.stop();
    deployment.set("OCTAVO_SECRET_KEY", &format!("{new},{old}"));
    let server = deployment.serve();
    let ada = Person { site: *server.site(), ..ada };
    assert_eq!(ada.patch("/users/me", &body).key("once").send().data(200), first);
    server.run(&["keys", "rotate", "--secret"]).exits(0);
    let (_, mut deployment) = server.stop();
    deployment.set("OCTAVO_SECRET_KEY", new);
    let server = deployment.serve();
    let ada = Person { site: *server.site(), ..ada };
    assert_eq!(ada.patch("/users/me", &body).key("once").send().data(200), first, "everything is sealed anew");
}
