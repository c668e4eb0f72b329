//! The body of a submission.

use octavo_core_model::fault::{Issue, Violation};
use octavo_databases::read::Flaw;
use serde_json::{Map, Value};

/// Fields that people do not see, so only programs fill them in.
const HONEYPOTS: [&str; 2] = ["website", "hp"];

/// Whether a program has filled in the body: a hidden field is neither missing nor null nor an empty text.
pub fn is_from_robot(body: &Map<String, Value>) -> bool {
    let is_empty = |value: &Value| value.is_null() || value.as_str().is_some_and(str::is_empty);
    HONEYPOTS.iter().any(|name| body.get(*name).is_some_and(|value| !is_empty(value)))
}

/// Answers by the ids of questions, unchecked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers(Map<String, Value>);

impl Answers {
    /// Takes the answers out of a body.
    pub fn read(mut body: Map<String, Value>) -> Result<Self, Violation> {
        match body.remove("answers") {
            Some(Value::Object(answers)) => Ok(Self(answers)),
            None => Err(Violation::new("answers", Issue::Required)),
            Some(other) => {
                Err(Flaw::of_shape("an object with the ids of questions as keys").at("answers", Some(other)))
            }
        }
    }

    pub(super) fn into_map(self) -> Map<String, Value> {
        self.0
    }
}
