//! The background work of a server: numbering events, letting consumers follow them, sealing the audit trail, running chores, removing expired
//! things, switching to new keys.

mod activity;
mod announcements;
mod consumers;
mod digests;
mod failure;
mod keys;
mod log_signals;
mod numbering;
mod queues;
pub(crate) mod search;
mod signals;
mod sweeper;
mod workers;

pub(crate) use activity::keep as keep_activity;
pub(crate) use keys::Rotating;
pub(crate) use signals::Signals;

use crate::search_folder::SearchFolder;
use octavo_app::consumer_kinds::CONSUMERS;
use octavo_core_model::chore::Queue;
use octavo_ports::{blobs::Blobs, log_signals::LogSignals, mailer::Mailer};
use octavo_search_index::TextIndex;
use octavo_server::Backend;
use std::{sync::Arc, time::Duration};
use tokio::{runtime::Handle, sync::watch, task::JoinHandle, time::timeout};

/// How long running chores may take to finish when the server stops. A chore that takes longer becomes free when its
/// lease ends.
const LAST_CHORES: Duration = Duration::from_secs(10);

/// The tasks that were started.
pub(crate) struct Chores {
    stop: watch::Sender<bool>,
    /// These tasks stop by themselves when told to: a chore that is aborted would be blocked until its lease ends.
    queues: Vec<JoinHandle<()>>,
    /// Each step of these tasks is a unit of its own, so they can be aborted.
    others: Vec<JoinHandle<()>>,
}

impl Chores {
    /// Stops all tasks gracefully.
    pub(crate) async fn end(self) {
        self.stop.send_replace(true);
        for chore in self.others {
            chore.abort();
        }
        for queue in self.queues {
            if timeout(LAST_CHORES, queue).await.is_err() {
                tracing::warn!("chores were still at work when the time for them was over");
            }
        }
    }
}

/// What the tasks use besides the store.
pub(crate) struct Outside {
    pub(crate) mailer: Arc<dyn Mailer>,
    pub(crate) blobs: Arc<dyn Blobs>,
    /// `None` if there is only this node.
    pub(crate) signals: Option<Arc<dyn LogSignals>>,
    pub(crate) index: Arc<TextIndex>,
}

/// Starts all tasks on a runtime.
pub(crate) fn start(
    runtime: &Handle,
    backend: &Arc<Backend>,
    commit_signals: &Arc<Signals>,
    outside: Outside,
    rotating: Rotating,
) -> Chores {
    let Outside { mailer, blobs, signals, index } = outside;
    let (stop, stopped) = watch::channel(false);
    let engine = backend.engine();
    let queue = |queue: Queue| {
        let (engine, commit_signals, mailer) = (Arc::clone(engine), Arc::clone(commit_signals), Arc::clone(&mailer));
        let (metrics, stopped) = (backend.metrics.clone(), stopped.clone());
        runtime.spawn(async move { queues::run(queue, &engine, &commit_signals, &*mailer, &metrics, stopped).await })
    };
    let context = workers::WorkerContext {
        engine: Arc::clone(engine),
        blobs: Arc::clone(&blobs),
        commit_signals: Arc::clone(commit_signals),
        metrics: backend.metrics.clone(),
    };
    let worker = |_| runtime.spawn(workers::run(context.clone(), stopped.clone()));
    // Jobs take long: they run one at a time, in workers of their own.
    let queues =
        [Queue::Mail, Queue::Accounts, Queue::Removals, Queue::Notifications, Queue::Digests].map(queue).into_iter();
    let queues = queues.chain((0..workers::WORKERS).map(worker)).collect();
    let (announcements, announced) = announcements::Announcements::new();
    let announcements = signals.as_ref().map(|_| announcements);
    let mut others = vec![
        runtime.spawn(numbering::number_events(Arc::clone(engine), Arc::clone(commit_signals), announcements)),
        runtime.spawn(numbering::seal_audits(Arc::clone(engine), Arc::clone(commit_signals))),
        runtime.spawn(sweeper::run(Arc::clone(engine), Arc::clone(&blobs), rotating.folder.clone())),
        runtime.spawn(activity::run(Arc::clone(backend))),
        runtime.spawn(digests::run(Arc::clone(engine))),
        runtime.spawn(search::run(
            Arc::clone(engine),
            index,
            SearchFolder::within(rotating.folder.path()),
            commit_signals.log_changes().clone(),
        )),
        runtime.spawn(rotating.run()),
    ];
    for consumer in CONSUMERS {
        let changes = commit_signals.log_changes().clone();
        others.push(runtime.spawn(consumers::run(Arc::clone(engine), *consumer, changes)));
    }
    if let Some(signals) = signals {
        others.push(runtime.spawn(announcements::send(Arc::clone(&signals), announced)));
        others.push(runtime.spawn(log_signals::listen(signals, commit_signals.log_changes().clone())));
    }
    Chores { stop, queues, others }
}
