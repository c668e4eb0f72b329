//! Changes of several workspaces that are written together, because writing takes as long for one as for many.

use super::rest::{self, Rest};
use octavo_core_model::id::WorkspaceId;
use octavo_ports::search::{IndexFailure, Removal, SearchIndex, UnitChanges};
use std::{collections::BTreeMap, mem};

/// From this many bytes of texts on, a round is written.
const FULL: u64 = 8 << 20;

/// At most this many workspaces are written together.
const WORKSPACES: usize = 200;

/// What is written next.
#[derive(Debug, Default)]
pub struct Round {
    changes: BTreeMap<WorkspaceId, UnitChanges>,
    bytes: u64,
}

impl Round {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.bytes >= FULL || self.changes.len() >= WORKSPACES
    }

    pub(super) fn has(&self, workspace: WorkspaceId) -> bool {
        self.changes.contains_key(&workspace)
    }

    pub(super) fn add(&mut self, changes: UnitChanges, bytes: u64) {
        self.changes.insert(changes.workspace, changes);
        self.bytes += bytes;
    }

    /// Forgets a workspace that does not exist any more.
    pub fn forget(&mut self, workspace: WorkspaceId) {
        let removed = vec![Removal::Workspace];
        self.add(UnitChanges { workspace, removed, units: Vec::new(), progress: None }, 0);
    }

    /// Adds something to what is still to be done in a workspace, if the index knows it.
    pub(super) fn add_rest(
        &mut self,
        index: &dyn SearchIndex,
        workspace: WorkspaceId,
        more: Rest,
    ) -> Result<(), IndexFailure> {
        let of_round = self.changes.get_mut(&workspace);
        let progress = match &of_round {
            Some(changes) => changes.progress.clone(),
            None => index.progress(workspace)?,
        };
        let Some(mut progress) = progress else { return Ok(()) };
        let mut rests = rest::read(&progress.rest);
        rest::add(&mut rests, [more]);
        progress.rest = rest::write(&rests);
        if let Some(changes) = of_round {
            changes.progress = Some(progress);
        } else {
            let (removed, units) = (Vec::new(), Vec::new());
            self.add(UnitChanges { workspace, removed, units, progress: Some(progress) }, 0);
        }
        Ok(())
    }

    /// The changes to write. The round is empty afterwards.
    pub fn take(&mut self) -> Vec<UnitChanges> {
        self.bytes = 0;
        mem::take(&mut self.changes).into_values().collect()
    }
}
