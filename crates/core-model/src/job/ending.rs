//! How jobs end, and what they make.

use super::StoredBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It did what it was asked to do.
    Succeeded(Product),
    /// It could not.
    Failed(Failure),
    /// Somebody cancelled it.
    Cancelled,
}

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// The result as its readers see it: a JSON object.
    pub facts: Value,
    /// The bytes that it made, if it made any.
    pub content: Option<StoredBytes>,
}

/// Why a job failed, as its readers see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong, as a code for programs.
    pub code: String,
    /// What went wrong, as a sentence for people.
    pub message: String,
    /// More about it, as the errors of the API give it.
    pub details: Vec<Value>,
}

impl Failure {
    pub(super) fn interrupted() -> Self {
        Self {
            code: "INTERNAL_ERROR".to_owned(),
            message: "The job broke off too often.".to_owned(),
            details: vec![json!({ "reason": "interrupted" })],
        }
    }
}
