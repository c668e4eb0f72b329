//! Runs jobs: a few at a time, each step by step.

use super::{Signals, failure::warn_unless_outage};
use crate::wiring;
use octavo_app::{
    Engine, job_kinds,
    jobs::{self, Assignment, HeldLease, Outcome, Run},
    queue,
};
use octavo_core_model::chore::{HEARTBEAT, Queue};
use octavo_ports::blobs::Blobs;
use octavo_server::{Metrics, refusal::explain};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::watch, time::sleep};

/// How many jobs a process runs at the same time.
pub(super) const WORKERS: usize = 2;

/// How long a job keeps its worker while others wait.
const TURN: Duration = Duration::from_secs(30);

/// How often a worker looks for work without a signal.
const LOOK: Duration = Duration::from_secs(1);

/// How often a failing step is tried before the job is left to the worker that gets it when its lease ends.
const ATTEMPTS: u32 = 4;

/// What a worker needs.
#[derive(Clone)]
pub(super) struct WorkerContext {
    pub(super) engine: Arc<Engine>,
    pub(super) blobs: Arc<dyn Blobs>,
    pub(super) commit_signals: Arc<Signals>,
    pub(super) metrics: Metrics,
}

/// Works until it is told to stop, and then returns its job to the queue.
pub(super) async fn run(context: WorkerContext, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        // In a separate task, so that a job that panics does not stop the worker.
        let turn = tokio::spawn(turn(context.clone(), stopped.clone()));
        let found_work = turn.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a job broke off");
            true
        });
        if !found_work {
            tokio::select! {
                () = context.commit_signals.chore_or(Queue::Jobs, LOOK) => {}
                // If the sender is gone, that means stop as well.
                _ = stopped.changed() => {}
            }
        }
    }
}

/// Picks up a job, if there is one, and runs it to its end.
async fn turn(context: WorkerContext, stopped: watch::Receiver<bool>) -> bool {
    match jobs::next_assignment(&context.engine, &*context.blobs, job_kinds::runner, wiring::now()).await {
        Ok(Assignment::Nothing) => false,
        Ok(Assignment::Settled(outcome)) => {
            record_outcome(&context.metrics, &outcome, Duration::ZERO);
            true
        }
        Ok(Assignment::Run(run)) => {
            let begun = Instant::now();
            let ended = work(&context, *run, stopped).await.filter(|outcome| *outcome != Outcome::PutOff);
            if let Some(outcome) = ended {
                record_outcome(&context.metrics, &outcome, begun.elapsed());
            }
            true
        }
        Err(interrupt) => {
            warn_unless_outage!(interrupt, ?interrupt, "jobs could not be taken up");
            false
        }
    }
}

fn record_outcome(metrics: &Metrics, outcome: &Outcome, took: Duration) {
    metrics.job_ended(Queue::Jobs.name(), took, matches!(outcome, Outcome::Failed(_)));
    if let Outcome::Failed(reason) = outcome {
        tracing::error!(reason, "a job failed");
    }
}

/// Runs a job for as long as this worker has it. Returns how it ended, if it did.
async fn work(context: &WorkerContext, run: Run, stopped: watch::Receiver<bool>) -> Option<Outcome> {
    let lease = run.lease();
    tokio::select! {
        ended = take_steps(context, run, stopped) => ended,
        () = keep(context, lease) => Some(Outcome::Lost),
    }
}

/// Renews the lease of a job, also during its steps, until another worker has it.
async fn keep(context: &WorkerContext, mut lease: HeldLease) {
    loop {
        sleep(HEARTBEAT).await;
        match lease.renew(&context.engine, wiring::now()).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(interrupt) => {
                warn_unless_outage!(interrupt, ?interrupt, "the lease of a job was not renewed");
            }
        }
    }
}

async fn take_steps(context: &WorkerContext, mut run: Run, stopped: watch::Receiver<bool>) -> Option<Outcome> {
    let (mut turn, mut failures) = (Instant::now(), 0);
    loop {
        if *stopped.borrow() {
            return hand_back(context, &run).await;
        }
        if turn.elapsed() >= TURN {
            turn = Instant::now();
            // Those that wait are older in the queue, so they come first.
            if queue::is_due(&context.engine, Queue::Jobs, wiring::now()).await.unwrap_or(false) {
                return hand_back(context, &run).await;
            }
        }
        match run.step(&context.engine, &*context.blobs, explain, wiring::now()).await {
            Ok(None) => failures = 0,
            Ok(Some(outcome)) => return Some(outcome),
            Err(interrupt) if failures < ATTEMPTS => {
                warn_unless_outage!(
                    interrupt,
                    job = %run.id(),
                    ?interrupt,
                    "a step of a job failed and will be tried again"
                );
                failures += 1;
                sleep(Duration::from_secs(failures.into())).await;
            }
            Err(interrupt) => {
                tracing::error!(job = %run.id(), ?interrupt, "a job broke off");
                return Some(Outcome::Failed("a step of it failed too often".to_owned()));
            }
        }
    }
}

async fn hand_back(context: &WorkerContext, run: &Run) -> Option<Outcome> {
    if let Err(interrupt) = run.hand_back(&context.engine, wiring::now()).await {
        tracing::warn!(job = %run.id(), ?interrupt, "a job could not be handed back");
    }
    None
}
