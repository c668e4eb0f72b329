//! `RATING`.

use super::number::number;
use crate::{
    answer::{Answer, AnswerCode, Report},
    bounds::ABOVE,
};
use octavo_core_model::fault::Issue;
use octavo_databases::read::{Fields, Flaw, whole};
use serde_json::{Value, json};

/// How many stars there are. The number that is set from the beginning is not above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingRules {
    max: u32,
    default: Option<u32>,
}

const LEAST_MAX: u32 = 5;
const MOST: u32 = 10;

impl RatingRules {
    /// The best rating.
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// The rating that is set from the beginning.
    pub const fn default_rating(&self) -> Option<u32> {
        self.default
    }

    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let max = fields.required("max", None, |sent| whole(sent, LEAST_MAX..=MOST));
        let default = fields.optional("default", |sent| whole(sent, 1..=MOST));
        if max.zip(default).is_some_and(|(max, default)| default > max) {
            let rule = format!("{ABOVE} max");
            fields.refuse("default", Flaw::new(Issue::MinAboveMax).ruled(&[&rule]), None);
            return None;
        }
        Some(Self { max: max?, default })
    }

    pub(super) fn write(&self) -> Vec<(&'static str, Value)> {
        vec![("max", json!(self.max)), ("default", json!(self.default))]
    }

    pub(super) fn check(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let fits = |number: f64| number.fract() == 0.0 && number >= 1.0 && number <= f64::from(self.max);
        let rating = number(sent).filter(|number| fits(number.get()));
        if rating.is_none() {
            report.add(AnswerCode::Range, format!("This must be a whole number from 1 to {}.", self.max));
        }
        rating.map(Answer::Number)
    }
}
