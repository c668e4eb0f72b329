//! The patterns in the body of a call.

use crate::{
    fault::{FormFault, PatternProblem},
    pattern::Pattern,
};
use serde_json::{Map, Value};

/// Checks the patterns in the body of a call that saves a form or a question. Each can take some milliseconds, so this is
/// for the compute pool; reading the body does not check them. Whatever is no pattern at all is left to the reading.
pub fn check_patterns(sent: &Map<String, Value>) -> Result<(), FormFault> {
    let questions = sent.get("questions").and_then(Value::as_array);
    let questions = questions.into_iter().flatten().enumerate().filter_map(|(index, question)| {
        question.as_object().and_then(|question| problem(question, &format!("questions.{index}.")))
    });
    let problems: Vec<_> = problem(sent, "").into_iter().chain(questions).collect();
    if problems.is_empty() { Ok(()) } else { Err(FormFault::Patterns(problems)) }
}

fn problem(question: &Map<String, Value>, at: &str) -> Option<PatternProblem> {
    let sent = question.get("validation")?.get("pattern")?.as_str()?;
    let fault = Pattern::read(sent).ok()?.check().err()?;
    Some(PatternProblem { field: format!("{at}validation.pattern"), fault })
}
