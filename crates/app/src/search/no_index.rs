//! What commands that do not search have in place of an index.

use async_trait::async_trait;
use octavo_core_model::{
    cancellation::Cancellation,
    id::{CommentId, PageId, WorkspaceId},
};
use octavo_ports::search::{
    Dependency, Hits, IndexFailure, IndexedUnit, Look, NodeFilter, Progress, SearchIndex, UnitChanges, UnitKey,
};
use std::time::Duration;

/// An index that is never available.
#[derive(Clone, Copy, Debug)]
pub struct NoIndex;

#[async_trait]
impl SearchIndex for NoIndex {
    fn progress(&self, _: WorkspaceId) -> Result<Option<Progress>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn workspaces(&self) -> Result<Vec<(WorkspaceId, i64)>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn apply(&self, _: Vec<UnitChanges>) -> Result<(), IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn find(&self, _: &Look, _: &dyn NodeFilter, _: &Cancellation) -> Result<Hits, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list_depending(
        &self,
        _: WorkspaceId,
        _: Dependency,
        _: Option<UnitKey>,
        _: usize,
    ) -> Result<Vec<UnitKey>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list_comments(&self, _: WorkspaceId, _: PageId) -> Result<Vec<CommentId>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    fn list(&self, _: WorkspaceId, _: Option<UnitKey>, _: usize) -> Result<Vec<IndexedUnit>, IndexFailure> {
        Err(IndexFailure::Unavailable)
    }

    async fn reach(&self, _: WorkspaceId, _: i64, _: Duration) -> bool {
        false
    }
}
