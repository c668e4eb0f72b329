//! Refusals say what would have been right.

use octavo_tests::{Engine, Server, both_engines};
use serde_json::json;

both_engines! {
    a_long_value_is_not_repeated_in_full,
}

fn a_long_value_is_not_repeated_in_full(engine: Engine) {
    let server = Server::start(engine);
    let ada = server.person("Ada");
    let answer = ada.post("/pages", &json!({ "title": "x".repeat(900_000) })).send();
    let refusal = answer.refuses(400, "VALIDATION_ERROR");
    assert_eq!(refusal.of("title", "too_long").names("title")["received"], format!("{}\u{2026}", "x".repeat(200)));
    assert!(answer.text().len() < 2_000, "{} bytes", answer.text().len());
    let short = ada.post("/pages", &json!({ "title": 7 })).send().refuses(400, "VALIDATION_ERROR");
    assert_eq!(short.names("title")["received"], 7);
}
