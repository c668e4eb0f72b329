//! The place of a page, as several bodies contain it.

use crate::wire::{Parent, body};
use octavo_app::pages::{CopyTarget, Place};
use octavo_core_model::id::{TeamId, WorkspaceId};

body! {
    /// The parent of a page.
    pub(crate) Home {
        /// The new parent page; null for the root.
        parent "parentId": nullable Parent,
        /// The team of a root page; null for none.
        team "teamId": nullable TeamId = null,
    }
}

body! {
    /// The parent of a copy.
    pub(crate) HomeOfCopy {
        /// The new parent page; null for the root.
        parent "parentId": nullable Parent,
        /// The team of a copy at the root; null for none.
        team "teamId": nullable TeamId = null,
        /// Another workspace of the caller.
        workspace "workspaceId": optional WorkspaceId,
    }
}

impl From<Home> for Place {
    fn from(home: Home) -> Self {
        Self { parent: home.parent.map(|parent| parent.map(|parent| parent.0)), team: home.team }
    }
}

impl From<HomeOfCopy> for CopyTarget {
    fn from(HomeOfCopy { parent, team, workspace }: HomeOfCopy) -> Self {
        Self { workspace, place: Home { parent, team }.into() }
    }
}
