//! Idempotency keys over HTTP.

use super::*;
use serde_json::json;

const ME: &str = "PATCH /api/v1/users/me";

#[test]
fn a_retry_gets_the_first_answer_and_says_so() {
    let server = Server::start();
    let ada = server.person("ada");
    let change =
        |name: &str| request(ME).bearer(&ada.token).header("Idempotency-Key", "k-1").json(&json!({ "name": name }));
    let first = server.send(&change("Countess"));
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, None));
    server.send(&request(ME).bearer(&ada.token).json(&json!({ "name": "Ada" })));
    let retry = server.send(&change("Countess"));
    assert_eq!((retry.status, &retry.body), (200, &first.body));
    assert_eq!(retry.header("idempotency-replayed"), Some("true"));
    assert_ne!(retry.header("x-request-id"), first.header("x-request-id"));
    let other = server.send(&change("Somebody else"));
    assert_eq!((other.status, other.refusal().as_str()), (422, "UNPROCESSABLE_ENTITY idempotency_key_reused"));
    let ben = server.person("ben");
    let theirs =
        server.send(&request(ME).bearer(&ben.token).header("Idempotency-Key", "k-1").json(&json!({ "name": "Ben" })));
    assert_eq!(
        (theirs.status, theirs.header("idempotency-replayed")),
        (200, None),
        "somebody else's key is another one"
    );
}

#[test]
fn a_refusal_is_not_kept() {
    let server = Server::start();
    let ada = server.person("ada");
    let change = |body| request(ME).bearer(&ada.token).header("Idempotency-Key", "k").json(&body);
    assert_eq!(server.send(&change(json!({ "name": "" }))).status, 400);
    assert_eq!(server.send(&change(json!({ "name": "Fixed" }))).status, 200);
}

#[test]
fn a_malformed_key_is_refused_where_keys_count() {
    let server = Server::start();
    let ada = server.person("ada");
    let keyed = |line: &str, key: &str| request(line).bearer(&ada.token).header("Idempotency-Key", key);
    for (key, issue) in [("\"\"", "too_short"), ("a b", "invalid_format"), (&"k".repeat(256), "too_long")] {
        let answer = server.send(&keyed(ME, key).json(&json!({})));
        assert_eq!(answer.refusal(), format!("VALIDATION_ERROR Idempotency-Key {issue}"), "{key}");
    }
    assert_eq!(server.send(&keyed("GET /api/v1/users/me", "a b")).status, 200, "reading needs no key");
}

#[test]
fn forms_of_pages_ignore_a_key_but_not_a_malformed_one() {
    let server = Server::start();
    let form = request("POST /forgot-password").header("Origin", server::ORIGIN);
    let form = || form.clone().text(crate::route::FORM, "email=ada%40example.com");
    let without_its_token = server.send(&form()).status;
    assert_eq!(without_its_token, 403);
    assert_eq!(server.send(&form().header("Idempotency-Key", "k")).status, without_its_token);
    assert_eq!(server.send(&form().header("Idempotency-Key", "k".repeat(300))).status, 400);
    assert_eq!(server.send(&form().header("Idempotency-Key", "k").header("Idempotency-Key", "l")).status, 400);
}

#[test]
fn a_malformed_key_is_reported_to_permitted_callers_only() {
    let server = Server::start();
    let (ada, ben) = (server.person("ada"), server.person("ben"));
    let home =
        server.send(&request("GET /api/v1/users/me").bearer(&ada.token)).json()["data"]["workspaces"][0]["id"].clone();
    let rename = request(&format!("PATCH /api/v1/workspaces/{}", home.as_str().unwrap()));
    let keyed =
        |token: &str| rename.clone().bearer(token).header("Idempotency-Key", "a b").json(&json!({ "name": "x" }));
    assert_eq!(server.send(&keyed(&ben.token)).refusal(), "FORBIDDEN workspace_mismatch");
    assert_eq!(server.send(&keyed(&ada.token)).refusal(), "VALIDATION_ERROR Idempotency-Key invalid_format");
    let nothing = request("DELETE /api/v1/pages/pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX").bearer(&ada.token);
    assert_eq!(server.send(&nothing.header("Idempotency-Key", "a b")).refusal(), "NOT_FOUND");
}

#[test]
fn concurrent_refreshes_with_one_key_get_the_same_pair() {
    let server = Server::start();
    let ada = server.person("ada");
    let login = json!({ "email": ada.email, "password": "Correct-Horse-7" });
    let token = server.post("/api/v1/auth/login", &login).json()["data"]["refreshToken"].clone();
    let refresh =
        request("POST /api/v1/auth/refresh").header("Idempotency-Key", "k").json(&json!({ "refreshToken": token }));
    let bodies: Vec<_> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| server.send(&refresh))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert!(bodies.iter().all(|answer| answer.status == 200), "{bodies:?}");
    assert!(bodies.iter().all(|answer| answer.body == bodies[0].body));
    assert_eq!(bodies.iter().filter(|answer| answer.header("idempotency-replayed").is_none()).count(), 1);
}

#[test]
fn of_concurrent_calls_with_one_key_one_acts_and_the_others_are_refused_or_get_its_answer() {
    let server = Server::start();
    let body = json!({ "email": "ada@example.com", "password": "Correct-Horse-7", "name": "Ada" });
    let register = request("POST /api/v1/auth/register").header("Idempotency-Key", "k").json(&body);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| server.send(&register))).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let created: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert!(created.iter().all(|answer| answer.body == created[0].body), "one account");
    assert_eq!(created.iter().filter(|answer| answer.header("idempotency-replayed").is_none()).count(), 1);
    for busy in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!((busy.status, busy.refusal().as_str()), (409, "CONFLICT idempotency_in_progress"));
        assert_eq!(busy.header("retry-after"), Some("1"));
    }
}
