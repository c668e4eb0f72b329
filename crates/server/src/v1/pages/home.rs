//! Where a page is to stand, as several bodies say it.

use crate::wire::{Parent, body};
use octavo_app::pages::{Landing, Place};
use octavo_core_model::id::{TeamId, WorkspaceId};

body! {
    /// What a page is to stand in.
    pub(crate) Home {
        /// The page it is to stand in; null for the root.
        parent "parentId": nullable Parent,
        /// The team of a page at the root; null for none.
        team "teamId": nullable TeamId = null,
    }
}

body! {
    /// What a copy is to stand in.
    pub(crate) HomeOfCopy {
        /// The page it is to stand in; null for the root.
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

impl From<HomeOfCopy> for Landing {
    fn from(HomeOfCopy { parent, team, workspace }: HomeOfCopy) -> Self {
        Self { workspace, place: Home { parent, team }.into() }
    }
}
