//! A job as it is shown.

use crate::{
    route::BASE,
    wire::{Confidential, Json, reply},
};
use octavo_app::jobs::JobDetails;
use octavo_core_model::{
    Timestamp,
    id::{JobId, UserId, WorkspaceId},
    job::{Ending, JobKind, JobState, JobStatus},
};
use serde_json::json;

reply! {
    /// How far a job has come.
    pub(crate) JobProgressReply {
        /// How much of it is done, in whatever the job counts.
        done "done": required u64 = 4000,
        /// How much there is to do; null as long as that is not known.
        total "total": nullable u64 = 12000,
    }
}

reply! {
    /// Something that went wrong and did not stop the job.
    pub(crate) JobWarningReply {
        /// What it is about.
        path "path": required String = "pages/3",
        /// What is wrong with it.
        issue "issue": required String = "skipped",
    }
}

reply! {
    /// A background job.
    pub(crate) JobReply {
        /// Identifies the job.
        id "id": required JobId,
        /// The workspace it belongs to; null for jobs of an account.
        workspace_id "workspaceId": nullable WorkspaceId,
        /// What it does.
        kind "type": required JobKind = "audit_export",
        /// How it stands.
        status "status": required JobStatus = "SUCCEEDED",
        /// What it is at; null while it does not run.
        stage "stage": nullable String = null,
        /// How far it has come.
        progress "progress": required JobProgressReply,
        /// What came of it, once it has succeeded. A `downloadUrl` in it works for 15 minutes and is new on each reading; it is there for 7 days.
        result "result": nullable Confidential<Json> = { "rows": 12000, "sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752", "downloadUrl": "https://octavo.example.com/api/v1/files/blob/c2lnbmVk" },
        /// Why it failed: `code`, `message` and `details`.
        error "error": nullable Json = null,
        /// The first 100 things that went wrong and did not stop it.
        warnings "warnings": required Vec<JobWarningReply>,
        /// How many there were.
        warning_count "warningCount": required u64 = 0,
        /// Who started it; for an API key that is who made the key.
        created_by_id "createdById": required UserId,
        /// When it was asked for.
        created_at "createdAt": required Timestamp,
        /// When it began to run.
        started_at "startedAt": nullable Timestamp = "2026-11-21T09:30:01.000Z",
        /// When it ended.
        finished_at "finishedAt": nullable Timestamp = "2026-11-21T09:30:04.000Z",
    }
}

impl JobReply {
    /// A job as its readers see it; addresses in it begin with the public origin.
    pub(crate) fn new(shown: JobDetails, origin: &str) -> Self {
        let JobDetails { job, download } = shown;
        let (kind, status, finished_at) = (job.kind(), job.status(), job.finished_at());
        let (mut result, mut error) = (None, None);
        match job.state {
            JobState::Ended { ending: Ending::Succeeded(product), .. } => {
                let mut facts = product.facts;
                if let Some(token) = download {
                    facts["downloadUrl"] = format!("{origin}{BASE}/files/blob/{token}").into();
                }
                result = Some(Confidential(Json(facts)));
            }
            JobState::Ended { ending: Ending::Failed(failure), .. } => {
                let (code, message, details) = (failure.code, failure.message, failure.details);
                error = Some(Json(json!({ "code": code, "message": message, "details": details })));
            }
            JobState::Queued | JobState::Running | JobState::Ended { ending: Ending::Cancelled, .. } => {}
        }
        let warning =
            |warning: octavo_core_model::job::Warning| JobWarningReply { path: warning.path, issue: warning.issue };
        Self {
            id: job.id,
            workspace_id: job.owner.workspace(),
            kind,
            status,
            stage: job.course.stage,
            progress: JobProgressReply { done: job.course.done, total: job.course.total },
            result,
            error,
            warnings: job.course.warnings.into_iter().map(warning).collect(),
            warning_count: job.course.warning_count,
            created_by_id: job.created_by,
            created_at: job.created_at,
            started_at: job.started_at,
            finished_at,
        }
    }
}
