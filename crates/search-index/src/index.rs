//! The index as the rest of the program sees it.

use crate::{
    Failure, find::Search, folder, keys::Tenant, listing, open_index::OpenIndex, stop::Stop, waiting::Waiting,
};
use async_trait::async_trait;
use octavo_core_model::{
    Outage,
    cancellation::Cancellation,
    id::{CommentId, PageId, WorkspaceId},
};
use octavo_ports::search::{
    Dependency, Hits, IndexFailure, IndexState, IndexedUnit, Look, NodeFilter, Progress, SearchIndex, UnitChanges,
    UnitKey,
};
use parking_lot::{Mutex, RwLock};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::time::timeout;

/// The index of a node. It is closed until [`Self::open`] was called.
pub struct TextIndex {
    folder: PathBuf,
    open: RwLock<Option<Arc<OpenIndex>>>,
    waiting: Waiting,
    /// Whether another program writes the index, which then also decides whether it is damaged.
    only_reads: AtomicBool,
    /// Failures to write, and to read.
    outages: [Outage; 2],
    since: Instant,
    lag: Mutex<Duration>,
}

impl TextIndex {
    /// An index in this folder, which belongs to the index alone. Nothing is read yet.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder,
            open: RwLock::default(),
            waiting: Waiting::new(),
            only_reads: AtomicBool::new(false),
            outages: Default::default(),
            since: Instant::now(),
            lag: Mutex::default(),
        }
    }

    /// Opens the index unless it is open. One that is damaged or has an outdated format is replaced by an empty one.
    pub fn open(&self) -> Result<(), IndexFailure> {
        let mut open = self.open.write();
        if open.is_none() {
            let opened = guarded(|| OpenIndex::open(&self.folder)).or_else(|failure| {
                if !folder::is_damage(&failure) {
                    return Err(failure);
                }
                tracing::warn!(%failure, "the search index is damaged and will be made anew");
                folder::remove(&self.folder)?;
                guarded(|| OpenIndex::open(&self.folder))
            });
            *open = Some(Arc::new(self.noted(Access::Write, opened)?));
        }
        Ok(())
    }

    /// Opens the index for a program that only reads it, beside one that writes. Nothing is changed or replaced.
    pub fn open_to_read(&self) -> Result<(), IndexFailure> {
        self.only_reads.store(true, Ordering::Relaxed);
        let opened = guarded(|| OpenIndex::open_to_read(&self.folder));
        *self.open.write() = Some(Arc::new(self.noted(Access::Read, opened)?));
        Ok(())
    }

    /// Reads what another program has written since.
    pub fn reload(&self) -> Result<(), IndexFailure> {
        self.with(Access::Read, OpenIndex::reload)
    }

    /// Frees memory and threads that only writing needs. They come back with the next change.
    pub fn rest(&self) -> Result<(), IndexFailure> {
        self.with(Access::Write, OpenIndex::rest)
    }

    /// Notes how long a log has waited to be followed to its end.
    pub fn note_lag(&self, lag: Duration) {
        *self.lag.lock() = lag;
    }

    /// Puts the index of another folder in the place of this one, and removes that folder. The other index must not be
    /// open.
    pub fn replace_by(&self, folder: &Path) -> Result<(), IndexFailure> {
        let mut open = self.open.write();
        *open = None;
        let replaced = guarded(|| {
            folder::replace(&self.folder, folder)?;
            OpenIndex::open(&self.folder)
        });
        *open = Some(Arc::new(self.noted(Access::Write, replaced)?));
        drop(open);
        self.waiting.note_change();
        Ok(())
    }

    /// Waits until a search asks for logs to be followed at once, and returns these.
    pub async fn asked(&self) -> BTreeSet<WorkspaceId> {
        self.waiting.asked().await
    }

    /// Runs something on the open index. If that shows that the index is damaged, it is removed and closed.
    fn with<T>(&self, access: Access, run: impl FnOnce(&OpenIndex) -> crate::Result<T>) -> Result<T, IndexFailure> {
        let index = self.open.read().clone().ok_or(Failure::Closed);
        let done = index.and_then(|index| guarded(|| run(&index)));
        if let Err(failure) = &done
            && folder::is_damage(failure)
            && !self.only_reads.load(Ordering::Relaxed)
        {
            self.discard(failure);
        }
        self.noted(access, done)
    }

    fn discard(&self, failure: &Failure) {
        let mut open = self.open.write();
        if open.take().is_some() {
            tracing::warn!(%failure, "the search index is damaged and will be made anew");
            if let Err(error) = folder::remove(&self.folder) {
                tracing::error!(%error, "the damaged search index cannot be removed");
            }
        }
    }

    /// Logs when the index begins to fail and when it is back, and hides the reason.
    fn noted<T>(&self, access: Access, done: crate::Result<T>) -> Result<T, IndexFailure> {
        match done {
            Ok(value) => {
                if self.outages[access as usize].succeeded(self.since.elapsed()).is_some() {
                    tracing::info!("the search index is available again");
                }
                Ok(value)
            }
            Err(Failure::Cancelled) => Err(IndexFailure::Cancelled),
            Err(Failure::Closed) => Err(IndexFailure::Unavailable),
            Err(failure) => {
                if self.outages[access as usize].failed(self.since.elapsed()) {
                    tracing::error!(%failure, "the search index fails");
                }
                Err(IndexFailure::Unavailable)
            }
        }
    }
}

/// What somebody does with the index. One may fail while the other works, for example on a full disk.
#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

/// Turns a panic into a failure: damaged files can cause one.
fn guarded<T>(run: impl FnOnce() -> crate::Result<T>) -> crate::Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Failure::Panicked))
}

#[async_trait]
impl SearchIndex for TextIndex {
    fn progress(&self, workspace: WorkspaceId) -> Result<Option<Progress>, IndexFailure> {
        self.with(Access::Read, |index| Ok(index.progress(workspace)))
    }

    fn workspaces(&self) -> Result<Vec<(WorkspaceId, i64)>, IndexFailure> {
        self.with(Access::Read, |index| Ok(index.workspaces()))
    }

    fn apply(&self, changes: Vec<UnitChanges>) -> Result<(), IndexFailure> {
        let applied = self.with(Access::Write, |index| index.apply(&changes));
        self.waiting.note_change();
        applied
    }

    fn find(&self, look: &Look, filter: &dyn NodeFilter, stop: &Cancellation) -> Result<Hits, IndexFailure> {
        self.with(Access::Read, |index| {
            let tenant = Tenant::of(look.workspace);
            Search { fields: index.fields(), look, filter, stop: Stop::new(stop), tenant }.run(&index.searcher())
        })
    }

    fn list_depending(
        &self,
        workspace: WorkspaceId,
        on: Dependency,
        after: Option<UnitKey>,
        limit: usize,
    ) -> Result<Vec<UnitKey>, IndexFailure> {
        let units = self.with(Access::Read, |index| index.units(&Tenant::of(workspace).depending_on(on)));
        Ok(listing::next(units?, after, limit).into_iter().map(|unit| unit.key).collect())
    }

    fn list_comments(&self, workspace: WorkspaceId, page: PageId) -> Result<Vec<CommentId>, IndexFailure> {
        let units = self.with(Access::Read, |index| index.units(&Tenant::of(workspace).on_page(page.into())))?;
        let comment = |unit: IndexedUnit| if let UnitKey::Comment(id) = unit.key { Some(id) } else { None };
        Ok(units.into_iter().filter_map(comment).collect())
    }

    fn list(
        &self,
        workspace: WorkspaceId,
        after: Option<UnitKey>,
        limit: usize,
    ) -> Result<Vec<IndexedUnit>, IndexFailure> {
        let units = self.with(Access::Read, |index| index.units(&Tenant::of(workspace).units()));
        Ok(listing::next(units?, after, limit))
    }

    fn state(&self) -> IndexState {
        if self.open.read().is_some() { IndexState::Open { lag: *self.lag.lock() } } else { IndexState::Down }
    }

    async fn reach(&self, workspace: WorkspaceId, sequence: i64, within: Duration) -> bool {
        let mut changes = self.waiting.changes();
        let reached = || {
            let progress = self.progress(workspace).ok().flatten();
            progress.is_some_and(|progress| progress.is_complete && progress.up_to >= sequence)
        };
        let wait = async {
            while !reached() {
                self.waiting.ask(workspace);
                // The sender lives as long as the index.
                let _ = changes.changed().await;
            }
        };
        timeout(within, wait).await.is_ok()
    }
}
