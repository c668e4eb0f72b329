//! Runs the durable chores of a lane.

use super::Bells;
use crate::parts;
use octavo_app::{
    AppResult, Engine,
    chores::{self, ChoreOutcome, Leased},
};
use octavo_core_model::chore::{HEARTBEAT, Lane};
use octavo_ports::mailer::Mailer;
use octavo_server::Metrics;
use std::{
    convert::Infallible,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How often a lane is looked at without a bell: chores of other processes, and those that wait for another attempt.
const LOOK: Duration = Duration::from_secs(1);

/// Runs until it is told to stop, and then to the end of the chores it has taken.
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
                Ok(0) => bells.chore_or(lane, LOOK).await,
                Ok(_) => {}
                Err(stop) => {
                    tracing::warn!(lane = lane.name(), ?stop, "chores could not be run");
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

async fn step(lane: Lane, engine: &Engine, mailer: &dyn Mailer, metrics: &Metrics) -> AppResult<usize> {
    let now = parts::now();
    if !chores::is_due(engine, lane, now).await? {
        return Ok(0);
    }
    let begun = Instant::now();
    let leased = chores::lease_due(engine, lane, now).await?;
    let outcomes = tokio::select! {
        outcomes = chores::run_all(engine, &leased.chores, mailer, now) => outcomes?,
        never = keep(lane, engine, &leased) => match never {},
    };
    for outcome in &outcomes {
        // The chores of a batch run side by side; each is told the time of the batch.
        metrics.job_ended(lane.name(), begun.elapsed(), *outcome != ChoreOutcome::Done);
        match outcome {
            ChoreOutcome::Done => {}
            ChoreOutcome::Later(reason) => {
                tracing::warn!(lane = lane.name(), reason, "a chore failed and will be tried again");
            }
            ChoreOutcome::GivenUp(reason) => tracing::error!(lane = lane.name(), reason, "a chore was given up"),
        }
    }
    Ok(outcomes.len())
}

/// Keeps what was leased for as long as it is asked to. Short leases let go soon of what a process that was killed held.
async fn keep(lane: Lane, engine: &Engine, leased: &Leased) -> Infallible {
    let mut until = leased.until;
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        let ids = leased.chores.iter().map(|chore| chore.id).collect();
        match chores::renew(engine, lane, ids, until, parts::now()).await {
            Ok(renewed) => until = renewed.unwrap_or(until),
            Err(stop) => tracing::warn!(lane = lane.name(), ?stop, "the lease of chores was not renewed"),
        }
    }
}
