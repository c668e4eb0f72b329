//! `FILE`.

use crate::answer::{Answer, AnswerCode, Report};
use octavo_core_model::id::FileId;
use octavo_databases::read::{Fields, whole};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Which files are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileRules {
    max_files: Option<u32>,
    max_bytes: Option<u32>,
}

const MOST_FILES: u32 = 5;
const MOST_BYTES: u32 = 500 << 20;

impl FileRules {
    /// How many files there are at most.
    pub fn max_files(&self) -> u32 {
        self.max_files.unwrap_or(MOST_FILES)
    }

    /// How many bytes each file has at most.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(MOST_BYTES).into()
    }

    pub(super) fn read(fields: &mut Fields<'_>) -> Self {
        let max_files = fields.optional("maxFiles", |sent| whole(sent, 1..=MOST_FILES));
        let max_bytes = fields.optional("maxBytes", |sent| whole(sent, 1..=MOST_BYTES));
        Self { max_files, max_bytes }
    }

    pub(super) fn write(&self) -> Vec<(&'static str, Value)> {
        vec![("maxFiles", json!(self.max_files)), ("maxBytes", json!(self.max_bytes))]
    }

    pub(super) fn check(&self, sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
        let ids: Option<Vec<FileId>> =
            sent.as_array().and_then(|list| list.iter().map(|id| id.as_str()?.parse().ok()).collect());
        let distinct = |ids: &Vec<FileId>| ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
        let ids = ids.filter(distinct);
        if ids.is_none() {
            report.add(AnswerCode::FileIds, "This must be a list of ids of uploaded files, each once.");
        }
        let count = sent.as_array().map_or(0, Vec::len);
        let max = self.max_files();
        let fits = u32::try_from(count).is_ok_and(|count| count <= max);
        report.expect(fits, AnswerCode::MaxFiles, || format!("Attach at most {max} files."));
        ids.filter(|_| fits).map(Answer::Files)
    }
}
