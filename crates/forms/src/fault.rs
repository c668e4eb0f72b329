//! Why a change of a form is refused.

use crate::pattern::PatternFault;
use octavo_core_model::{fault::Violation, name::named};
use octavo_databases::PropertyType;

/// Why a form or a question cannot be saved.
#[derive(Clone, Debug, PartialEq)]
pub enum FormFault {
    /// What was sent breaks constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// The settings in `config` break constraints; there is at least one violation.
    Config(Vec<Violation>),
    /// The form has no such question.
    UnknownQuestion,
    /// The form has as many questions as it may have.
    TooManyQuestions,
    /// Patterns that cannot be used; there is at least one.
    Patterns(Vec<PatternProblem>),
    /// Questions whose answers cannot go to the properties that they name; there is at least one.
    Mapping(Vec<MappingProblem>),
    /// A property would get more options than it may have.
    TooManyOptions,
    /// A published form has at least one question.
    NoQuestions,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternProblem {
    /// The field with the pattern, for example `questions.0.validation.pattern`.
    pub field: String,
    /// Why it cannot be used.
    pub fault: PatternFault,
}

/// A question whose answers cannot go to the property that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingProblem {
    /// The field that names the property, for example `questions.0.propertyId`.
    pub field: String,
    /// What is wrong.
    pub issue: MappingIssue,
    /// The types that the property may have; empty if its type is not at fault.
    pub allowed: &'static [PropertyType],
}

named! {
    /// Why answers cannot go to a property.
    MappingIssue {
        /// The database of the form has no such property.
        UnknownProperty = "unknown_property",
        /// The type of the property does not fit the type of the question.
        TypeMismatch = "property_type_mismatch",
        /// Another question has the property.
        AlreadyMapped = "property_already_mapped",
    }
}
