//! Runs the durable jobs of a lane.

use super::Bells;
use crate::parts;
use octavo_app::{
    Engine,
    chores::{self, JobOutcome},
};
use octavo_core_model::job::Lane;
use octavo_ports::mailer::Mailer;
use octavo_server::Metrics;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often a lane is looked at without a bell: jobs of other processes, and those that wait for another attempt.
const LOOK: Duration = Duration::from_secs(1);

/// Runs until it is told to stop, and then to the end of the jobs it has taken.
pub(super) async fn run(
    lane: Lane,
    engine: &Engine,
    bells: &Bells,
    mailer: &dyn Mailer,
    metrics: &Metrics,
    mut stopped: watch::Receiver<bool>,
) {
    while !*stopped.borrow() {
        let ran = step(lane, engine, mailer, metrics).await;
        let wait = async {
            match ran {
                Ok(0) => bells.job_or(lane, LOOK).await,
                Ok(_) => {}
                Err(stop) => {
                    tracing::warn!(lane = lane.name(), ?stop, "jobs could not be run");
                    tokio::time::sleep(LOOK).await;
                }
            }
        };
        tokio::select! {
            () = wait => {}
            // Its sender gone means the same.
            _ = stopped.changed() => {}
        }
    }
}

async fn step(lane: Lane, engine: &Engine, mailer: &dyn Mailer, metrics: &Metrics) -> octavo_app::AppResult<usize> {
    let now = parts::now();
    if !chores::is_due(engine, lane, now).await? {
        return Ok(0);
    }
    let begun = Instant::now();
    let outcomes = chores::run_due(engine, lane, mailer, now).await?;
    for outcome in &outcomes {
        // The jobs of a batch run side by side; each is told the time of the batch.
        metrics.job_ended(lane.name(), begun.elapsed(), *outcome != JobOutcome::Done);
        match outcome {
            JobOutcome::Done => {}
            JobOutcome::Later(reason) => {
                tracing::warn!(lane = lane.name(), reason, "a job failed and will be tried again");
            }
            JobOutcome::GivenUp(reason) => tracing::error!(lane = lane.name(), reason, "a job was given up"),
        }
    }
    Ok(outcomes.len())
}
