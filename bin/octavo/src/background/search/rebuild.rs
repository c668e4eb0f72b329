//! Makes a new index beside the one that is in use, and then takes it in its place.

use super::follower::{Follower, at_once};
use crate::search_folder::{RebuildProgress, SearchFolder};
use octavo_search_index::TextIndex;
use std::{io, sync::Arc};

/// A rebuild that is under way.
pub(super) struct Rebuild {
    next: Follower,
    workspaces: usize,
}

impl Rebuild {
    /// Begins a rebuild if one is wanted, goes on with it, or ends it.
    pub(super) async fn step(rebuild: Option<Self>, follower: &Follower, folder: &SearchFolder) -> Option<Self> {
        let begun = match rebuild {
            Some(rebuild) => Ok(rebuild),
            None if folder.is_rebuild_wanted() => Self::begin(follower, folder).await,
            None => return None,
        };
        let gone_on = match begun {
            Ok(rebuild) => rebuild.go_on(follower, folder).await,
            Err(error) => Err(error),
        };
        gone_on.unwrap_or_else(|error| {
            tracing::error!(%error, "the search index could not be made anew");
            let _ = folder.end_rebuild();
            None
        })
    }

    async fn begin(follower: &Follower, folder: &SearchFolder) -> io::Result<Self> {
        tracing::info!("the search index is made anew");
        folder.remove_next_index()?;
        let next = Arc::new(TextIndex::in_folder(folder.next_index()));
        at_once(&next, TextIndex::open).await.map_err(io::Error::other)?;
        let mut next = Follower::new(Arc::clone(follower.engine()), next);
        let workspaces = next.look().await.ok_or_else(|| io::Error::other("the event logs cannot be read"))?;
        Ok(Self { next, workspaces })
    }

    /// Indexes a little more; at the end the new index takes the place of the old one.
    async fn go_on(mut self, follower: &Follower, folder: &SearchFolder) -> io::Result<Option<Self>> {
        self.next.step().await;
        if self.next.has_work() {
            let left = self.next.unfinished();
            let (of, done) = (self.workspaces, self.workspaces.saturating_sub(left));
            folder.note_rebuild(RebuildProgress { done, of })?;
            return Ok(Some(self));
        }
        let next = Arc::clone(self.next.index());
        at_once(&next, TextIndex::rest).await.map_err(io::Error::other)?;
        drop((self, next));
        let by = folder.next_index();
        let replaced = at_once(follower.index(), move |index| index.replace_by(&by)).await;
        replaced.map_err(io::Error::other)?;
        folder.end_rebuild()?;
        tracing::info!("the new search index is in use");
        Ok(None)
    }
}
