//! What is wrong with a value, before it is known where the value was sent.

use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    text::TextFlaw,
};
use serde_json::Value;

/// A flaw of a value. Boxed parts keep results small.
#[derive(Clone, Debug, PartialEq)]
pub struct Flaw {
    /// How the value breaks its constraint.
    pub issue: Issue,
    /// What would have been right.
    pub hint: Option<Box<Hint>>,
    /// The part of the value that is flawed, if it is not all of it.
    pub received: Option<Box<Value>>,
}

impl Flaw {
    /// A flaw without a hint.
    pub const fn new(issue: Issue) -> Self {
        Self { issue, hint: None, received: None }
    }

    /// The same with what would have been right.
    #[must_use]
    pub fn hinting(mut self, hint: Hint) -> Self {
        self.hint = (!hint.is_empty()).then(|| Box::new(hint));
        self
    }

    /// The same with the rules in words.
    #[must_use]
    pub fn ruled(self, rules: &[&str]) -> Self {
        self.hinting(Hint::ruled_by(rules))
    }

    /// The same with the part of the value that is flawed.
    #[must_use]
    pub fn with(mut self, received: Value) -> Self {
        self.received = Some(Box::new(received));
        self
    }

    /// A value of another form than this one.
    pub fn of_shape(shape: &str) -> Self {
        Self::new(Issue::InvalidType).ruled(&[shape])
    }

    /// A text or list with more than this many parts.
    pub fn too_long(max: usize) -> Self {
        Self::new(Issue::TooLong).hinting(Hint { max: i64::try_from(max).ok(), ..Hint::default() })
    }

    /// A text that does not match a pattern.
    pub fn of_pattern(issue: Issue, pattern: impl Into<String>) -> Self {
        Self::new(issue).hinting(Hint { pattern: Some(pattern.into()), ..Hint::default() })
    }

    /// A text that breaks a rule; it may have up to `max` characters.
    pub fn of_text(flaw: TextFlaw, max: usize) -> Self {
        match flaw {
            TextFlaw::Empty | TextFlaw::TooShort => Self::new(Issue::TooShort).hinting(between(1, max)),
            TextFlaw::TooLong => Self::new(Issue::TooLong).hinting(between(1, max)),
            TextFlaw::Format => Self::new(Issue::InvalidFormat),
        }
    }

    /// The violation of a field; `sent` is its whole value.
    pub fn at(self, field: impl Into<String>, sent: Option<Value>) -> Violation {
        let received = self.received.map(|part| *part).or(sent).filter(is_short);
        Violation { field: field.into(), issue: self.issue, received, hint: self.hint }
    }
}

/// Values are repeated in refusals only if a person would read them.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= 1000,
        Value::Array(list) => list.len() <= 20 && list.iter().all(is_short),
        Value::Object(object) => object.len() <= 20 && object.values().all(is_short),
        _ => true,
    }
}

fn between(min: i64, max: usize) -> Hint {
    Hint { min: Some(min), max: i64::try_from(max).ok(), ..Hint::default() }
}

/// A violation that was reported by another reader, whose path is dropped.
impl From<Violation> for Flaw {
    fn from(violation: Violation) -> Self {
        Self { issue: violation.issue, hint: violation.hint, received: violation.received.map(Box::new) }
    }
}
