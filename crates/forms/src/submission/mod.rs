//! What somebody submits: how it is checked, and what it becomes.

mod body;
mod check;
mod files;
mod record;

pub use body::{Answers, is_from_robot};
pub use files::{FileDemand, FilesFault, FormFile};
pub use record::NewRecord;

use crate::{
    answer::{AnswerProblem, Report},
    form::Form,
};
use octavo_core_model::id::{FileId, QuestionId};
use octavo_databases::Schema;
use serde_json::{Map, Value};

/// Answers that the questions and the properties accept. Files that they name are not looked up yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    answers: Map<String, Value>,
    record: Option<record::Draft>,
    files: Vec<FileDemand>,
}

/// A submission that can be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// The answers as they were sent, by the ids of the questions. Those to unknown questions and empty ones are left out.
    pub answers: Map<String, Value>,
    /// The record that it becomes; `None` if no question has a property.
    pub record: Option<NewRecord>,
    /// The files that it takes.
    pub files: Vec<FileId>,
}

impl Form {
    /// Checks answers against the questions and the properties that get them. All problems are reported.
    pub fn accept(&self, answers: Answers, schema: &Schema) -> Result<Accepted, Vec<AnswerProblem>> {
        let mut sent = answers.into_map();
        let (mut problems, mut given, mut raw) = (Vec::new(), Vec::new(), Map::new());
        for question in self.questions.list() {
            let value = sent.remove(&question.id.to_string());
            let answer = check::check(question, value.as_ref(), &mut Report::new(question.id, &mut problems));
            if let (Some(answer), Some(value)) = (answer, value) {
                given.push((question, answer));
                raw.insert(question.id.to_string(), value);
            }
        }
        let record = record::read(self, &given, schema, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let files = given.iter().filter_map(|(question, answer)| files::demand(question, answer, schema)).collect();
        Ok(Accepted { answers: raw, record, files })
    }
}

impl Accepted {
    /// The files that were named, for each question that asks for some.
    pub fn files(&self) -> &[FileDemand] {
        &self.files
    }
}

/// The questions whose answers name these files.
type Named = Vec<(QuestionId, FileId)>;
