//! Rules for every answer. They are checked for each request of each test.

use crate::{Answer, shape};

/// The codes of the error table, with the status of each.
const CODES: [(&str, u16); 27] = [
    ("VALIDATION_ERROR", 400),
    ("INVALID_GRANT", 400),
    ("INVALID_CLIENT", 400),
    ("INVALID_SCOPE", 400),
    ("UNAUTHORIZED", 401),
    ("REFRESH_TOKEN_REUSED", 401),
    ("AI_BUDGET_EXCEEDED", 402),
    ("FORBIDDEN", 403),
    ("NOT_FOUND", 404),
    ("METHOD_NOT_ALLOWED", 405),
    ("CONFLICT", 409),
    ("GONE", 410),
    ("PRECONDITION_FAILED", 412),
    ("PAYLOAD_TOO_LARGE", 413),
    ("URI_TOO_LONG", 414),
    ("UNSUPPORTED_MEDIA_TYPE", 415),
    ("RANGE_NOT_SATISFIABLE", 416),
    ("UNPROCESSABLE_ENTITY", 422),
    ("FORMULA_TIMEOUT", 422),
    ("CONFIRM_REQUIRED", 422),
    ("RATE_LIMITED", 429),
    ("WEBHOOK_RATE_LIMITED", 429),
    ("HEADERS_TOO_LARGE", 431),
    ("INTERNAL_ERROR", 500),
    ("NOT_IMPLEMENTED", 501),
    ("SERVICE_UNAVAILABLE", 503),
    ("PATTERN_TOO_COMPLEX", 422),
];

#[track_caller]
pub(crate) fn check(method: &str, target: &str, answer: &Answer) {
    let call = format!("{method} {}: {} {}", &target[..target.len().min(200)], answer.status, answer.text());
    let request_id = answer.named("X-Request-Id");
    assert!(shape::is_id(request_id, "req_"), "request id {request_id} of {call}");
    assert_eq!(answer.all("X-Request-Id").count(), 1, "one request id: {call}");
    for name in ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
        answer.number(name);
        assert_eq!(answer.all(name).count(), 1, "one {name}: {call}");
    }
    for (name, value) in [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", if is_screen(method, target) { "same-origin" } else { "no-referrer" }),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name} of {call}");
    }
    assert!(answer.header("Server").is_none_or(|name| !name.contains(|c: char| c.is_ascii_digit())), "{call}");
    assert_ne!(answer.status, 500, "{call}");
    if answer.status >= 400 && method != "HEAD" {
        if is_screen(method, target) {
            error_page(answer, &call);
        } else {
            envelope(answer, target, &call);
        }
    }
}

/// The pages to which mails and the sign-in page link.
const MAILED_PAGES: [&str; 8] = [
    "/verify-email",
    "/verify-email/reject",
    "/forgot-password",
    "/reset-password",
    "/confirm-email-change",
    "/revert-email-change",
    "/restore-account",
    "/open",
];

/// Whether the path is that of a page for browsers.
fn is_screen(method: &str, target: &str) -> bool {
    let path = target.split('?').next().unwrap_or_default();
    if path.starts_with("/share/") || path.starts_with("/docs/guides") || MAILED_PAGES.contains(&path) {
        return true;
    }
    if is_account_page(path) {
        return true;
    }
    let path = path.strip_prefix("/api/v1/oauth/").unwrap_or_default();
    ["login", "consent", "logout"].contains(&path) || (path == "authorize" && ["GET", "HEAD"].contains(&method))
}

fn is_account_page(path: &str) -> bool {
    const PATHS: [&str; 6] =
        ["/", "/sign-up", "/accept-invitation", "/accept-invitation/decline", "/account/apps", "/account/sessions"];
    let thing = path.strip_prefix("/account/apps/").or_else(|| path.strip_prefix("/account/sessions/"));
    PATHS.contains(&path) || thing.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

fn error_page(answer: &Answer, call: &str) {
    assert!(answer.named("Content-Type").starts_with("text/html"), "{call}");
    let is_named = answer.text().contains(answer.named("X-Request-Id"));
    assert!(is_named || answer.text().contains("role=\"alert\""), "neither the request nor a reason: {call}");
    match answer.status {
        401 => assert!(answer.named("WWW-Authenticate").starts_with("Bearer "), "{call}"),
        405 => assert!(!answer.named("Allow").is_empty(), "{call}"),
        429 => assert!(answer.number("Retry-After") >= 1, "{call}"),
        _ => {}
    }
}

/// Checks the errors of RFC 6749 in answers to forms.
fn form_error(answer: &Answer, body: &serde_json::Value, call: &str) {
    let error = body["error"].as_str().unwrap_or_default();
    assert!(error.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{call}");
    assert!(body["error_description"].as_str().is_some_and(|text| !text.is_empty()), "{call}");
    assert_eq!(body["requestId"], answer.named("X-Request-Id"), "{call}");
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(3), "{call}");
}

fn envelope(answer: &Answer, target: &str, call: &str) {
    assert!(answer.named("Content-Type").starts_with("application/json"), "{call}");
    let body = answer.json();
    let error = &body["error"];
    if error.is_string() && target.contains("/oauth/") {
        return form_error(answer, &body, call);
    }
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(1), "only `error`: {call}");
    let code = error["code"].as_str().unwrap_or_default();
    assert!(CODES.contains(&(code, answer.status)), "code and status: {call}");
    assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "message: {call}");
    assert_eq!(error["requestId"], answer.named("X-Request-Id"), "{call}");
    if let Some(details) = error.get("details") {
        let entries = details.as_array().unwrap_or_else(|| panic!("details are an array: {call}"));
        assert!(entries.iter().all(serde_json::Value::is_object), "{call}");
    }
    let unknown = error
        .as_object()
        .unwrap()
        .keys()
        .find(|key| !["code", "message", "details", "requestId"].contains(&key.as_str()));
    assert_eq!(unknown, None, "{call}");
    if answer.status == 401 {
        let challenge = answer.named("WWW-Authenticate");
        let reason = error["details"][0]["reason"].as_str().unwrap_or_default();
        let was_sent = !["token_missing", "share_password_required"].contains(&reason);
        let error = if was_sent { "error=\"invalid_token\", " } else { "" };
        let start = format!("Bearer realm=\"octavo\", {error}resource_metadata=");
        assert!(challenge.starts_with(&start), "{challenge}: {call}");
    }
    if answer.status == 429 {
        let wait = answer.number("Retry-After");
        assert!(wait >= 1, "{call}");
        assert_eq!(error["details"][0]["retryAfterSeconds"], wait, "{call}");
    }
    if answer.status == 405 {
        assert!(!answer.named("Allow").is_empty(), "{call}");
    }
}
