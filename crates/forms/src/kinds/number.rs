//! `NUMBER`.

use crate::{
    answer::{Answer, AnswerCode, Report},
    bounds::Bounds,
};
use octavo_core_model::fault::Issue;
use octavo_databases::{
    read::{Fields, Flaw, boolean},
    value::Number,
};
use serde_json::{Value, json};

/// Which numbers are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberRules {
    /// What the number is between.
    pub range: Bounds<Number>,
    /// Whether it must be whole; `None` if that was not set.
    pub integer: Option<bool>,
}

impl NumberRules {
    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let range = Bounds::read(fields, ("min", "max"), |sent, _| {
            number(sent).ok_or(Flaw::new(Issue::InvalidType).ruled(&["a number"]))
        });
        let integer = fields.optional("integer", boolean);
        Some(Self { range: range?, integer })
    }

    pub(super) fn write(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("min", json!(self.range.min().map(Number::to_json))),
            ("max", json!(self.range.max().map(Number::to_json))),
            ("integer", json!(self.integer)),
        ]
    }

    pub(super) fn check(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let Some(number) = number(sent) else {
            report.add(AnswerCode::Number, "This must be a number.");
            return None;
        };
        if self.integer == Some(true) {
            let is_whole = number.get().fract() == 0.0;
            report.expect(is_whole, AnswerCode::Integer, || "This must be a whole number.".to_owned());
        }
        if let Some(min) = self.range.min() {
            report.expect(number >= min, AnswerCode::Min, || format!("The number must be at least {min}."));
        }
        if let Some(max) = self.range.max() {
            report.expect(number <= max, AnswerCode::Max, || format!("The number must be at most {max}."));
        }
        Some(Answer::Number(number))
    }
}

/// A finite number.
pub(super) fn number(sent: &Value) -> Option<Number> {
    sent.as_f64().and_then(Number::new)
}
