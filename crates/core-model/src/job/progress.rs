//! The progress of a job.

use super::Checkpoint;
use serde::{Deserialize, Serialize};

/// How many warnings a job stores; the others are only counted.
pub const MAX_WARNINGS: usize = 100;

/// The progress of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobProgress {
    /// The present step.
    pub stage: Option<String>,
    /// How many steps are done.
    pub done: u64,
    /// How many steps there are, once that is known.
    pub total: Option<u64>,
    /// The first warnings.
    pub warnings: Vec<Warning>,
    /// How many warnings there were in all.
    pub warning_count: u64,
    /// The number of runs. A worker with a lower number has lost the job to another one.
    pub runs: u32,
    /// How often it was interrupted.
    pub interruptions: u32,
    /// Where the next run continues.
    pub checkpoint: Option<Checkpoint>,
}

/// A problem that did not stop the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Where it went wrong.
    pub path: String,
    /// What went wrong there.
    pub issue: String,
}

impl JobProgress {
    /// Adds a warning, or only counts it once there are many.
    pub fn warn(&mut self, warning: Warning) {
        self.warning_count += 1;
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}
