//! Who sees an event. This is decided when the event is read.

use crate::{
    access::{self, CallerKind, WorkspaceCaller},
    outcome::AppResult,
    page_access,
    scope::View,
};
use octavo_core_model::{
    Level, Role,
    event::{Audience, EventType, LoggedEvent},
    id::{DatabaseId, PageId, RecordId, TeamId, WorkspaceId},
    scope::ScopeArea,
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
    /// The caller's level on the pages and databases of these events. Those that no longer exist are missing here.
    levels: BTreeMap<PageId, Level>,
    /// The records of these events that still exist.
    records: BTreeSet<RecordId>,
}

impl EventVisibility {
    pub(super) async fn of(view: &mut View, caller: WorkspaceCaller) -> AppResult<Self> {
        let (teams, levels, records) = Default::default();
        let mut visibility = Self { caller, teams, tree: None, levels, records };
        if !visibility.caller.is_in_charge() && visibility.is_member() {
            let seen = teams::visibility(&visibility.caller.authority());
            let found = view.tx.teams().list(visibility.caller.workspace, seen, None, u32::MAX).await?;
            visibility.teams = found.into_iter().map(|team| team.id).collect();
        }
        Ok(visibility)
    }

    /// Looks up the pages and databases that these events are about: one statement, plus those for levels.
    pub(super) async fn look_up_nodes(&mut self, view: &mut View, events: &[LoggedEvent]) -> AppResult<()> {
        let ids: BTreeSet<PageId> = events.iter().flat_map(|event| event.location.nodes()).collect();
        let unknown: Vec<_> = ids.into_iter().filter(|id| !self.levels.contains_key(id)).collect();
        if self.caller.is_in_charge() || unknown.is_empty() {
            return Ok(());
        }
        if self.tree.is_none() {
            let authority = access::authority_in_teams(view, &self.caller).await?;
            self.tree = Some(page_access::visibility::Visibility::of_everything(self.caller.workspace, &authority));
        }
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let found = view.tx.pages().list_by_id(self.caller.workspace, &unknown).await?;
        tree.look_up(view, found.iter().map(|page| page.access)).await?;
        for page in found {
            let level = tree.level(page.access);
            let hidden = page.trash.is_some() && level < Level::Edit;
            self.levels.insert(page.id, if hidden { Level::None } else { level });
        }
        self.look_up_records(view, events).await
    }

    /// Looks up which records still exist. One statement; none without events of records.
    async fn look_up_records(&mut self, view: &mut View, events: &[LoggedEvent]) -> AppResult<()> {
        let ids: BTreeSet<_> = events.iter().filter_map(|event| event.location.record).collect();
        let unknown: Vec<_> = ids.into_iter().filter(|id| !self.records.contains(id)).collect();
        if !unknown.is_empty() {
            let found = view.tx.records().list_by_id(self.caller.workspace, &unknown).await?;
            self.records.extend(found.into_iter().map(|record| record.id));
        }
        Ok(())
    }

    pub(super) const fn caller(&self) -> &WorkspaceCaller {
        &self.caller
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
                Some(Audience::PageReaders) => {
                    let (node, area) = node_of(event);
                    self.opens(area) && self.has_level(node, Level::View, event)
                }
                Some(Audience::DatabaseReaders) => {
                    self.opens(ScopeArea::Databases) && self.has_level(database_of(event), Level::View, event)
                }
                Some(Audience::NodeReaders) => {
                    let node = event.location.page.or(database_of(event));
                    self.opens(ScopeArea::Databases) && self.has_level(node, Level::View, event)
                }
                Some(Audience::RecordReaders) => self.opens(ScopeArea::Databases) && self.shows_record(event),
                Some(Audience::GrantReaders) => {
                    // Grants that are on neither are visible only to those who run the workspace.
                    let (node, area) = node_of(event);
                    node.is_some() && self.opens(area) && self.has_level(node, Level::Edit, event)
                }
                // `None`: the event was written by a newer release, which knows who else may read it.
                Some(Audience::Actor) | None => self.is_actor_of(event),
            }
    }

    /// Whether the caller may read an event of a record. Its page may have had grants of its own, so once it is gone
    /// there is no way to check who could read it: only the actor still sees what was in it.
    fn shows_record(&self, event: &LoggedEvent) -> bool {
        let exists = event.location.record.is_some_and(|id| self.records.contains(&id));
        if !exists && event.kind != EventType::RecordDeleted.name() {
            return self.is_actor_of(event);
        }
        // A page without a row has the access of its database.
        let page = page_of(event).filter(|id| self.levels.contains_key(id));
        self.has_level(page.or(database_of(event)), Level::View, event)
    }

    /// Whether apps need no scope that this one lacks to see things of an area.
    fn opens(&self, area: ScopeArea) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.opens(area))
    }

    /// Whether the caller has this level on the page or database of an event. If that no longer exists, users see only
    /// their own events.
    fn has_level(&self, node: Option<PageId>, least: Level, event: &LoggedEvent) -> bool {
        match node.and_then(|id| self.levels.get(&id)) {
            Some(level) => *level >= least,
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

/// The page of an event, or that of its record.
fn page_of(event: &LoggedEvent) -> Option<PageId> {
    event.location.page.or(event.location.record.map(RecordId::page))
}

/// The page of an event, or else its database, and the area that apps need a scope of to see it.
fn node_of(event: &LoggedEvent) -> (Option<PageId>, ScopeArea) {
    match event.location.page {
        Some(page) => (Some(page), ScopeArea::Pages),
        None => (database_of(event), ScopeArea::Databases),
    }
}

fn database_of(event: &LoggedEvent) -> Option<PageId> {
    event.location.database.map(DatabaseId::node)
}
