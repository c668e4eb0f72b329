//! `/jobs`

use super::job::JobReply;
use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Query, routes},
    wire::{Page, query},
};
use octavo_app::{
    Call, Draft,
    jobs::{self, JobDetails, JobPage},
};
use octavo_core_model::{
    id::JobId,
    job::{JobKind, JobStatus},
};
use std::sync::Arc;

query! {
    /// Which jobs to list.
    pub(crate) JobsQuery {
        page: JobId, 20 up to 100;
        /// Only jobs of this type.
        kind "type": optional JobKind = "audit_export",
        /// Only jobs in this state.
        status "status": optional JobStatus = "SUCCEEDED",
    }
}

routes! {
    /// Lists background jobs.
    ///
    /// Newest first: the jobs that the caller started in the workspace, and those of their account. Owners, admins
    /// and API keys with the scope `ADMIN` see all jobs of the workspace. Jobs are kept for 30 days after they end.
    GET "/jobs" as listJobs => list {
        caller: Inside(jobs::READING),
        limits: [],
        takes: (query: Query<JobsQuery>),
        answers: { 200: Page<JobReply> },
        refusals: [],
        events: [],
    }
}

async fn list(dispatcher: Dispatcher, call: Call, query: Draft<JobsQuery>) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    let page = query.map(|query| JobPage {
        kind: query.kind,
        status: query.status,
        before: query.page.after,
        limit: query.page.fetch(),
    });
    let shape = move |shown| JobReply::new(shown, &backend.settings.origin);
    dispatcher.list(call, move |view| Box::pin(jobs::list(view, page)), |shown: &JobDetails| shown.job.id, shape).await
}
