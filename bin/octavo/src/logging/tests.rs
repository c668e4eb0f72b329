//! Lines as operators and log collectors see them.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::{Form, LogFilter, LogLayer};
use octavo_core_model::Timestamp;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tracing_subscriber::{Layer, layer::SubscriberExt};

/// What is logged while `work` runs.
fn logged(form: Form, filter: &str, work: impl FnOnce()) -> String {
    let written = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&written);
    let layer = LogLayer::new(form, || Timestamp::from_millis(0), move |line: &[u8]| sink.lock().unwrap().extend(line));
    let targets = filter.parse::<LogFilter>().unwrap().targets();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer.with_filter(targets)), work);
    String::from_utf8(written.lock().unwrap().clone()).unwrap()
}

#[test]
fn a_json_line_is_one_flat_object() {
    let text = logged(Form::Json, "info", || {
        let span = tracing::info_span!(target: "octavo_server", "request", requestId = "req_1", workspaceId = tracing::field::Empty);
        let _inside = span.enter();
        span.record("workspaceId", "wks_1");
        let client: Option<&str> = None;
        tracing::info!(target: "octavo_server", clientRequestId = client, status = 200_u16, durationMs = 1.5, slow = false, "request");
    });
    assert!(text.ends_with('\n'));
    let line: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({
        "ts": "1970-01-01T00:00:00.000Z", "level": "info", "msg": "request", "target": "octavo_server",
        "requestId": "req_1", "workspaceId": "wks_1", "status": 200, "durationMs": 1.5, "slow": false,
    });
    assert_eq!(line, expected);
}

#[test]
fn an_event_field_appears_once_and_overrides_the_span() {
    let text = logged(Form::Json, "info", || {
        let _span = tracing::info_span!(target: "octavo", "outer", actorId = "usr_1").entered();
        tracing::warn!(target: "octavo", actorId = "usr_2", ts = "forged", "changed");
    });
    assert_eq!(text.matches("actorId").count(), 1);
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line["actorId"], "usr_2");
    assert_eq!(line["ts"], "1970-01-01T00:00:00.000Z");
}

#[test]
fn quoted_text_cannot_break_a_text_line() {
    let text = logged(Form::Text, "info", || {
        tracing::info!(target: "octavo", route = "/users/me", agent = "a\u{1b}[2J b\nINFO forged", status = 200, "ready\nnow");
    });
    assert_eq!(text.lines().count(), 1);
    assert_eq!(
        text,
        "1970-01-01T00:00:00.000Z info  octavo: ready\\nnow route=/users/me agent=\"a\\u001b[2J b\\nINFO forged\" status=200\n"
    );
}

#[test]
fn lines_below_the_filter_are_not_written() {
    let text = logged(Form::Text, "warn", || {
        tracing::info!(target: "octavo", "quiet");
        tracing::warn!(target: "octavo", "loud");
        tracing::info!(target: "library", "quiet too");
    });
    assert_eq!(text, "1970-01-01T00:00:00.000Z warn  octavo: loud\n");
}
