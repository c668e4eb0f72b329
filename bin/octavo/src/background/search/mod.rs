//! Keeps the search index of this node up to date, and makes it anew on request.

mod follower;
mod rebuild;

pub(crate) use follower::{Follower, at_once};

use crate::search_folder::SearchFolder;
use octavo_app::Engine;
use octavo_search_index::TextIndex;
use octavo_server::LogChanges;
use rebuild::Rebuild;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// How often all logs are looked at without a signal.
const LOOK: Duration = Duration::from_secs(1);

/// The shortest time from one write to the next: what changes in between is written together.
const PAUSE: Duration = Duration::from_millis(200);

/// How long nothing must have changed until the memory for writing is freed.
const IDLE: Duration = Duration::from_secs(5);

/// Follows all logs.
pub(super) async fn run(engine: Arc<Engine>, index: Arc<TextIndex>, folder: SearchFolder, changes: LogChanges) {
    let mut logs = changes.listen_to_all();
    let mut follower = Follower::new(engine, Arc::clone(&index));
    let (mut looked, mut rebuild) = (None::<Instant>, None::<Rebuild>);
    loop {
        if at_once(&index, TextIndex::open).await.is_err() {
            sleep(LOOK).await;
            continue;
        }
        let wait = if follower.has_work() || rebuild.is_some() { Duration::ZERO } else { LOOK };
        // While there is work, signals are only collected.
        let mut is_asked = false;
        while !is_asked {
            tokio::select! {
                biased;
                grown = logs.grown() => match grown {
                    Some(workspace) => follower.want(workspace),
                    None => looked = None,
                },
                asked = index.asked() => {
                    is_asked = true;
                    for workspace in asked {
                        follower.want(workspace);
                    }
                }
                () = sleep(if follower.has_work() { Duration::ZERO } else { wait }) => break,
            }
        }
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            follower.look().await;
            looked = Some(Instant::now());
        }
        follower.step().await;
        if let Some(written) = follower.last_write()
            && !is_asked
        {
            sleep(PAUSE.saturating_sub(written.elapsed())).await;
        }
        rebuild = Rebuild::step(rebuild, &follower, &folder).await;
        if follower.rests_since(IDLE) {
            // The adapter logs failures.
            let _ = at_once(&index, TextIndex::rest).await;
        }
    }
}
