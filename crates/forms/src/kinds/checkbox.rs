//! `CHECKBOX`.

use crate::answer::{Answer, AnswerCode, Report};
use serde_json::Value;

pub(super) fn check(sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
    if sent.as_bool().is_none() {
        report.add(AnswerCode::Boolean, "This must be true or false.");
    }
    sent.as_bool().map(Answer::Checkbox)
}
