//! All kinds of jobs. The queue (`jobs`) does not know them: the process that runs workers passes this table to it.

use crate::{audit::export::Export, csv_import::job::Import, jobs::JobRunner};
use octavo_core_model::job::{Job, Task};

/// Makes the runner of a job, for `jobs::next_assignment`.
pub fn runner(job: &Job) -> Box<dyn JobRunner> {
    match &job.task {
        Task::AuditExport(wanted) => Box::new(Export::resume(job, wanted)),
        Task::DatabaseImport(wanted) => Box::new(Import::resume(job, wanted)),
    }
}
