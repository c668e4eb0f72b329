//! A refusal as it is sent.

use crate::load::LoadLimit;
use actix_web::http::{Method, StatusCode};
use octavo_core_model::{
    fault::{Hint, Violation},
    id::RequestId,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Status, code, message and details of a refusal, and the headers that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: Cow<'static, str>,
    pub details: Vec<Value>,
    pub retry_after: Option<u64>,
    pub allow: Option<Vec<Method>>,
    /// The total number of bytes, for a range that cannot be satisfied.
    pub size: Option<u64>,
    /// An app has to identify or authenticate itself.
    pub asks_for_client: bool,
    /// The call carried no credential at all.
    pub lacks_credential: bool,
    /// The public origin, for a person who uses the service at another address.
    pub open_instead: Option<String>,
    /// The reason, for the operator's log.
    pub cause: Option<&'static str>,
    /// What was used up, if the call is refused because of load.
    pub(crate) load: Option<LoadLimit>,
}

/// The end of messages whose details follow.
const SEE_DETAILS: &str = "; see the details.";

#[derive(Serialize)]
struct Envelope<'a> {
    error: Body<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    details: &'a [Value],
    request_id: RequestId,
}

impl Problem {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        Self {
            status,
            code,
            message,
            details: Vec::new(),
            retry_after: None,
            allow: None,
            size: None,
            asks_for_client: false,
            lacks_credential: false,
            open_instead: None,
            cause: None,
            load: None,
        }
    }

    #[must_use]
    pub(super) fn detail(mut self, detail: Value) -> Self {
        self.details.push(detail);
        self
    }

    /// The error code of RFC 6749.
    fn oauth_error(&self) -> String {
        let about_grant_type = |detail: &Value| detail["field"] == "grant_type" && detail["issue"] == "invalid_value";
        match self.code {
            "VALIDATION_ERROR" if self.details.iter().any(about_grant_type) => "unsupported_grant_type".to_owned(),
            "VALIDATION_ERROR" => "invalid_request".to_owned(),
            code => code.to_ascii_lowercase(),
        }
    }

    /// The message and the parameters at fault, in the characters that RFC 6749 allows (5.2).
    fn oauth_description(&self) -> String {
        let word = |detail: &Value, name: &str| Some(detail.get(name)?.as_str()?.to_owned());
        let named = |detail: &Value| Some(format!("{}: {}", word(detail, "field")?, word(detail, "issue")?));
        let at_fault: Vec<_> = self.details.iter().filter_map(named).collect();
        let message = self.message.strip_suffix(SEE_DETAILS).unwrap_or(&self.message);
        let description =
            if at_fault.is_empty() { message.to_owned() } else { format!("{message} ({})", at_fault.join("; ")) };
        description.chars().filter(|sign| matches!(sign, ' '..='!' | '#'..='[' | ']'..='~')).collect()
    }

    /// The body in the format of RFC 6749.
    pub fn to_oauth_json(&self, request_id: RequestId) -> Vec<u8> {
        let description = self.oauth_description();
        let body = json!({ "error": self.oauth_error(), "error_description": description, "requestId": request_id });
        // Plain data with text keys, so serializing it cannot fail.
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// The body in the error envelope.
    pub fn to_json(&self, request_id: RequestId) -> Vec<u8> {
        let body = Body { code: self.code, message: &self.message, details: &self.details, request_id };
        // Plain data with text keys, so serializing it cannot fail.
        serde_json::to_vec(&Envelope { error: body }).unwrap_or_default()
    }
}

/// How a failed constraint is shown among the details.
pub(super) fn violation_detail(violation: &Violation) -> Value {
    let mut detail = json!({ "field": violation.field, "issue": violation.issue.name() });
    if let Some(received) = violation.received.as_ref().filter(|received| !contains_secret(received)) {
        detail["received"] = quoted(received);
    }
    if let Some(hint) = &violation.hint {
        add_hint(&mut detail, hint);
    }
    detail
}

/// Whether a value contains an object with a field that is named like a secret of the API. The value was sent where no
/// such object was expected, so nothing but the name shows that it is one.
fn contains_secret(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(name, value)| is_named_secret(name) || contains_secret(value)),
        Value::Array(items) => items.iter().any(contains_secret),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn is_named_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "token", "secret", "verifier"].iter().any(|word| name.contains(word)) || name.ends_with("code")
}

/// Adds what would have been right.
fn add_hint(detail: &mut Value, hint: &Hint) {
    let Hint { allowed, min, max, pattern, rules, position, offset } = hint;
    for (name, list) in [("allowed", allowed), ("rules", rules)] {
        if !list.is_empty() {
            detail[name] = json!(list);
        }
    }
    for (name, number) in [("min", min), ("max", max)] {
        if let Some(number) = number {
            detail[name] = json!(number);
        }
    }
    if let Some(pattern) = pattern {
        detail["pattern"] = json!(pattern);
    }
    if let Some(position) = position {
        detail["line"] = json!(position.line);
        detail["column"] = json!(position.column);
    }
    if let Some(offset) = offset {
        detail["position"] = json!(offset);
    }
}

/// How many characters of a received value an answer repeats.
const MAX_QUOTED: usize = 200;

/// A received value as an answer repeats it: a long one is cut, and becomes a text if it is none.
pub(super) fn quoted(received: &Value) -> Value {
    let text = match received {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        other => Cow::Owned(other.to_string()),
    };
    match text.char_indices().nth(MAX_QUOTED) {
        None => received.clone(),
        Some((end, _)) => format!("{}\u{2026}", &text[..end]).into(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_core_model::fault::{Issue, TextPosition};

    #[test]
    fn a_detail_says_what_would_have_been_right() {
        let plain = Violation::new("limit", Issue::TooSmall).with(json!(0));
        assert_eq!(violation_detail(&plain), json!({ "field": "limit", "issue": "too_small", "received": 0 }));
        let hinting = |hint| violation_detail(&Violation::new("a", Issue::InvalidValue).hinting(hint));
        let with = |mut more: Value| {
            more["field"] = json!("a");
            more["issue"] = json!("invalid_value");
            more
        };
        assert_eq!(hinting(Hint::default()), with(json!({})));
        assert_eq!(hinting(Hint::one_of(["X", "Y"])), with(json!({ "allowed": ["X", "Y"] })));
        assert_eq!(hinting(Hint::ruled_by(&["a digit"])), with(json!({ "rules": ["a digit"] })));
        let bounds = Hint { min: Some(1), max: Some(100), pattern: Some("^a$".to_owned()), ..Hint::default() };
        assert_eq!(hinting(bounds), with(json!({ "min": 1, "max": 100, "pattern": "^a$" })));
        let position = Some(TextPosition { line: 2, column: 0 });
        assert_eq!(hinting(Hint { position, ..Hint::default() }), with(json!({ "line": 2, "column": 0 })));
    }

    #[test]
    fn a_secret_inside_a_value_is_not_repeated() {
        let is_repeated = |received: Value| {
            violation_detail(&Violation::new("email", Issue::InvalidType).with(received)).get("received").is_some()
        };
        for secret in ["password", "currentPassword", "refreshToken", "client_secret", "code", "recoveryCode"] {
            assert!(!is_repeated(json!({ secret: "x" })), "{secret}");
            assert!(!is_repeated(json!([{ "a": [1, { secret: "x" }] }])), "{secret}");
        }
        assert!(is_repeated(json!({ "email": "ada@example.com" })));
        assert!(is_repeated(json!(["password"])));
    }

    #[test]
    fn an_oauth_error_names_the_parameter_at_fault() {
        let description = |details: Vec<Value>, message: &'static str| {
            let problem = Problem { details, ..Problem::new(StatusCode::BAD_REQUEST, "VALIDATION_ERROR", message) };
            let body: Value = serde_json::from_slice(&problem.to_oauth_json(RequestId::new(1, [1; 10]))).unwrap();
            body["error_description"].as_str().unwrap().to_owned()
        };
        let missing = json!({ "field": "code", "issue": "required" });
        let unknown = json!({ "field": "\u{e9}\"\\x", "issue": "unknown_field" });
        assert_eq!(
            description(vec![missing, unknown], "Some values are not valid; see the details."),
            "Some values are not valid (code: required; x: unknown_field)"
        );
        assert_eq!(description(vec![json!({ "reason": "x" })], "Try again."), "Try again.");
    }

    #[test]
    fn a_long_value_is_repeated_up_to_200_characters() {
        let accents = |count: usize| "\u{e9}".repeat(count);
        for short in [json!(accents(200)), json!(7), json!(null), json!({ "a": ["b"] }), json!(["x".repeat(196)])] {
            assert_eq!(quoted(&short), short);
        }
        assert_eq!(quoted(&json!(accents(201))), json!(format!("{}\u{2026}", accents(200))));
        let list = quoted(&json!(["x".repeat(900_000)]));
        assert_eq!(list, json!(format!("[\"{}\u{2026}", "x".repeat(198))));
    }
}
