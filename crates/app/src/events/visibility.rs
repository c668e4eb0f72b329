//! Who sees an event. This is decided when the event is read.

use crate::{
    access::{self, CallerKind, WorkspaceCaller},
    outcome::AppResult,
    page_access,
    scope::View,
};
use octavo_core_model::{
    Level, Role,
    event::{Audience, LoggedEvent},
    id::{DatabaseId, PageId, TeamId, WorkspaceId},
};
use octavo_permissions::teams;
use std::collections::{BTreeMap, BTreeSet};

/// What a caller may see of the log of a workspace.
#[derive(Debug)]
pub(super) struct EventVisibility {
    caller: WorkspaceCaller,
    /// The teams that the caller may see, unless they may see everything.
    teams: BTreeSet<TeamId>,
    /// What the caller may see of the page tree; loaded for the first event on a page.
    tree: Option<page_access::visibility::Visibility>,
    /// The caller's level on the pages of these events. Pages that no longer exist are missing here.
    pages: BTreeMap<PageId, Level>,
}

impl EventVisibility {
    pub(super) async fn of(view: &mut View, caller: WorkspaceCaller) -> AppResult<Self> {
        let mut visibility = Self { caller, teams: BTreeSet::new(), tree: None, pages: BTreeMap::new() };
        if !visibility.caller.is_in_charge() && visibility.is_member() {
            let seen = teams::visibility(&visibility.caller.authority());
            let found = view.tx.teams().list(visibility.caller.workspace, seen, None, u32::MAX).await?;
            visibility.teams = found.into_iter().map(|team| team.id).collect();
        }
        Ok(visibility)
    }

    /// Looks up the pages that these events are about: one statement, plus those for levels.
    pub(super) async fn look_up_pages(&mut self, view: &mut View, events: &[LoggedEvent]) -> AppResult<()> {
        let nodes = |event: &LoggedEvent| {
            let database = event.location.database.map(DatabaseId::node);
            [event.location.page, database].into_iter().flatten()
        };
        let ids: BTreeSet<PageId> = events.iter().flat_map(nodes).collect();
        let unknown: Vec<_> = ids.into_iter().filter(|id| !self.pages.contains_key(id)).collect();
        if self.caller.is_in_charge() || unknown.is_empty() {
            return Ok(());
        }
        if self.tree.is_none() {
            let authority = access::authority_in_teams(view, &self.caller).await?;
            self.tree = Some(page_access::visibility::Visibility::of(self.caller.workspace, &authority));
        }
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let found = view.tx.pages().list_by_id(self.caller.workspace, &unknown).await?;
        tree.look_up(view, found.iter().map(|page| page.access)).await?;
        for page in found {
            let level = tree.level(page.access);
            let hidden = page.trash.is_some() && level < Level::Edit;
            self.pages.insert(page.id, if hidden { Level::None } else { level });
        }
        Ok(())
    }

    pub(super) const fn workspace(&self) -> WorkspaceId {
        self.caller.workspace
    }

    pub(super) fn shows(&self, event: &LoggedEvent) -> bool {
        self.caller.is_in_charge()
            || match event.audience() {
                Some(Audience::Members) => self.is_member(),
                Some(Audience::TeamReaders) => {
                    event.location.team.is_some_and(|id| self.teams.contains(&id)) || self.is_actor_of(event)
                }
                Some(Audience::PageReaders) => self.reads_page_of(event, Level::View),
                Some(Audience::DatabaseReaders) => self.reads_database_of(event),
                // Grants that are not on a page are visible only to those who run the workspace.
                Some(Audience::GrantReaders) => event.location.page.is_some() && self.reads_page_of(event, Level::Edit),
                // `None`: the event was written by a newer release, which knows who else may read it.
                Some(Audience::Actor) | None => self.is_actor_of(event),
            }
    }

    /// Whether the caller has this level on the page of an event. If the page no longer exists, users see only their
    /// own events.
    fn reads_page_of(&self, event: &LoggedEvent, least: Level) -> bool {
        match event.location.page.and_then(|id| self.pages.get(&id)) {
            Some(level) => *level >= least,
            None => self.is_actor_of(event),
        }
    }

    /// Whether the caller may view the database of an event. If it no longer exists, users see only their own events.
    fn reads_database_of(&self, event: &LoggedEvent) -> bool {
        match event.location.database.and_then(|id| self.pages.get(&id.node())) {
            Some(level) => *level >= Level::View,
            None => self.is_actor_of(event),
        }
    }

    /// API keys count as members; guests do not.
    fn is_member(&self) -> bool {
        self.caller.role().is_none_or(|role| role >= Role::Member)
    }

    fn is_actor_of(&self, event: &LoggedEvent) -> bool {
        let (kind, id) = match &self.caller.kind {
            CallerKind::Member { user, .. } => ("USER", user.id.to_string()),
            CallerKind::Key(key) => ("API_KEY", key.id.to_string()),
            CallerKind::App { app, .. } => ("OAUTH_APP", app.claims.client.to_string()),
        };
        let same_user = match &self.caller.kind {
            CallerKind::App { user, .. } => event.on_behalf_of == Some(user.id),
            CallerKind::Member { .. } | CallerKind::Key(_) => true,
        };
        event.actor_type == kind && event.actor_id.as_ref() == Some(&id) && same_user
    }
}
