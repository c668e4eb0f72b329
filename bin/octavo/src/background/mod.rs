//! What a server does besides answering: it numbers events, runs jobs, removes what is past its time, takes new keys into use.

mod bells;
mod clerk;
mod keys;
mod lanes;
mod sweeper;
mod touches;

pub(crate) use bells::Bells;
pub(crate) use keys::Rotating;

use octavo_core_model::job::Lane;
use octavo_ports::mailer::Mailer;
use octavo_server::Backend;
use std::sync::Arc;
use tokio::{runtime::Handle, task::JoinHandle};

/// Starts all of it on a runtime. What is started ends when it is aborted; every step is a unit of its own.
pub(crate) fn start(
    runtime: &Handle,
    backend: &Arc<Backend>,
    bells: &Arc<Bells>,
    mailer: &Arc<dyn Mailer>,
    rotating: Rotating,
) -> Vec<JoinHandle<()>> {
    let engine = backend.engine();
    let lane = |lane: Lane| {
        let (engine, bells, mailer) = (Arc::clone(engine), Arc::clone(bells), Arc::clone(mailer));
        let metrics = backend.metrics.clone();
        runtime.spawn(async move { lanes::run(lane, &engine, &bells, &*mailer, &metrics).await })
    };
    let mut started: Vec<_> = Lane::ALL.iter().map(|each| lane(*each)).collect();
    started.push(runtime.spawn(clerk::run(Arc::clone(engine), Arc::clone(bells))));
    started.push(runtime.spawn(sweeper::run(Arc::clone(engine), rotating.folder.clone())));
    started.push(runtime.spawn(touches::run(Arc::clone(backend))));
    started.push(runtime.spawn(rotating.run()));
    started
}
