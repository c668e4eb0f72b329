//! The representation of a job.

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
    /// The progress of a job.
    pub(crate) JobProgressReply {
        /// How much is done, in the unit of the job.
        done "done": required u64 = 4000,
        /// How much there is to do; null while that is unknown.
        total "total": nullable u64 = 12000,
    }
}

reply! {
    /// A problem that did not stop the job.
    pub(crate) JobWarningReply {
        /// Where the problem occurred.
        path "path": required String = "pages/3",
        /// The problem.
        issue "issue": required String = "skipped",
    }
}

reply! {
    /// A background job.
    pub(crate) JobReply {
        /// The id of the job.
        id "id": required JobId,
        /// The workspace it belongs to; null for jobs of an account.
        workspace_id "workspaceId": nullable WorkspaceId,
        /// The type of the job.
        kind "type": required JobKind = "audit_export",
        /// The state of the job.
        status "status": required JobStatus = "SUCCEEDED",
        /// The present step; null while the job does not run.
        stage "stage": nullable String = null,
        /// Its progress.
        progress "progress": required JobProgressReply,
        /// The result, once the job has succeeded. A `downloadUrl` in it works for 15 minutes and is new in each
        /// answer; the file is kept for 7 days.
        result "result": nullable Confidential<Json> = { "rows": 12000, "sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752", "downloadUrl": "https://octavo.example.com/api/v1/files/blob/c2lnbmVk" },
        /// Why it failed: `code`, `message` and `details`.
        error "error": nullable Json = null,
        /// The first 100 problems that did not stop it.
        warnings "warnings": required Vec<JobWarningReply>,
        /// The number of all such problems.
        warning_count "warningCount": required u64 = 0,
        /// The user who started it; for an API key, the user who created the key.
        created_by_id "createdById": required UserId,
        /// When it was requested.
        created_at "createdAt": required Timestamp,
        /// When it started to run.
        started_at "startedAt": nullable Timestamp = "2026-11-21T09:30:01.000Z",
        /// When it ended.
        finished_at "finishedAt": nullable Timestamp = "2026-11-21T09:30:04.000Z",
    }
}

impl JobReply {
    /// A job as its readers see it; addresses in it start with the public origin.
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
            stage: job.progress.stage,
            progress: JobProgressReply { done: job.progress.done, total: job.progress.total },
            result,
            error,
            warnings: job.progress.warnings.into_iter().map(warning).collect(),
            warning_count: job.progress.warning_count,
            created_by_id: job.created_by,
            created_at: job.created_at,
            started_at: job.started_at,
            finished_at,
        }
    }
}
