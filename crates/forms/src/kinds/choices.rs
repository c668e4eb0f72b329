//! `SINGLE_SELECT` and `MULTI_SELECT`.

use crate::answer::{Answer, AnswerCode, Report};
use octavo_core_model::{
    fault::Issue,
    text::{OptionName, TextFlaw},
};
use octavo_databases::{
    read::{Fields, Flaw, line},
    text::folded_line,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The options of a question: at least one, and no two with the same name, whatever the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices(Vec<String>);

/// The largest number of options, and the longest one.
const MAX: usize = 50;
const MAX_CHARS: usize = 50;

impl Choices {
    /// The options in their order.
    pub fn options(&self) -> &[String] {
        &self.0
    }

    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let list = match fields.take("options") {
            Some(Value::Array(list)) => list,
            Some(other) => {
                fields.refuse("options", Flaw::of_shape("a list of texts"), Some(other));
                return None;
            }
            None => {
                fields.refuse("options", Flaw::new(Issue::Required), None);
                return None;
            }
        };
        if list.is_empty() {
            fields.refuse("options", Flaw::new(Issue::TooShort).ruled(&["at least one option"]), None);
            return None;
        }
        if list.len() > MAX {
            fields.refuse("options", Flaw::too_long(MAX), None);
            return None;
        }
        let (mut options, mut taken, count) = (Vec::with_capacity(list.len()), BTreeSet::new(), list.len());
        for (index, sent) in list.into_iter().enumerate() {
            match line(&sent, option, MAX_CHARS) {
                Ok(name) if taken.insert(folded_line(&name)) => options.push(name),
                Ok(_) => {
                    let rule = "no two options with the same name, whatever the case";
                    fields.refuse("options", Flaw::new(Issue::DuplicateOption).ruled(&[rule]), Some(sent));
                }
                Err(flaw) => fields.refuse(&format!("options.{index}"), flaw, Some(sent)),
            }
        }
        (options.len() == count).then_some(Self(options))
    }

    pub(super) fn write(&self) -> Vec<(&'static str, Value)> {
        vec![("options", json!(self.0))]
    }

    pub(super) fn check_one(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let option = sent.as_str().filter(|name| self.has(name));
        if option.is_none() {
            report.add(AnswerCode::Option, "Choose one of the options.");
        }
        option.map(|option| Answer::Option(option.to_owned()))
    }

    pub(super) fn check_several(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let named = sent.as_array().and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let Some(named) = named else {
            report.add(AnswerCode::Option, "This must be a list of options.");
            return None;
        };
        let are_known = named.iter().all(|name| self.has(name));
        report.expect(are_known, AnswerCode::Option, || "Choose among the options.".to_owned());
        let distinct: BTreeSet<_> = named.iter().collect();
        let is_distinct = distinct.len() == named.len();
        report.expect(is_distinct, AnswerCode::Duplicate, || "Choose each option only once.".to_owned());
        (are_known && is_distinct).then(|| Answer::Options(named.into_iter().map(str::to_owned).collect()))
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|option| option == name)
    }
}

/// The name of an option; outer white space is trimmed.
fn option(text: &str) -> Result<String, TextFlaw> {
    let name = OptionName::parse(text)?;
    if name.as_str().chars().nth(MAX_CHARS).is_some() { Err(TextFlaw::TooLong) } else { Ok(name.to_string()) }
}
