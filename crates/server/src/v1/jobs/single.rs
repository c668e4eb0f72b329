//! `/jobs/{jobId}`

use super::{job::JobReply, wait::Wait};
use crate::{
    answer::{Answer, ok},
    desk::Desk,
    route::{Path, routes},
    wire::Data,
};
use octavo_app::{Call, Draft, Engine, jobs};
use octavo_core_model::{Fault, fault::Conflict, id::JobId};
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};

/// How often a call that waits looks by itself: other processes tell it nothing.
const LOOK: Duration = Duration::from_secs(1);

routes! {
    /// Shows a background job.
    ///
    /// To who started it, and to owners, admins and API keys with the scope `ADMIN`. With `Prefer: wait=<seconds>`, from 1 to 30, the answer
    /// comes when the status or the progress has changed, or when the time is over.
    GET "/jobs/{jobId}" => get {
        caller: Inside(jobs::READING),
        limits: [],
        takes: (id: Path<JobId>, wait: Wait),
        answers: { 200: Data<JobReply> },
        refusals: [],
        events: [],
    }

    /// Cancels a background job.
    ///
    /// Open to who may see it. What it has done so far is thrown away. One that has ended stays as it is (409 `job_finished`).
    POST "/jobs/{jobId}/cancel" => cancel {
        caller: Inside(jobs::CANCELLING),
        limits: [],
        takes: (id: Path<JobId>),
        answers: { 200: Data<JobReply> },
        refusals: [Fault::Conflict(Conflict::JobFinished)],
        events: [],
    }
}

async fn get(desk: Desk, call: Call, id: Draft<JobId>, wait: Option<Duration>) -> Answer {
    let backend = Arc::clone(desk.backend());
    // Before the first look, so that no change falls between.
    let mut changes = backend.job_changes.listen();
    let deadline = Instant::now() + wait.unwrap_or_default();
    let mut seen = None;
    loop {
        let (now, asked) = (backend.now(), id.clone());
        let look = |engine: Arc<Engine>, call| async move {
            engine.read(call, move |view| Box::pin(jobs::get(view, asked))).await
        };
        let shown = match desk.ask(Call { now, ..call.clone() }, look).await {
            Ok(shown) => shown,
            Err(refusal) => return refusal.into(),
        };
        let mark = shown.job.mark();
        let has_changed = seen.as_ref().is_some_and(|seen| *seen != mark);
        let left = deadline.saturating_duration_since(Instant::now());
        if has_changed || left.is_zero() || shown.job.finished_at().is_some() || backend.is_leaving() {
            return ok(JobReply::new(shown, &backend.settings.origin)).into();
        }
        let id = shown.job.id;
        seen = Some(mark);
        // Time running out is as good as word of it.
        let _ = timeout(left.min(LOOK), changes.hears_of(id)).await;
    }
}

async fn cancel(desk: Desk, call: Call, id: Draft<JobId>) -> Answer {
    let backend = Arc::clone(desk.backend());
    let shape = move |shown| ok(JobReply::new(shown, &backend.settings.origin));
    desk.write(call, move |unit| Box::pin(jobs::cancel(unit, id)), shape).await
}
