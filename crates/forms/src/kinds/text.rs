//! `SHORT_TEXT` and `LONG_TEXT`.

use crate::{
    answer::{Answer, AnswerCode, Report},
    bounds::Bounds,
    pattern::{Pattern, TooSlow},
};
use octavo_databases::read::{Fields, Flaw, line, whole};
use serde_json::{Value, json};

/// Which texts are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRules {
    /// How many characters a text has.
    pub length: Bounds<u32>,
    /// What it has to match.
    pub pattern: Option<Pattern>,
}

const MOST_AT_LEAST: u32 = 10_000;
const MOST: u32 = 100_000;

impl TextRules {
    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let length = Bounds::read(fields, ("minLength", "maxLength"), |sent, is_max| {
            whole(sent, if is_max { 1..=MOST } else { 0..=MOST_AT_LEAST })
        });
        let pattern = fields.optional("pattern", pattern);
        Some(Self { length: length?, pattern })
    }

    pub(super) fn write(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("minLength", json!(self.length.min())),
            ("maxLength", json!(self.length.max())),
            ("pattern", json!(self.pattern.as_ref().map(Pattern::as_str))),
        ]
    }

    pub(super) fn check(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let Some(text) = sent.as_str().filter(|text| !text.contains('\0')) else {
            report.add(AnswerCode::Type, "This must be a text.");
            return None;
        };
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        if let Some(min) = self.length.min() {
            report.expect(length >= min, AnswerCode::MinLength, || format!("Write at least {min} characters."));
        }
        if let Some(max) = self.length.max() {
            report.expect(length <= max, AnswerCode::MaxLength, || format!("Write at most {max} characters."));
        }
        if let Some(pattern) = &self.pattern {
            check_pattern(pattern, text, report);
        }
        Some(Answer::Text(text.to_owned()))
    }
}

fn pattern(sent: &Value) -> Result<Pattern, Flaw> {
    line(sent, Pattern::read, Pattern::MAX)
}

fn check_pattern(pattern: &Pattern, text: &str, report: &mut Report<'_>) {
    let Ok(matcher) = pattern.compile() else { return report.broken() };
    match matcher.is_match(text) {
        Ok(true) => {}
        Ok(false) => report.add(AnswerCode::Pattern, "The text does not have the form that is asked for."),
        Err(TooSlow) => report.add(AnswerCode::Pattern, "The text is too long to be checked. Shorten it."),
    }
}
