//! The files of a submission.

use super::{Accepted, Named, Submission};
use crate::{
    answer::{Answer, AnswerCode, AnswerProblem},
    kinds::Rules,
    question::Question,
};
use octavo_core_model::id::{FileId, QuestionId};
use octavo_databases::{PropertyConfig, Schema, types::FilesConfig};
use std::collections::BTreeMap;

/// The files that an answer names, and which ones the question accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct FileDemand {
    /// The question.
    pub question: QuestionId,
    /// The files, each once.
    pub files: Vec<FileId>,
    /// How many bytes each has at most.
    pub max_bytes: u64,
    /// What the property demands besides that.
    property: Option<FilesConfig>,
}

/// What is known of a file that was opened for this form, belongs to its workspace, and is neither used by another submission
/// nor failed nor deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormFile {
    /// How many bytes it has.
    pub bytes: u64,
    /// Its media type, as it was recognised.
    pub mime_type: String,
    /// Whether its processing is finished.
    pub is_ready: bool,
}

/// Why files cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum FilesFault {
    /// They were not opened for this form, or cannot be used any more; there is at least one.
    NotOwned(Vec<(QuestionId, FileId)>),
    /// Their processing is not finished; there is at least one.
    NotReady(Vec<(QuestionId, FileId)>),
    /// They do not fit their questions; there is at least one problem.
    Unfit(Vec<AnswerProblem>),
}

pub(super) fn demand(question: &Question, answer: &Answer, schema: &Schema) -> Option<FileDemand> {
    let (Answer::Files(files), Ok(Rules::File(rules))) = (answer, &question.rules) else { return None };
    let property = question.mapped(schema).and_then(|property| match &property.config {
        PropertyConfig::Files(config) => Some(config.clone()),
        _ => None,
    });
    Some(FileDemand { question: question.id, files: files.clone(), max_bytes: rules.max_bytes(), property })
}

impl FileDemand {
    fn problem(&self, found: &BTreeMap<FileId, FormFile>) -> Option<AnswerProblem> {
        let files = || self.files.iter().filter_map(|id| found.get(id));
        let accepts = |file: &FormFile| self.property.as_ref().is_none_or(|config| config.accepts(&file.mime_type));
        let message = if files().any(|file| file.bytes > self.max_bytes) {
            format!("Each file can have at most {} bytes.", self.max_bytes)
        } else if files().any(|file| !accepts(file)) {
            "Files of this type cannot be attached.".to_owned()
        } else {
            return None;
        };
        Some(AnswerProblem { question: self.question, code: AnswerCode::FileIds, message })
    }
}

impl Accepted {
    /// The submission, if its files can be taken. `found` holds the files that were found; any other one is not the form's.
    pub fn with_files(self, found: &BTreeMap<FileId, FormFile>) -> Result<Submission, FilesFault> {
        let named = || self.files.iter().flat_map(|demand| demand.files.iter().map(|file| (demand.question, *file)));
        let not_owned: Named = named().filter(|(_, file)| !found.contains_key(file)).collect();
        if !not_owned.is_empty() {
            return Err(FilesFault::NotOwned(not_owned));
        }
        let is_ready = |file: &FileId| found.get(file).is_some_and(|file| file.is_ready);
        let not_ready: Named = named().filter(|(_, file)| !is_ready(file)).collect();
        if !not_ready.is_empty() {
            return Err(FilesFault::NotReady(not_ready));
        }
        let unfit: Vec<_> = self.files.iter().filter_map(|demand| demand.problem(found)).collect();
        if !unfit.is_empty() {
            return Err(FilesFault::Unfit(unfit));
        }
        let mut files: Vec<_> = named().map(|(_, file)| file).collect();
        files.sort_unstable();
        files.dedup();
        let record = self.record.map(|record| record.resolve(files.iter().copied()));
        Ok(Submission { answers: self.answers, record, files })
    }
}
