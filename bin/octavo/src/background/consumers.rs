//! Lets consumers follow the event logs.

use super::failure::warn_unless_outage;
use crate::wiring;
use octavo_app::{
    AppResult, Engine,
    consumers::{self, Advance, Consumer},
};
use octavo_core_model::{consumer::Failure, id::WorkspaceId};
use octavo_server::LogChanges;
use std::{
    collections::BTreeSet,
    mem,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// How often logs are looked at in which something failed.
const LOOK: Duration = Duration::from_secs(1);

/// How often all logs are looked at without a signal: for signals that were lost, and for what a node that died has left.
/// That costs something for each workspace of the deployment.
const LOOK_AT_ALL: Duration = Duration::from_secs(10);

/// How many workspaces one statement lists.
const LISTED: u32 = 500;

/// Follows all logs for one consumer. Each workspace whose log has grown gets one step in turn, so a long fan-out in one
/// of them does not hold up the others.
pub(super) async fn run(engine: Arc<Engine>, consumer: &'static dyn Consumer, changes: LogChanges) {
    let mut logs = changes.listen_to_all();
    let (mut waiting, mut again) = (BTreeSet::new(), BTreeSet::new());
    let (mut looked, mut looked_at_all) = (Instant::now(), None::<Instant>);
    loop {
        // While there is work, signals are only collected.
        while let Ok(grown) = timeout(if waiting.is_empty() { LOOK } else { Duration::ZERO }, logs.grown()).await {
            match grown {
                Some(workspace) => drop(waiting.insert(workspace)),
                None => looked_at_all = None,
            }
        }
        let is_for_all = looked_at_all.is_none_or(|at| at.elapsed() >= LOOK_AT_ALL);
        if is_for_all || looked.elapsed() >= LOOK {
            waiting.append(&mut again);
            let found = if is_for_all { behind(&engine, consumer).await } else { failed(&engine, consumer).await };
            match found {
                Ok(found) => waiting.extend(found),
                Err(interrupt) => {
                    let name = consumer.name().name();
                    warn_unless_outage!(interrupt, consumer = name, ?interrupt, "event logs could not be looked at");
                }
            }
            looked = Instant::now();
            if is_for_all {
                looked_at_all = Some(looked);
            }
        }
        for workspace in mem::take(&mut waiting) {
            match step(&engine, consumer, workspace).await {
                Next::More => drop(waiting.insert(workspace)),
                Next::Later => drop(again.insert(workspace)),
                Next::Nothing => {}
            }
        }
    }
}

/// When to look at a log again.
enum Next {
    /// There is more to do.
    More,
    /// It failed, or another node is at work.
    Later,
    Nothing,
}

/// The workspaces with an event that may be tried again now.
async fn failed(engine: &Engine, consumer: &'static dyn Consumer) -> AppResult<Vec<WorkspaceId>> {
    consumers::list_failed(engine, consumer.name(), LISTED, wiring::now()).await
}

async fn behind(engine: &Engine, consumer: &'static dyn Consumer) -> AppResult<Vec<WorkspaceId>> {
    let mut found: Vec<WorkspaceId> = Vec::new();
    loop {
        let after = found.last().copied();
        let some = consumers::list_behind(engine, consumer.name(), after, LISTED, wiring::now()).await?;
        let is_last = some.len() < LISTED as usize;
        found.extend(some);
        if is_last {
            return Ok(found);
        }
    }
}

async fn step(engine: &Arc<Engine>, consumer: &'static dyn Consumer, workspace: WorkspaceId) -> Next {
    let of_engine = Arc::clone(engine);
    // In a separate task, so that a step that panics does not stop the consumer. It counts as a failure.
    let step =
        tokio::spawn(async move { consumers::advance(&of_engine, consumer, workspace, wiring::now()).await }).await;
    let name = consumer.name().name();
    match step {
        Ok(Ok(Advance::Moved)) => Next::More,
        Ok(Ok(Advance::AtEnd)) => Next::Nothing,
        Ok(Ok(Advance::NotNow)) => Next::Later,
        Ok(Ok(Advance::Failed(error))) => {
            tracing::error!(consumer = name, %workspace, error, "events could not be handled");
            Next::More
        }
        Ok(Err(interrupt)) => {
            warn_unless_outage!(interrupt, consumer = name, %workspace, ?interrupt, "events will be handled later");
            Next::Later
        }
        Err(error) => {
            tracing::error!(consumer = name, %workspace, %error, "a consumer broke off");
            let failure = (Failure::Error, error.to_string());
            let noted = consumers::note_failure(engine, consumer, workspace, failure, wiring::now()).await;
            if let Err(interrupt) = noted {
                warn_unless_outage!(interrupt, consumer = name, %workspace, ?interrupt, "that was not noted");
            }
            Next::Later
        }
    }
}
