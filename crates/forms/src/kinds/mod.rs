//! The types of questions. Each has a file with everything that is special about it: the keys of `validation`, which of them
//! everybody sees, and which answers are accepted.

mod checkbox;
mod choices;
mod date;
mod email;
mod file;
mod number;
mod rating;
mod text;

pub use choices::Choices;
pub use date::DateRules;
pub use file::FileRules;
pub use number::NumberRules;
pub use rating::RatingRules;
pub use text::TextRules;

use crate::answer::{Answer, Report};
use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    form::QuestionType,
};
use octavo_databases::read::{Fields, Origin};
use serde_json::{Map, Value};

/// The type of a question, and which answers are accepted.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// `SHORT_TEXT`
    ShortText(TextRules),
    /// `LONG_TEXT`
    LongText(TextRules),
    /// `NUMBER`
    Number(NumberRules),
    /// `EMAIL`
    Email,
    /// `DATE`
    Date(DateRules),
    /// `CHECKBOX`
    Checkbox,
    /// `SINGLE_SELECT`
    SingleSelect(Choices),
    /// `MULTI_SELECT`
    MultiSelect(Choices),
    /// `RATING`
    Rating(RatingRules),
    /// `FILE`
    File(FileRules),
}

/// The keys that `validation` of a question of this type can have.
pub const fn validation_keys(kind: QuestionType) -> &'static [&'static str] {
    match kind {
        QuestionType::ShortText | QuestionType::LongText => &["minLength", "maxLength", "pattern"],
        QuestionType::Number => &["min", "max", "integer"],
        QuestionType::Email | QuestionType::Checkbox => &[],
        QuestionType::Date => &["minDate", "maxDate"],
        QuestionType::SingleSelect | QuestionType::MultiSelect => &["options"],
        QuestionType::Rating => &["max", "default"],
        QuestionType::File => &["maxFiles", "maxBytes"],
    }
}

/// The keys that everybody sees. Above all, patterns are not among them.
const PUBLIC_KEYS: [&str; 6] = ["minLength", "maxLength", "min", "max", "maxFiles", "options"];

impl Rules {
    /// The type.
    pub const fn kind(&self) -> QuestionType {
        match self {
            Self::ShortText(_) => QuestionType::ShortText,
            Self::LongText(_) => QuestionType::LongText,
            Self::Number(_) => QuestionType::Number,
            Self::Email => QuestionType::Email,
            Self::Date(_) => QuestionType::Date,
            Self::Checkbox => QuestionType::Checkbox,
            Self::SingleSelect(_) => QuestionType::SingleSelect,
            Self::MultiSelect(_) => QuestionType::MultiSelect,
            Self::Rating(_) => QuestionType::Rating,
            Self::File(_) => QuestionType::File,
        }
    }

    /// Reads `validation`, which was sent in this field of an object. Patterns are not compiled.
    pub(crate) fn read(
        kind: QuestionType,
        name: &str,
        sent: Map<String, Value>,
        fields: &mut Fields<'_>,
    ) -> Option<Self> {
        let keys = validation_keys(kind);
        let unknown: Vec<_> = sent.keys().filter(|key| !keys.contains(&key.as_str())).cloned().collect();
        fields.within(name, sent, |fields| {
            let flaws = unknown.iter().map(|key| {
                let field = fields.path(&key.chars().take(100).collect::<String>());
                Violation::new(field, Issue::UnknownField).hinting(Hint::one_of(keys))
            });
            let flaws: Vec<_> = flaws.collect();
            let is_strict = flaws.is_empty();
            fields.report(flaws);
            let rules = match kind {
                QuestionType::ShortText => TextRules::read(fields).map(Self::ShortText),
                QuestionType::LongText => TextRules::read(fields).map(Self::LongText),
                QuestionType::Number => NumberRules::read(fields).map(Self::Number),
                QuestionType::Email => Some(Self::Email),
                QuestionType::Date => DateRules::read(fields).map(Self::Date),
                QuestionType::Checkbox => Some(Self::Checkbox),
                QuestionType::SingleSelect => Choices::read(fields).map(Self::SingleSelect),
                QuestionType::MultiSelect => Choices::read(fields).map(Self::MultiSelect),
                QuestionType::Rating => RatingRules::read(fields).map(Self::Rating),
                QuestionType::File => Some(Self::File(FileRules::read(fields))),
            };
            rules.filter(|_| is_strict)
        })
    }

    /// Rules from the store; `None` if they are none of this type.
    pub fn from_stored(kind: QuestionType, stored: &Value) -> Option<Self> {
        let mut flaws = Vec::new();
        let sent = stored.as_object()?.clone();
        let rules = Self::read(kind, "validation", sent, &mut Fields::new(Map::new(), "", Origin::Store, &mut flaws));
        rules.filter(|_| flaws.is_empty())
    }

    /// The rules as they are stored, and shown to those who may view the database.
    pub fn to_json(&self) -> Value {
        let shown = match self {
            Self::ShortText(rules) | Self::LongText(rules) => rules.write(),
            Self::Number(rules) => rules.write(),
            Self::Email | Self::Checkbox => Vec::new(),
            Self::Date(rules) => rules.write(),
            Self::SingleSelect(choices) | Self::MultiSelect(choices) => choices.write(),
            Self::Rating(rules) => rules.write(),
            Self::File(rules) => rules.write(),
        };
        let set = shown.into_iter().filter(|(_, value)| !value.is_null());
        Value::Object(set.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The part of the rules that everybody sees.
    pub(crate) fn to_public_json(&self) -> Value {
        let mut shown = self.to_json();
        if let Some(keys) = shown.as_object_mut() {
            keys.retain(|key, _| PUBLIC_KEYS.contains(&key.as_str()));
        }
        shown
    }

    /// Checks an answer, which is neither null nor empty.
    pub(crate) fn check(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        match self {
            Self::ShortText(rules) | Self::LongText(rules) => rules.check(sent, report),
            Self::Number(rules) => rules.check(sent, report),
            Self::Email => email::check(sent, report),
            Self::Date(rules) => rules.check(sent, report),
            Self::Checkbox => checkbox::check(sent, report),
            Self::SingleSelect(choices) => choices.check_one(sent, report),
            Self::MultiSelect(choices) => choices.check_several(sent, report),
            Self::Rating(rules) => rules.check(sent, report),
            Self::File(rules) => rules.check(sent, report),
        }
    }
}
