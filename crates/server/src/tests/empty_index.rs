//! An index of texts without any.

use async_trait::async_trait;
use octavo_core_model::{
    cancellation::Cancellation,
    id::{CommentId, PageId, WorkspaceId},
};
use octavo_ports::search::{
    Dependency, Hits, IndexFailure, IndexState, IndexedUnit, Look, NodeFilter, Progress, SearchIndex, UnitChanges,
    UnitKey,
};
use std::time::Duration;

/// Follows every log to its end and finds nothing.
pub(crate) struct EmptyIndex;

#[async_trait]
impl SearchIndex for EmptyIndex {
    fn progress(&self, _: WorkspaceId) -> Result<Option<Progress>, IndexFailure> {
        Ok(Some(Progress { up_to: i64::MAX, is_complete: true, rest: String::new() }))
    }

    fn workspaces(&self) -> Result<Vec<(WorkspaceId, i64)>, IndexFailure> {
        Ok(Vec::new())
    }

    fn apply(&self, _: Vec<UnitChanges>) -> Result<(), IndexFailure> {
        Ok(())
    }

    fn find(&self, _: &Look, _: &dyn NodeFilter, _: &Cancellation) -> Result<Hits, IndexFailure> {
        Ok(Hits::default())
    }

    fn list_depending(
        &self,
        _: WorkspaceId,
        _: Dependency,
        _: Option<UnitKey>,
        _: usize,
    ) -> Result<Vec<UnitKey>, IndexFailure> {
        Ok(Vec::new())
    }

    fn list_comments(&self, _: WorkspaceId, _: PageId) -> Result<Vec<CommentId>, IndexFailure> {
        Ok(Vec::new())
    }

    fn list(&self, _: WorkspaceId, _: Option<UnitKey>, _: usize) -> Result<Vec<IndexedUnit>, IndexFailure> {
        Ok(Vec::new())
    }

    fn state(&self) -> IndexState {
        IndexState::Open { lag: Duration::ZERO }
    }

    async fn reach(&self, _: WorkspaceId, _: i64, _: Duration) -> bool {
        true
    }
}
