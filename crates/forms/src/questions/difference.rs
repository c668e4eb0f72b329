//! What a change does to the questions in the store.

use super::Questions;
use crate::{fault::FormFault, question::Question};
use octavo_core_model::id::QuestionId;
use octavo_databases::{Schema, record::NewOptions};

/// What a change does to the questions in the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference<'a> {
    /// Questions that are new.
    pub created: Vec<&'a Question>,
    /// Questions that are not as they were.
    pub changed: Vec<&'a Question>,
    /// Questions that are gone. Answers to them stay in the submissions.
    pub removed: Vec<QuestionId>,
}

impl Questions {
    /// What changed since there were these questions.
    pub fn since<'a>(&'a self, before: &Self) -> Difference<'a> {
        let mut difference = Difference::default();
        for question in &self.0 {
            match before.get(question.id) {
                None => difference.created.push(question),
                Some(before) if before != question => difference.changed.push(question),
                Some(_) => {}
            }
        }
        let gone = before.0.iter().filter(|question| self.get(question.id).is_none());
        difference.removed = gone.map(|question| question.id).collect();
        difference
    }
}

impl Difference<'_> {
    /// The options that properties need for the new and changed questions.
    pub fn missing_options(&self, schema: &Schema) -> Result<Vec<NewOptions>, FormFault> {
        let saved = self.created.iter().chain(&self.changed);
        saved.filter_map(|question| question.missing_options(schema).transpose()).collect()
    }
}
