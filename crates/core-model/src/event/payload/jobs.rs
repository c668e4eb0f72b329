//! Events of background jobs.

use super::{Location, Payload};
use crate::{event::Resource, id::JobId, job::JobKind};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobEnded {
    #[serde(skip)]
    pub job: JobId,
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
