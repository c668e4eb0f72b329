//! Which properties get the answers of which questions.

use crate::{
    fault::{FormFault, MappingIssue, MappingProblem},
    kinds::Rules,
    question::Question,
};
use octavo_core_model::{form::QuestionType, text::OptionName};
use octavo_databases::{Property, PropertyType, Schema, options::Options, record::NewOptions};
use std::collections::BTreeSet;

/// The types of properties that can get the answers of a question of this type.
pub const fn property_types(kind: QuestionType) -> &'static [PropertyType] {
    use PropertyType as P;
    match kind {
        QuestionType::ShortText => &[P::Title, P::Text, P::RichText, P::Email, P::Phone, P::Url],
        QuestionType::LongText => &[P::RichText, P::Text],
        QuestionType::Number | QuestionType::Rating => &[P::Number],
        QuestionType::Email => &[P::Email],
        QuestionType::Date => &[P::Date],
        QuestionType::Checkbox => &[P::Checkbox],
        QuestionType::SingleSelect => &[P::Select, P::Status],
        QuestionType::MultiSelect => &[P::MultiSelect],
        QuestionType::File => &[P::Files],
    }
}

impl Question {
    /// The property that gets the answers. There is none either if the property that the question names was deleted, or got
    /// a type that does not fit any more.
    pub fn mapped<'a>(&self, schema: &'a Schema) -> Option<&'a Property> {
        let property = schema.property(self.property?)?;
        property_types(self.kind()).contains(&property.kind()).then_some(property)
    }

    /// The options that have to be added to the property, so that each option of the question has one there.
    pub fn missing_options(&self, schema: &Schema) -> Result<Option<NewOptions>, FormFault> {
        let (Some(property), Ok(Rules::SingleSelect(choices) | Rules::MultiSelect(choices))) =
            (self.mapped(schema), &self.rules)
        else {
            return Ok(None);
        };
        let mut known = property.config.options().cloned().unwrap_or_else(Options::default);
        let mut options = Vec::new();
        for name in choices.options() {
            if known.by_name(name).is_none() {
                let added = known.append(OptionName::from_stored(name.clone()));
                options.push(added.ok_or(FormFault::TooManyOptions)?.clone());
            }
        }
        Ok((!options.is_empty()).then_some(NewOptions { property: property.id, options }))
    }
}

/// A question whose property has to be checked, because it was sent or because the question got another type.
pub(crate) struct Touched {
    /// The index of the question.
    pub(crate) index: usize,
    /// The path of the field with the property.
    pub(crate) field: String,
    /// Whether what was sent is no id, so no property can have it.
    pub(crate) is_malformed: bool,
}

/// Checks the properties of questions.
pub(crate) fn check(questions: &[Question], touched: Vec<Touched>, schema: &Schema) -> Result<(), FormFault> {
    let indexes: BTreeSet<usize> = touched.iter().map(|touched| touched.index).collect();
    // Of two questions that are sent together, the second one is at fault.
    let is_taken = |index: usize, property: &Property| {
        let mut others = questions
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index && (*other < index || !indexes.contains(other)));
        others.any(|(_, other)| other.mapped(schema).is_some_and(|held| held.id == property.id))
    };
    let problem = |touched: Touched| {
        let Touched { index, field, is_malformed } = touched;
        let question = questions.get(index)?;
        let (issue, allowed): (_, &[_]) = match (question.property, question.mapped(schema)) {
            _ if is_malformed => (MappingIssue::UnknownProperty, &[]),
            (Some(_), Some(property)) if is_taken(index, property) => (MappingIssue::AlreadyMapped, &[]),
            (None, _) | (Some(_), Some(_)) => return None,
            (Some(id), None) if schema.property(id).is_none() => (MappingIssue::UnknownProperty, &[]),
            (Some(_), None) => (MappingIssue::TypeMismatch, property_types(question.kind())),
        };
        Some(MappingProblem { field, issue, allowed })
    };
    let problems: Vec<_> = touched.into_iter().filter_map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(FormFault::Mapping(problems)) }
}
