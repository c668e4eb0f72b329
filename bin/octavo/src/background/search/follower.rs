//! Follows the event logs with one index.

use crate::{background::failure::warn_unless_outage, wiring};
use octavo_app::{
    Engine,
    search::indexing::{self, Obstacle, Round},
};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::search::{IndexFailure, SearchIndex};
use octavo_search_index::TextIndex;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

/// How many workspaces one statement lists.
const LISTED: u32 = 5_000;

/// An index, and the logs that it has not followed to their ends.
pub(crate) struct Follower {
    engine: Arc<Engine>,
    index: Arc<TextIndex>,
    /// The workspaces to look at, each with the time since when it has been behind.
    behind: BTreeMap<WorkspaceId, Instant>,
    written: Option<Instant>,
    is_resting: bool,
}

/// Runs something on an index on a thread that may wait.
pub(crate) async fn at_once<T: Send + 'static>(
    index: &Arc<TextIndex>,
    run: impl FnOnce(&TextIndex) -> Result<T, IndexFailure> + Send + 'static,
) -> Result<T, IndexFailure> {
    let index = Arc::clone(index);
    tokio::task::spawn_blocking(move || run(&index)).await.unwrap_or(Err(IndexFailure::Unavailable))
}

impl Follower {
    pub(crate) fn new(engine: Arc<Engine>, index: Arc<TextIndex>) -> Self {
        Self { engine, index, behind: BTreeMap::new(), written: None, is_resting: true }
    }

    pub(super) const fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    pub(super) const fn index(&self) -> &Arc<TextIndex> {
        &self.index
    }

    pub(crate) fn want(&mut self, workspace: WorkspaceId) {
        self.behind.entry(workspace).or_insert_with(Instant::now);
    }

    pub(crate) fn has_work(&self) -> bool {
        !self.behind.is_empty()
    }

    /// How many workspaces are not indexed completely.
    pub(crate) fn unfinished(&self) -> usize {
        self.behind.keys().filter(|workspace| self.is_unfinished(**workspace)).count()
    }

    pub(super) const fn last_write(&self) -> Option<Instant> {
        self.written
    }

    /// Returns, once after each time of work, whether there has been none for this long.
    pub(super) fn rests_since(&mut self, idle: Duration) -> bool {
        let is_idle = self.behind.is_empty() && self.written.is_none_or(|at| at.elapsed() >= idle);
        is_idle && !mem::replace(&mut self.is_resting, true)
    }

    /// Looks at all logs. Returns how many workspaces there are, or `None` if the look failed.
    pub(crate) async fn look(&mut self) -> Option<usize> {
        let mut ends = BTreeMap::new();
        loop {
            let after = ends.last_key_value().map(|(workspace, _)| *workspace);
            let some = match indexing::list_ends(&self.engine, after, LISTED, wiring::now()).await {
                Ok(some) => some,
                Err(interrupt) => {
                    warn_unless_outage!(
                        interrupt,
                        ?interrupt,
                        "event logs could not be looked at for the search index"
                    );
                    return None;
                }
            };
            let is_last = some.len() < LISTED as usize;
            ends.extend(some);
            if is_last {
                break;
            }
        }
        let known: BTreeMap<_, _> = self.index.workspaces().ok()?.into_iter().collect();
        let gone: Vec<_> = known.keys().filter(|workspace| !ends.contains_key(workspace)).copied().collect();
        if !gone.is_empty() {
            let mut round = Round::default();
            for workspace in gone {
                round.forget(workspace);
            }
            self.write(&mut round).await;
        }
        for (workspace, last) in &ends {
            if known.get(workspace).is_none_or(|up_to| up_to != last) || self.is_unfinished(*workspace) {
                self.want(*workspace);
            }
        }
        self.behind.retain(|workspace, _| ends.contains_key(workspace));
        self.note_lag();
        Some(ends.len())
    }

    fn is_unfinished(&self, workspace: WorkspaceId) -> bool {
        let progress = self.index.progress(workspace).ok().flatten();
        progress.is_none_or(|progress| !progress.is_complete || !progress.rest.is_empty())
    }

    /// Indexes what comes next in the workspaces that are behind, as much as is written at once.
    pub(crate) async fn step(&mut self) {
        let (mut round, mut done) = (Round::default(), BTreeSet::new());
        for workspace in self.behind.keys().copied().collect::<Vec<_>>() {
            if round.is_full() {
                break;
            }
            let (of_engine, of_index) = (Arc::clone(&self.engine), Arc::clone(&self.index));
            // In a separate task, so that one that panics does not stop the others.
            let step = tokio::spawn(async move {
                let prepared = indexing::prepare(&of_engine, &*of_index, &mut round, workspace, wiring::now()).await;
                (round, prepared)
            });
            let prepared = match step.await {
                Ok((prepared_round, prepared)) => {
                    round = prepared_round;
                    prepared
                }
                Err(error) => {
                    tracing::error!(%workspace, %error, "the search index broke off");
                    self.behind.remove(&workspace);
                    return;
                }
            };
            match prepared {
                Ok(true) => {}
                Ok(false) => drop(done.insert(workspace)),
                Err(Obstacle::Index(_)) => return,
                Err(Obstacle::Interrupt(interrupt)) => {
                    // The next look at all logs finds it again.
                    warn_unless_outage!(interrupt, %workspace, ?interrupt, "events will be indexed later");
                    self.behind.remove(&workspace);
                }
            }
        }
        if round.is_empty() || self.write(&mut round).await {
            self.behind.retain(|workspace, _| !done.contains(workspace));
        }
        self.note_lag();
    }

    /// Returns whether it worked.
    async fn write(&mut self, round: &mut Round) -> bool {
        let changes = round.take();
        (self.written, self.is_resting) = (Some(Instant::now()), false);
        at_once(&self.index, move |index| index.apply(changes)).await.is_ok()
    }

    fn note_lag(&self) {
        self.index.note_lag(self.behind.values().map(Instant::elapsed).max().unwrap_or_default());
    }
}
