//! `/jobs/{jobId}`

use super::{job::JobReply, wait::Wait};
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    log_changes::LogListener,
    route::{Path, routes},
    wire::Data,
};
use octavo_app::{Call, Draft, Engine, jobs};
use octavo_core_model::{
    Fault,
    fault::Conflict,
    id::{JobId, WorkspaceId},
};
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, sleep, timeout};

/// How often a waiting call checks the job without a signal: signals can be lost, and other nodes do not signal
/// progress.
const LOOK: Duration = Duration::from_secs(1);

/// The shortest pause between two checks that events of the workspace trigger: there may be many of them.
const REST: Duration = Duration::from_millis(100);

routes! {
    /// Shows a background job.
    ///
    /// To the user who started it, and to owners, admins and API keys with the scope `ADMIN`. With `Prefer:
    /// wait=<seconds>`, from 1 to 30, the answer is sent when the status or the progress has changed, or when the
    /// time is over.
    GET "/jobs/{jobId}" as getJob => get {
        caller: Inside(jobs::READING),
        limits: [],
        takes: (id: Path<JobId>, wait: Wait),
        answers: { 200: Data<JobReply> },
        refusals: [],
        events: [],
    }

    /// Cancels a background job.
    ///
    /// Open to everybody who may see it. Partial results are discarded. A job that has ended cannot be cancelled (409
    /// `job_finished`).
    POST "/jobs/{jobId}/cancel" as cancelJob => cancel {
        caller: Inside(jobs::CANCELLING),
        limits: [],
        takes: (id: Path<JobId>),
        answers: { 200: Data<JobReply> },
        refusals: [Fault::Conflict(Conflict::JobFinished)],
        events: [],
    }
}

async fn get(dispatcher: Dispatcher, call: Call, id: Draft<JobId>, wait: Option<Duration>) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    // Subscribe before the first check, so that no change is missed.
    let (mut changes, mut log) = (backend.job_changes.listen(), backend.log_changes.listen());
    let deadline = Instant::now() + wait.unwrap_or_default();
    let mut seen = None;
    loop {
        let (now, asked) = (backend.now(), id.clone());
        let look = |engine: Arc<Engine>, call| async move {
            engine.read(call, move |view| Box::pin(jobs::get(view, asked))).await
        };
        let shown = match dispatcher.ask(Call { now, ..call.clone() }, look).await {
            Ok(shown) => shown,
            Err(refusal) => return refusal.into(),
        };
        let mark = shown.job.mark();
        let has_changed = seen.as_ref().is_some_and(|seen| *seen != mark);
        let left = deadline.saturating_duration_since(Instant::now());
        if has_changed || left.is_zero() || shown.job.finished_at().is_some() || backend.is_leaving() {
            return ok(JobReply::new(shown, &backend.settings.origin)).into();
        }
        let (id, workspace) = (shown.job.id, shown.job.owner.workspace());
        seen = Some(mark);
        // A timeout leads to another check, like a signal.
        let _ = timeout(left.min(LOOK), async {
            tokio::select! {
                () = changes.hears_of(id) => {}
                // The end of a job on another node arrives here as an event.
                () = grown(&mut log, workspace) => sleep(REST).await,
            }
        })
        .await;
    }
}

/// Waits for new events in the job's workspace. A job of an account has no events.
async fn grown(log: &mut LogListener, workspace: Option<WorkspaceId>) {
    match workspace {
        Some(workspace) => log.grown(workspace).await,
        None => std::future::pending().await,
    }
}

async fn cancel(dispatcher: Dispatcher, call: Call, id: Draft<JobId>) -> Answer {
    let backend = Arc::clone(dispatcher.backend());
    let shape = move |shown| ok(JobReply::new(shown, &backend.settings.origin));
    dispatcher.write(call, move |unit| Box::pin(jobs::cancel(unit, id)), shape).await
}
