//! An answer to a question, and what can be wrong with it.

use octavo_core_model::{
    id::{FileId, QuestionId},
    name::named,
};
use octavo_databases::value::{Day, Number};

/// An answer that a question accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// To `SHORT_TEXT`, `LONG_TEXT` and `EMAIL`.
    Text(String),
    /// To `NUMBER` and `RATING`.
    Number(Number),
    /// To `DATE`.
    Date(Day),
    /// To `CHECKBOX`.
    Checkbox(bool),
    /// To `SINGLE_SELECT`.
    Option(String),
    /// To `MULTI_SELECT`.
    Options(Vec<String>),
    /// To `FILE`.
    Files(Vec<FileId>),
}

named! {
    /// What is wrong with an answer.
    AnswerCode {
        /// There is none, and there must be one.
        Required = "required",
        /// It is no text, or not one that its property can hold.
        Type = "type",
        /// The text is too short.
        MinLength = "min_length",
        /// The text is too long.
        MaxLength = "max_length",
        /// The text does not match the pattern.
        Pattern = "pattern",
        /// It is no email address.
        Email = "email",
        /// It is no number.
        Number = "number",
        /// The number is not whole.
        Integer = "integer",
        /// The number is too small.
        Min = "min",
        /// The number is too large.
        Max = "max",
        /// It is no rating from 1 to the largest one.
        Range = "range",
        /// It is no day.
        Date = "date",
        /// The day is too early.
        MinDate = "min_date",
        /// The day is too late.
        MaxDate = "max_date",
        /// It is neither true nor false.
        Boolean = "boolean",
        /// It is none of the options.
        Option = "option",
        /// It names an option twice.
        Duplicate = "duplicate",
        /// There are too many files.
        MaxFiles = "max_files",
        /// It is no list of files that fit.
        FileIds = "file_ids",
        /// The question itself is broken.
        Config = "config",
    }
}

/// One thing that is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerProblem {
    /// The question.
    pub question: QuestionId,
    /// What is wrong.
    pub code: AnswerCode,
    /// What would have been right, for those who answer.
    pub message: String,
}

/// What is found wrong with the answers to one question.
pub(crate) struct Report<'a> {
    question: QuestionId,
    problems: &'a mut Vec<AnswerProblem>,
}

impl<'a> Report<'a> {
    pub(crate) const fn new(question: QuestionId, problems: &'a mut Vec<AnswerProblem>) -> Self {
        Self { question, problems }
    }

    pub(crate) fn add(&mut self, code: AnswerCode, message: impl Into<String>) {
        self.problems.push(AnswerProblem { question: self.question, code, message: message.into() });
    }

    /// Adds that no answer can be checked.
    pub(crate) fn broken(&mut self) {
        self.add(AnswerCode::Config, "This question cannot be answered at the moment. Its author has to mend it.");
    }

    /// Adds a problem if something does not hold.
    pub(crate) fn expect(&mut self, holds: bool, code: AnswerCode, message: impl FnOnce() -> String) {
        if !holds {
            self.add(code, message());
        }
    }
}
