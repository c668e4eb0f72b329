//! Events of background jobs.

use super::{Location, Payload};
use crate::{event::Resource, id::JobId, job::JobKind};
use serde::Serialize;

/// A job ended, whatever came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobEnded {
    /// The job.
    #[serde(skip)]
    pub job: JobId,
    /// What the job did.
    #[serde(rename = "type")]
    pub kind: JobKind,
}

impl Payload for JobEnded {
    fn resource(&self) -> Resource {
        Resource::Job(self.job)
    }

    fn location(&self) -> Location {
        Location::WORKSPACE
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self { job: JobId::EXAMPLE, kind: JobKind::AuditExport }
    }
}
