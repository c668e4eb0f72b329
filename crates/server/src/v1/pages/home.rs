//! The place of a page, as several bodies contain it.

use crate::wire::{Parent, body};
use octavo_app::{
    Draft,
    pages::{CopyTarget, MoveTarget, Place},
};
use octavo_core_model::{
    Fault,
    fault::{Hint, Issue, Violation},
    id::{DatabaseId, TeamId, WorkspaceId},
};

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
    /// Where to move a page.
    pub(crate) NewHome {
        /// The new parent page; null for the root.
        parent "parentId": nullable Parent,
        /// The team of a root page; null for none.
        team "teamId": nullable TeamId = null,
        /// The database in which it becomes a record.
        database "databaseId": optional DatabaseId,
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

impl NewHome {
    /// A page is moved either to a place for pages or into a database.
    pub(super) fn target(self) -> Draft<MoveTarget> {
        let Self { parent, team, database } = self;
        let Some(database) = database else { return Ok(MoveTarget::Place(Home { parent, team }.into())) };
        let beside = [("parentId", parent.is_some()), ("teamId", team.is_some())].into_iter();
        let flaws: Vec<_> = beside.filter(|(_, is_sent)| *is_sent).map(|(field, _)| excluded(field)).collect();
        if flaws.is_empty() { Ok(MoveTarget::Database(database)) } else { Err(Fault::Invalid(flaws)) }
    }
}

/// A field that `databaseId` leaves no room for.
pub(super) fn excluded(field: &'static str) -> Violation {
    Violation::new(field, Issue::InvalidValue).hinting(Hint::ruled_by(&["leave it out together with `databaseId`"]))
}

impl From<HomeOfCopy> for CopyTarget {
    fn from(HomeOfCopy { parent, team, workspace }: HomeOfCopy) -> Self {
        Self { workspace, place: Home { parent, team }.into() }
    }
}
