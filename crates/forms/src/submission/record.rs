//! The record that a submission becomes.

use crate::{
    answer::{Answer, AnswerCode, AnswerProblem},
    form::Form,
    question::Question,
};
use octavo_blocks_tree::RichText;
use octavo_core_model::{
    fault::{Issue, Violation},
    form::QuestionType,
    id::{FileId, PropertyId, QuestionId},
    text::PageTitle,
};
use octavo_databases::{
    Property, PropertyConfig, PropertyValue, Schema, Values, ValuesFault,
    record::{Found, How, ReadValues, ResolvedValues, Write, read as read_values},
    types::Form as ValueForm,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How many characters of an answer are in the title of a record that no question names.
const TITLE_PART: usize = 8;

/// A record that can be created.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    /// The title of the record and of its page.
    pub title: PageTitle,
    /// Its values, the title among them. Properties that no question fills have their defaults.
    pub values: ResolvedValues,
}

/// A record before the files are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    title: PageTitle,
    read: ReadValues,
    more: Vec<(u32, PropertyId, Option<PropertyValue>)>,
}

/// Reads the answers as values of the properties; `None` if no question has a property. Values that do not fit are reported.
pub(super) fn read(
    form: &Form,
    given: &[(&Question, Answer)],
    schema: &Schema,
    problems: &mut Vec<AnswerProblem>,
) -> Option<Draft> {
    let mapped: BTreeMap<PropertyId, QuestionId> = form
        .questions
        .list()
        .iter()
        .filter_map(|question| question.mapped(schema).map(|property| (property.id, question.id)))
        .collect();
    if mapped.is_empty() {
        return None;
    }
    let mut sent = Map::new();
    for (question, answer) in given {
        if let Some(property) = question.mapped(schema).filter(|property| !property.is_title())
            && let Some(value) = value_of(answer, property)
        {
            sent.insert(property.id.to_string(), value);
        }
    }
    // What is required in the database is not required here: the form says what must be answered.
    let how = How { write: Write::Update, form: ValueForm::Exact, allows_references: false };
    let read = match read_values(schema, sent, how) {
        Ok(read) => read,
        Err(ValuesFault::Invalid(flaws)) => {
            problems.extend(flaws.iter().map(|flaw| problem(flaw, &mapped, form)));
            return None;
        }
        // Questions fit no property that callers cannot write.
        Err(ValuesFault::Refused(_)) => ReadValues::default(),
    };
    let title = title(form, given, schema);
    let title_value = PropertyValue::RichText(RichText::plain(title.as_str()));
    let titled = schema.title().map(|property| (property.slot, property.id, Some(title_value)));
    let defaults = schema
        .properties()
        .iter()
        .filter(|property| !property.is_title() && !mapped.contains_key(&property.id))
        .filter_map(|property| property.default.clone().map(|value| (property.slot, property.id, Some(value))));
    let more = titled.into_iter().chain(defaults).collect();
    Some(Draft { title, read, more })
}

/// An answer in the form in which the API takes values of the property; `None` if it has none of the options.
fn value_of(answer: &Answer, property: &Property) -> Option<Value> {
    let option = |name: &String| property.config.options().and_then(|known| known.by_name(name)).map(|known| &known.id);
    Some(match (answer, &property.config) {
        (Answer::Text(text), PropertyConfig::Text(_) | PropertyConfig::RichText(_)) => json!({ "text": text }),
        (Answer::Text(text), _) => json!({ "value": text }),
        (Answer::Number(number), _) => json!({ "value": number.to_json() }),
        (Answer::Date(day), _) => json!({ "start": day.to_string(), "end": null }),
        (Answer::Checkbox(is_ticked), _) => json!({ "value": is_ticked }),
        (Answer::Option(name), _) => json!({ "optionId": option(name)? }),
        (Answer::Options(names), _) => json!({ "optionIds": names.iter().filter_map(option).collect::<Vec<_>>() }),
        (Answer::Files(ids), _) => json!({ "fileIds": ids }),
    })
}

/// A value that the property cannot hold.
fn problem(flaw: &Violation, mapped: &BTreeMap<PropertyId, QuestionId>, form: &Form) -> AnswerProblem {
    let property = flaw.field.strip_prefix("properties.").and_then(|id| id.parse::<PropertyId>().ok());
    let question = property.and_then(|id| mapped.get(&id)).copied();
    let kind = question.and_then(|id| form.questions.get(id)).map(Question::kind);
    let (code, message) = match (kind, flaw.issue) {
        (Some(QuestionType::File), Issue::TooLong) => (AnswerCode::MaxFiles, "There are too many files."),
        (Some(QuestionType::File), _) => (AnswerCode::FileIds, "These files cannot be attached."),
        _ => (AnswerCode::Type, "The answer does not have the form that is asked for."),
    };
    let rules = flaw.hint.as_ref().map(|hint| hint.rules.join("; ")).filter(|rules| !rules.is_empty());
    let message = rules.map_or_else(|| message.to_owned(), |rules| format!("{message} It must be {rules}."));
    AnswerProblem { question: question.unwrap_or(QuestionId::LOWEST), code, message }
}

/// The answer to the question for the title. If there is none: the name of the form and the beginning of the first text.
fn title(form: &Form, given: &[(&Question, Answer)], schema: &Schema) -> PageTitle {
    let texts = || {
        given.iter().filter_map(|(question, answer)| match (question.kind(), answer) {
            (QuestionType::ShortText | QuestionType::LongText, Answer::Text(text)) => Some((question, line(text))),
            _ => None,
        })
    };
    let is_title = |question: &Question| question.mapped(schema).is_some_and(Property::is_title);
    let answered = texts().find(|(question, _)| is_title(question)).map(|(_, text)| text);
    let title = answered.filter(|text| !text.is_empty()).unwrap_or_else(|| {
        let first = texts().map(|(_, text)| text).find(|text| !text.is_empty());
        let name = &form.name;
        first.map_or_else(|| name.to_string(), |text| format!("{name}: {}", beginning(&text, TITLE_PART)))
    });
    PageTitle::parse(&beginning(&title, PageTitle::MAX))
        .unwrap_or_else(|_| PageTitle::from_stored(form.name.to_string()))
}

/// A text as one line without outer white space, and without characters that titles cannot have.
fn line(text: &str) -> String {
    let shown = |letter: char| match letter {
        letter if letter.is_control() => Some(' '),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => None,
        letter => Some(letter),
    };
    text.chars().filter_map(shown).collect::<String>().trim().to_owned()
}

fn beginning(text: &str, length: usize) -> String {
    text.chars().take(length).collect::<String>().trim_end().to_owned()
}

impl Draft {
    /// The record, once its files are known to exist.
    pub(super) fn resolve(self, files: impl IntoIterator<Item = FileId>) -> NewRecord {
        let found = Found { files: files.into_iter().collect(), ..Found::default() };
        // Nothing else is looked up, so nothing can be missing.
        let mut values = self.read.resolve(&found, &Values::default()).unwrap_or_default();
        values.values.extend(self.more);
        NewRecord { title: self.title, values }
    }
}
