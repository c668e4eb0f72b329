//! What a registration has to contain.

use octavo_tests::{Engine, Server, both_engines};
use serde_json::{Value, json};

both_engines! {
    every_missing_field_is_named_at_once,
    every_failed_constraint_is_named_at_once,
    a_value_of_the_wrong_type_is_named,
    a_password_has_length_upper_lower_and_digit,
    a_password_counts_characters_and_not_bytes,
    a_refused_password_is_not_sent_back,
    a_name_is_one_line_of_a_hundred_characters,
    a_name_that_deceives_the_eye_is_refused,
    an_address_has_to_look_like_one,
    a_refused_registration_leaves_nothing,
}

fn valid() -> Value {
    json!({ "email": "ada@example.com", "password": "Correct-Horse-9", "name": "Ada" })
}

/// A valid form with one field replaced.
fn form_with(field: &str, value: impl Into<Value>) -> Value {
    let mut form = valid();
    form[field] = value.into();
    form
}

fn every_missing_field_is_named_at_once(engine: Engine) {
    let server = Server::start(engine);
    let refusal = server.post("/auth/register", &json!({})).send().refuses(400, "VALIDATION_ERROR");
    refusal.of("email", "required").of("password", "required").of("name", "required");
    assert_eq!(refusal.details().len(), 3);
    for field in ["email", "password", "name"] {
        let refusal =
            server.post("/auth/register", &form_with(field, Value::Null)).send().refuses(400, "VALIDATION_ERROR");
        refusal.names(field);
    }
}

fn every_failed_constraint_is_named_at_once(engine: Engine) {
    let server = Server::start(engine);
    let form = json!({ "email": "nobody", "password": "x", "name": "n".repeat(101) });
    let refusal = server.post("/auth/register", &form).send().refuses(400, "VALIDATION_ERROR");
    refusal.of("email", "invalid_format").of("name", "too_long");
    assert_eq!(refusal.names("email")["received"], "nobody");
    refusal.names("password");
}

fn a_value_of_the_wrong_type_is_named(engine: Engine) {
    let server = Server::start(engine);
    for field in ["email", "password", "name"] {
        for value in [json!(7), json!(true), json!([]), json!({ "a": 1 })] {
            let answer = server.post("/auth/register", &form_with(field, value)).send();
            answer.refuses(400, "VALIDATION_ERROR").of(field, "invalid_type");
        }
    }
}

fn a_password_has_length_upper_lower_and_digit(engine: Engine) {
    let server = Server::start(engine);
    let refused = |password: String| {
        let refusal =
            server.post("/auth/register", &form_with("password", password)).send().refuses(400, "VALIDATION_ERROR");
        refusal.names("password")["issue"].as_str().unwrap().to_owned()
    };
    assert_eq!(refused("Abcdef7".to_owned()), "too_short");
    assert_eq!(refused(format!("Aa1{}", "x".repeat(126))), "too_long");
    for weak in ["correct-horse-9", "CORRECT-HORSE-9", "Correct-Horse-X"] {
        refused(weak.to_owned());
    }
    for (number, good) in ["Abcdefg7".to_owned(), format!("Aa1{}", "x".repeat(125))].into_iter().enumerate() {
        let form = json!({ "email": format!("p{number}@example.com"), "password": good, "name": "Ada" });
        server.post("/auth/register", &form).send().is(201);
    }
}

fn a_password_counts_characters_and_not_bytes(engine: Engine) {
    let server = Server::start(engine);
    // The shortest password has 8 characters of up to 4 bytes each, the longest has 128.
    for (number, good) in ["Aa1🦀🦀🦀🦀🦀".to_owned(), format!("Aa1{}", "🦀".repeat(125))].into_iter().enumerate()
    {
        let email = format!("p{number}@example.com");
        let form = json!({ "email": email, "password": good, "name": "Ada" });
        server.post("/auth/register", &form).send().is(201);
        server.post("/auth/login", &json!({ "email": email, "password": good })).send().is(200);
    }
    let answer = server.post("/auth/register", &form_with("password", "Aa1🦀🦀🦀🦀")).send();
    answer.refuses(400, "VALIDATION_ERROR").of("password", "too_short");
}

fn a_refused_password_is_not_sent_back(engine: Engine) {
    let server = Server::start(engine);
    let answer = server.post("/auth/register", &form_with("password", "marker-of-a-weak-one")).send();
    answer.refuses(400, "VALIDATION_ERROR");
    assert!(!answer.text().contains("marker"), "{}", answer.text());
    let answer = server.post("/auth/register", &form_with("password", json!({ "marker": 1 }))).send();
    answer.refuses(400, "VALIDATION_ERROR");
    assert!(!answer.text().contains("marker"), "{}", answer.text());
}

fn a_name_is_one_line_of_a_hundred_characters(engine: Engine) {
    let server = Server::start(engine);
    let answer = server.post("/auth/register", &form_with("name", "")).send();
    answer.refuses(400, "VALIDATION_ERROR").names("name");
    let answer = server.post("/auth/register", &form_with("name", "é".repeat(101))).send();
    answer.refuses(400, "VALIDATION_ERROR").of("name", "too_long");
    let data = server.post("/auth/register", &form_with("name", "é".repeat(100))).send().data(201);
    assert_eq!(data["user"]["name"], "é".repeat(100));
}

fn a_name_that_deceives_the_eye_is_refused(engine: Engine) {
    let server = Server::start(engine);
    for name in ["Ada\u{202E}evil", "Ada\u{2066}x", "Ada\nBcc: x@example.com", "Ada\u{7}", "Ada\u{0}"] {
        server.post("/auth/register", &form_with("name", name)).send().refuses(400, "VALIDATION_ERROR");
    }
}

fn an_address_has_to_look_like_one(engine: Engine) {
    let server = Server::start(engine);
    for email in
        ["", "ada", "@example.com", "ada@", "a b@example.com", "ada@example.com\r\nBcc: e@x.org", "ada@@example.com"]
    {
        let answer = server.post("/auth/register", &form_with("email", email)).send();
        answer.refuses(400, "VALIDATION_ERROR").names("email");
    }
    let long = format!(
        "{}@{}.com",
        "a".repeat(64),
        "b".repeat(60).as_str().to_owned() + "." + &"c".repeat(63) + "." + &"d".repeat(63)
    );
    assert!(long.len() > 254, "{}", long.len());
    let answer = server.post("/auth/register", &form_with("email", long)).send();
    answer.refuses(400, "VALIDATION_ERROR").of("email", "too_long");
}

fn a_refused_registration_leaves_nothing(engine: Engine) {
    let server = Server::start(engine);
    server.post("/auth/register", &form_with("name", "")).send().is(400);
    server.post("/auth/register", &valid()).send().is(201);
}
