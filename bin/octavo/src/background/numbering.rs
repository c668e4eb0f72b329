//! Makes committed events readable and seals committed audit entries.

use super::{Signals, announcements::Announcements, failure::warn_unless_outage};
use octavo_app::{Engine, Interrupt};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::log_signals::LogSignal;
use std::{collections::BTreeSet, mem, sync::Arc, time::Duration};

/// The longest delay for events of other processes, and of a node that died between commit and signal.
const SWEEP: Duration = Duration::from_secs(1);

/// Numbers events, and then signals those who wait for them: on this node, and on others if there are any.
pub(super) async fn number_events(engine: Arc<Engine>, commit_signals: Arc<Signals>, others: Option<Announcements>) {
    let mut grown = BTreeSet::new();
    loop {
        grown.extend(commit_signals.take_grown());
        match engine.store.number_events().await {
            Ok(numbered) => {
                grown.extend(numbered.workspaces);
                if grown.is_empty() {
                    commit_signals.events_or(SWEEP).await;
                } else {
                    notify(&commit_signals, others.as_ref(), mem::take(&mut grown));
                }
            }
            Err(error) => {
                warn_unless_outage!(Interrupt::from(error), ?error, "events could not be numbered");
                tokio::time::sleep(SWEEP).await;
            }
        }
    }
}

fn notify(commit_signals: &Signals, others: Option<&Announcements>, grown: BTreeSet<WorkspaceId>) {
    for workspace in &grown {
        commit_signals.log_changes().notify(LogSignal::Grown(*workspace));
    }
    if let Some(others) = others {
        others.announce(grown);
    }
}

pub(super) async fn seal_audits(engine: Arc<Engine>, commit_signals: Arc<Signals>) {
    loop {
        match engine.store.seal_audits().await {
            Ok(0) => commit_signals.audits_or(SWEEP).await,
            Ok(_) => {}
            Err(error) => {
                warn_unless_outage!(Interrupt::from(error), ?error, "audit entries could not be sealed");
                tokio::time::sleep(SWEEP).await;
            }
        }
    }
}
