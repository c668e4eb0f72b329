//! How strictly requests are read.

use octavo_tests::{Answer, Engine, Server, one_engine};
use serde_json::{Value, json};

one_engine! {
    a_body_has_to_say_that_it_is_json,
    only_plain_bodies_are_taken,
    a_body_has_to_be_one_json_object,
    a_body_that_is_needed_cannot_be_left_out,
    a_key_twice_is_refused,
    nesting_has_an_end,
    the_number_of_keys_has_an_end,
    text_has_to_be_text,
    unknown_fields_are_ignored,
    numbers_of_any_size_do_no_harm,
    a_large_body_is_refused_with_its_limit,
    the_general_limit_is_a_setting,
    a_method_cannot_be_overridden,
    a_query_parameter_stands_once,
    received_values_are_repeated_unless_they_are_secret,
    a_query_has_to_be_readable,
    an_address_has_an_end,
    headers_have_an_end,
    two_credentials_are_refused,
    a_path_of_odd_bytes_is_not_found,
    many_small_headers_do_no_harm,
}

/// Sends bytes to a route that everybody may call and that expects JSON.
fn reset(server: &Server, content_type: &str, body: impl Into<Vec<u8>>) -> Answer {
    server.request("POST", "/auth/password-reset/request").body(content_type, body).send()
}

const GOOD: &str = r#"{"email":"nobody@example.com"}"#;

fn a_body_has_to_say_that_it_is_json(engine: Engine) {
    let server = Server::start(engine);
    for good in
        ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"]
    {
        reset(&server, good, GOOD).is(202);
    }
    for bad in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
        "json",
        "application/jsonx",
    ] {
        reset(&server, bad, GOOD).refuses(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let untyped = server.request("POST", "/auth/password-reset/request").untyped_body(GOOD);
    untyped.send().refuses(415, "UNSUPPORTED_MEDIA_TYPE");
}

fn only_plain_bodies_are_taken(engine: Engine) {
    let server = Server::start(engine);
    let request = |coding: &str| {
        let request = server.request("POST", "/auth/password-reset/request").header("Content-Encoding", coding);
        request.body("application/json", GOOD).send()
    };
    request("identity").is(202);
    for coding in ["gzip", "deflate", "br", "zstd", "gzip, identity"] {
        request(coding).refuses(415, "UNSUPPORTED_MEDIA_TYPE");
    }
}

fn a_body_has_to_be_one_json_object(engine: Engine) {
    let server = Server::start(engine);
    let broken = [
        "{",
        "}",
        "{\"email\":}",
        "{\"email\":\"a@example.com\",}",
        "{'email':1}",
        "nonsense",
        "{} {}",
        "{\"email\":NaN}",
        "{\"email\":01}",
        "{\"email\":\"a\nb\"}",
        "/* */ {}",
        "\u{feff}{}",
    ];
    for body in broken {
        reset(&server, "application/json", body).refuses(400, "VALIDATION_ERROR");
    }
    for body in ["[]", "null", "true", "7", "\"text\"", "[{\"email\":\"a@example.com\"}]"] {
        reset(&server, "application/json", body).refuses(400, "VALIDATION_ERROR");
    }
}

fn a_body_that_is_needed_cannot_be_left_out(engine: Engine) {
    let server = Server::start(engine);
    server.request("POST", "/auth/login").send().refuses(400, "VALIDATION_ERROR");
    server.request("POST", "/auth/login").body("application/json", "").send().refuses(400, "VALIDATION_ERROR");
}

fn a_key_twice_is_refused(engine: Engine) {
    let server = Server::start(engine);
    let body = r#"{"email":"a@example.com","email":"b@example.com"}"#;
    reset(&server, "application/json", body).refuses(400, "VALIDATION_ERROR");
}

/// A body with an unknown field, nested so deeply that the whole body has this depth.
fn nested(depth: usize) -> String {
    let inner = "[".repeat(depth - 1) + &"]".repeat(depth - 1);
    format!(r#"{{"email":"nobody@example.com","unknown":{inner}}}"#)
}

fn nesting_has_an_end(engine: Engine) {
    let server = Server::start(engine);
    reset(&server, "application/json", nested(64)).is(202);
    for depth in [65, 200, 5000] {
        reset(&server, "application/json", nested(depth)).refuses(400, "VALIDATION_ERROR");
    }
}

fn the_number_of_keys_has_an_end(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let with_keys = |count: usize| {
        let keys: Vec<_> = (0..count).map(|n| format!("\"k{n}\":0")).collect();
        ada.request("PATCH", "/users/me").body("application/json", format!("{{{}}}", keys.join(","))).send()
    };
    with_keys(10_000).is(200);
    with_keys(10_001).refuses(400, "VALIDATION_ERROR");
}

fn text_has_to_be_text(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let named = |name: &[u8]| {
        let body = [b"{\"displayName\":\"", name, b"\"}"].concat();
        ada.request("PATCH", "/users/me").body("application/json", body).send()
    };
    named("é 🦀".as_bytes()).is(200);
    named(br"\ud83e\udd80").is(200);
    for wrong in [
        &b"a\\u0000b"[..],
        br"\ud83e",
        br"\udd80",
        br"\ud83e\ud83e",
        b"\xff\xfe",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
    ] {
        named(wrong).refuses(400, "VALIDATION_ERROR");
    }
    let elsewhere = |body: &'static [u8]| ada.request("PATCH", "/users/me").body("application/json", body).send();
    elsewhere(br#"{"unknown":"\u0000"}"#).refuses(400, "VALIDATION_ERROR");
    elsewhere(br#"{"\u0000":1}"#).refuses(400, "VALIDATION_ERROR");
    elsewhere(b"{\"unknown\":\"\xff\"}").refuses(400, "VALIDATION_ERROR");
}

fn unknown_fields_are_ignored(engine: Engine) {
    let server = Server::start(engine);
    reset(&server, "application/json", r#"{"email":"nobody@example.com","x":{"y":[1,2,null]},"":true}"#).is(202);
}

fn numbers_of_any_size_do_no_harm(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for number in ["1e400", "-1e400", "99999999999999999999999999", "1e-400", "0.1", "-0"] {
        let body = format!(r#"{{"theme":{number}}}"#);
        let answer = ada.request("PATCH", "/users/me").body("application/json", body).send();
        answer.refuses(400, "VALIDATION_ERROR");
    }
}

fn a_large_body_is_refused_with_its_limit(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let padded = |size: usize| {
        let frame = r#"{"email":"nobody@example.com","x":""}"#;
        frame.replace("\"x\":\"", &format!("\"x\":\"{}", "a".repeat(size - frame.len())))
    };
    reset(&server, "application/json", padded(16 * 1024)).is(202);
    let refusal = reset(&server, "application/json", padded(16 * 1024 + 1)).refuses(413, "PAYLOAD_TOO_LARGE");
    assert_eq!(refusal.detail()["maxBytes"], 16 * 1024);
    let patch = |size: usize| ada.request("PATCH", "/users/me").body("application/json", padded(size)).send();
    patch(1024 * 1024).is(200);
    let refusal = patch(1024 * 1024 + 1).refuses(413, "PAYLOAD_TOO_LARGE");
    assert_eq!(refusal.detail()["maxBytes"], 1024 * 1024);
}

fn the_general_limit_is_a_setting(engine: Engine) {
    let server = Server::with(engine, &[("OCTAVO_BODY_MAX_BYTES", "1000")]);
    let ada = server.person("Ada");
    let patch = |size: usize| ada.patch("/users/me", &json!({ "x": "a".repeat(size) })).send();
    patch(900).is(200);
    assert_eq!(patch(1100).refuses(413, "PAYLOAD_TOO_LARGE").detail()["maxBytes"], 1000);
}

fn a_method_cannot_be_overridden(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];
    let mut get = ada.get("/sessions?_method=DELETE");
    for name in overrides {
        get = get.header(name, "DELETE");
    }
    get.send().is(200);
    ada.refresh_request().send().is(200);
    let post = ada.post("/users/me?_method=PATCH", &json!({ "_method": "PATCH", "name": "x" }));
    post.header("X-HTTP-Method-Override", "PATCH").send().refuses(405, "METHOD_NOT_ALLOWED");
}

fn a_query_parameter_stands_once(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for query in ["limit=1&limit=1", "limit=1&limit=2", "status=ACTIVE&status=REVOKED", "limit=1&%6Cimit=2"] {
        ada.get(&format!("/sessions?{query}")).send().refuses(400, "VALIDATION_ERROR");
    }
    ada.get("/sessions?unknown=1&limit=1").send().is(200);
}

fn received_values_are_repeated_unless_they_are_secret(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let received =
        |answer: &Answer, field: &str| answer.refuses(400, "VALIDATION_ERROR").names(field).get("received").cloned();
    let keys = format!("/workspaces/{}/api-keys", ada.workspace);
    let make = |body: Value| ada.post(&keys, &body).send();
    for (field, value) in [
        ("scopes", json!([])),
        ("scopes", json!(["READ", "READ", "READ", "READ"])),
        ("scopes", json!("READ")),
        ("allowedIps", json!([])),
        ("allowedIps", json!(7)),
        ("rateLimit", json!(0)),
    ] {
        let mut body = json!({ "name": "Importer", "scopes": ["READ"] });
        body[field] = value.clone();
        assert_eq!(received(&make(body), field), Some(value));
    }
    let answer = make(json!({ "name": "Importer", "scopes": ["READ", "OWN"], "allowedIps": ["192.0.2.0/33"] }));
    assert_eq!(received(&answer, "scopes.1"), Some(json!("OWN")));
    assert_eq!(received(&answer, "allowedIps.0"), Some(json!("192.0.2.0/33")));
    let answer = ada.get("/sessions?limit=1&limit=2&status=A&status=B").send();
    assert_eq!(received(&answer, "limit"), Some(json!(["1", "2"])));
    assert_eq!(received(&answer, "status"), Some(json!(["A", "B"])));
    for body in ["[]", "null", "true", "7", "\"text\"", "[1,\"x\"]"] {
        let parsed: Value = serde_json::from_str(body).unwrap();
        assert_eq!(received(&reset(&server, "application/json", body), "body"), Some(parsed));
    }
    let login = server.request("POST", "/auth/login");
    let nested = login.clone().body("application/json", r#"[{"password":"Correct-Horse-9"}]"#).send();
    assert_eq!(received(&nested, "body"), None);
    let secret = login.json(&json!({ "email": "ada@example.com", "password": ["Correct-Horse-9"] })).send();
    assert_eq!(received(&secret, "password"), None);
    let weak = json!({ "email": ada.email, "password": "weak", "name": "Ada" });
    assert_eq!(received(&server.post("/auth/register", &weak).send(), "password"), None);
    let taken = json!({ "email": ada.email, "password": "Correct-Horse-9", "name": "Ada" });
    let taken = server.post("/auth/register", &taken).send().refuses(409, "CONFLICT");
    assert_eq!(taken.detail(), &json!({ "field": "email", "issue": "already_exists", "received": ada.email }));
}

fn a_query_has_to_be_readable(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    for query in ["cursor=%FF", "status=%00", "status=%C3%28", "limit=1%00"] {
        ada.get(&format!("/sessions?{query}")).send().refuses(400, "VALIDATION_ERROR");
    }
}

fn an_address_has_an_end(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let of_length = |length: usize| {
        let base = "/api/v1/sessions?x=";
        server.origin("GET", &format!("{base}{}", "a".repeat(length - base.len()))).bearer(&ada.access).send()
    };
    of_length(8 * 1024).is(200);
    of_length(8 * 1024 + 1).refuses(414, "URI_TOO_LONG");
    of_length(20 * 1024).refuses(414, "URI_TOO_LONG");
}

fn headers_have_an_end(engine: Engine) {
    let server = Server::start(engine);
    let one = |length: usize| server.get("/health").header("X-Long", "a".repeat(length)).send();
    one(7 * 1024).is(200);
    one(8 * 1024 + 1).refuses(431, "HEADERS_TOO_LARGE");
    let many = |count: usize| {
        let request = server.get("/health");
        let request = (0..count).fold(request, |request, n| request.header(&format!("X-Long-{n}"), "a".repeat(4000)));
        request.send()
    };
    many(7).is(200);
    many(9).refuses(431, "HEADERS_TOO_LARGE");
    many(20).refuses(431, "HEADERS_TOO_LARGE");
}

fn two_credentials_are_refused(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let request = ada.get("/users/me").bearer(&ada.access);
    request.send().refuses(400, "VALIDATION_ERROR");
    let key: Value = json!({ "email": ada.email });
    let request = ada.post("/auth/email-verification/request", &key).bearer("nonsense");
    request.send().refuses(400, "VALIDATION_ERROR");
}

fn a_path_of_odd_bytes_is_not_found(engine: Engine) {
    let server = Server::start(engine);
    for path in [
        "/%FF",
        "/%00",
        "/%",
        "/%zz",
        "/users%2Fme",
        "/users/me%20",
        "/users/./me",
        "/users/x/../me",
        "/users//me",
        "/USERS/me",
    ] {
        let answer = server.get(path).send();
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.text());
    }
}

fn many_small_headers_do_no_harm(engine: Engine) {
    let server = Server::start(engine);
    let with = |count: usize| {
        let request = (0..count).fold(server.get("/health"), |request, n| request.header(&format!("X-{n}"), "a"));
        request.send().status
    };
    assert_eq!(with(60), 200);
    assert!([200, 431].contains(&with(2000)), "{}", with(2000));
}
