//! Runs the durable chores of a queue.

use super::{Signals, failure::warn_unless_outage};
use crate::wiring;
use octavo_app::{
    AppResult, Engine, chores,
    queue::{self, ChoreOutcome, LeasedChores},
};
use octavo_core_model::chore::{HEARTBEAT, Queue};
use octavo_ports::mailer::Mailer;
use octavo_server::Metrics;
use std::{
    convert::Infallible,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How often a queue is checked without a signal: for chores of other processes, and those that wait for another
/// attempt.
const LOOK: Duration = Duration::from_secs(1);

/// Runs until it is told to stop, and then finishes the chores that it has leased.
pub(super) async fn run(
    queue: Queue,
    engine: &Engine,
    commit_signals: &Signals,
    mailer: &dyn Mailer,
    metrics: &Metrics,
    mut stopped: watch::Receiver<bool>,
) {
    while !*stopped.borrow() {
        let ran = step(queue, engine, mailer, metrics).await;
        let wait = async {
            match ran {
                Ok(0) => commit_signals.chore_or(queue, LOOK).await,
                Ok(_) => {}
                Err(interrupt) => {
                    warn_unless_outage!(interrupt, queue = queue.name(), ?interrupt, "chores could not be run");
                    tokio::time::sleep(LOOK).await;
                }
            }
        };
        tokio::select! {
            () = wait => {}
            // If the sender is gone, that means stop as well.
            _ = stopped.changed() => {}
        }
    }
}

async fn step(queue: Queue, engine: &Engine, mailer: &dyn Mailer, metrics: &Metrics) -> AppResult<usize> {
    let now = wiring::now();
    if !queue::is_due(engine, queue, now).await? {
        return Ok(0);
    }
    let begun = Instant::now();
    let leased = queue::lease_due(engine, queue, now).await?;
    let outcomes = tokio::select! {
        outcomes = chores::run_all(engine, &leased.chores, mailer, now) => outcomes?,
        never = keep(queue, engine, &leased) => match never {},
    };
    for outcome in &outcomes {
        // The chores of a batch run concurrently, so each is reported with the time of the whole batch.
        metrics.job_ended(queue.name(), begun.elapsed(), *outcome != ChoreOutcome::Done);
        match outcome {
            ChoreOutcome::Done => {}
            ChoreOutcome::Later(reason) => {
                tracing::warn!(queue = queue.name(), reason, "a chore failed and will be tried again");
            }
            ChoreOutcome::GivenUp(reason) => tracing::error!(queue = queue.name(), reason, "a chore was given up"),
        }
    }
    Ok(outcomes.len())
}

/// Renews leases until it is dropped. Leases are short, so that the chores of a killed process soon become free.
async fn keep(queue: Queue, engine: &Engine, leased: &LeasedChores) -> Infallible {
    let mut until = leased.until;
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        let ids = leased.chores.iter().map(|chore| chore.id).collect();
        match queue::renew(engine, queue, ids, until, wiring::now()).await {
            Ok(renewed) => until = renewed.unwrap_or(until),
            Err(interrupt) => {
                warn_unless_outage!(interrupt, queue = queue.name(), ?interrupt, "the lease of chores was not renewed");
            }
        }
    }
}
