//! The answer to one question.

use crate::{
    answer::{Answer, AnswerCode, Report},
    question::Question,
};
use serde_json::Value;

/// Checks an answer. `None` if there is none, or if something is wrong with it, which is reported.
pub(super) fn check(question: &Question, sent: Option<&Value>, report: &mut Report<'_>) -> Option<Answer> {
    let Some(sent) = sent.filter(|sent| !is_unanswered(sent)) else {
        report.expect(!question.required, AnswerCode::Required, || "This question must be answered.".to_owned());
        return None;
    };
    let Ok(rules) = &question.rules else {
        report.broken();
        return None;
    };
    let answer = rules.check(sent, report)?;
    if question.required && answer == Answer::Checkbox(false) {
        report.add(AnswerCode::Required, "This box must be ticked.");
        return None;
    }
    Some(answer)
}

/// Whether a value says that there is no answer.
fn is_unanswered(sent: &Value) -> bool {
    match sent {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}
