//! Answers.

use crate::Tenant;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// The answer with the addresses that the test wrote.
    pub(crate) fn with_addresses_of(self, tenant: Tenant) -> Self {
        let headers = self.headers.into_iter().map(|(name, value)| (name, tenant.text_to_test(value)));
        Self { status: self.status, headers: headers.collect(), body: tenant.to_test(self.body) }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(present, _)| present.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Every value of a header that may be repeated.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fitting = self.headers.iter().filter(move |(present, _)| present.eq_ignore_ascii_case(name));
        fitting.map(|(_, value)| value.as_str())
    }

    /// A header, which must be present.
    #[track_caller]
    pub fn named(&self, name: &str) -> &str {
        self.header(name).unwrap_or_else(|| panic!("no {name} in {self:#?}"))
    }

    /// A header, which must be present and contain a whole number.
    #[track_caller]
    pub fn number(&self, name: &str) -> u64 {
        let text = self.named(name);
        text.parse().unwrap_or_else(|_| panic!("{name} is {text}"))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|fault| panic!("{fault}: {} {}", self.status, self.text()))
    }

    /// Checks the status and returns the answer.
    #[track_caller]
    pub fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// Checks the status and returns the body.
    #[track_caller]
    pub fn body_of(&self, status: u16) -> Value {
        self.is(status).json()
    }

    /// Checks the status and returns the `data`.
    #[track_caller]
    pub fn data(&self, status: u16) -> Value {
        let body = self.body_of(status);
        assert!(body.get("data").is_some(), "no data in {body}");
        body["data"].clone()
    }

    /// Checks that two answers are equal, except for their time and request id.
    #[track_caller]
    pub fn is_like(&self, other: &Self) {
        let body = |answer: &Self| answer.text().replace(answer.named("X-Request-Id"), "<request>");
        assert_eq!((self.status, body(self)), (other.status, body(other)));
        assert_eq!(self.lasting_headers(), other.lasting_headers());
    }

    /// The headers by name, with the values of those that do not change between calls.
    fn lasting_headers(&self) -> Vec<(String, &str)> {
        let passing = |name: &str| name == "date" || name == "x-request-id" || name.contains("ratelimit");
        let lower = self.headers.iter().map(|(name, value)| (name.to_lowercase(), value.as_str()));
        let mut lasting: Vec<_> =
            lower.map(|(name, value)| if passing(&name) { (name, "") } else { (name, value) }).collect();
        lasting.sort_unstable();
        lasting
    }

    /// Checks status and code and returns the error.
    #[track_caller]
    pub fn refuses(&self, status: u16, code: &str) -> Refusal {
        let error = self.body_of(status)["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        Refusal { error }
    }
}

/// The error of an answer.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub error: Value,
}

impl Refusal {
    pub fn details(&self) -> &[Value] {
        self.error["details"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The first entry of the details.
    #[track_caller]
    pub fn detail(&self) -> &Value {
        self.details().first().unwrap_or_else(|| panic!("no details in {}", self.error))
    }

    /// Checks that the first entry has this reason.
    #[track_caller]
    pub fn because(&self, reason: &str) -> &Self {
        assert_eq!(self.detail()["reason"], reason, "{}", self.error);
        self
    }

    /// Checks that the first entry has this issue.
    #[track_caller]
    pub fn issue(&self, issue: &str) -> &Self {
        assert_eq!(self.detail()["issue"], issue, "{}", self.error);
        self
    }

    /// Checks that an entry names this field.
    #[track_caller]
    pub fn names(&self, field: &str) -> &Value {
        let found = self.details().iter().find(|entry| entry["field"] == field);
        found.unwrap_or_else(|| panic!("{field} is not named in {}", self.error))
    }

    /// Checks that an entry names this field and this issue.
    #[track_caller]
    pub fn of(&self, field: &str, issue: &str) -> &Self {
        assert_eq!(self.names(field)["issue"], issue, "{}", self.error);
        self
    }

    pub fn message(&self) -> &str {
        self.error["message"].as_str().unwrap_or_default()
    }
}
