//! Who sees an event, judged when it is read.

use crate::{
    access::{self, Entry, Visitor},
    engine::AppResult,
    pages,
    scope::View,
};
use octavo_core_model::{
    Level, Role,
    event::{EventType, LoggedEvent},
    id::{PageId, WorkspaceId},
};
use octavo_permissions::teams;
use std::collections::{BTreeMap, BTreeSet};

/// What is done to decide who sees a page. Who may read its grants learns of it.
const OF_GRANTS: [&str; 2] = ["access_request", "share_link"];

/// What a caller sees of the log of a workspace.
#[derive(Debug)]
pub(super) struct Sight {
    entry: Entry,
    /// The teams the caller sees, where it does not see everything.
    teams: BTreeSet<String>,
    /// What the caller sees of the tree; looked up for the first event of a page.
    tree: Option<pages::visibility::Visibility>,
    /// The caller's level on pages of events that were looked at. Who knows of none has seen those that are gone.
    pages: BTreeMap<PageId, Level>,
}

impl Sight {
    pub(super) async fn of(view: &mut View, entry: Entry) -> AppResult<Self> {
        let mut sight = Self { entry, teams: BTreeSet::new(), tree: None, pages: BTreeMap::new() };
        if !sight.entry.is_in_charge() && sight.is_member() {
            let seen = teams::sight(&sight.entry.authority());
            let found = view.tx.list_teams(sight.entry.workspace, seen, None, u32::MAX).await?;
            sight.teams = found.into_iter().map(|team| team.id.to_string()).collect();
        }
        Ok(sight)
    }

    /// Looks up the pages that these events are about: one statement, and what it takes to look up levels.
    pub(super) async fn learn(&mut self, view: &mut View, events: &[LoggedEvent]) -> AppResult<()> {
        let ids: BTreeSet<PageId> = events.iter().filter_map(page_of).collect();
        let unknown: Vec<_> = ids.into_iter().filter(|id| !self.pages.contains_key(id)).collect();
        if self.entry.is_in_charge() || unknown.is_empty() {
            return Ok(());
        }
        if self.tree.is_none() {
            let authority = access::authority_in_teams(view, &self.entry).await?;
            self.tree = Some(pages::visibility::Visibility::of(self.entry.workspace, &authority));
        }
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let found = view.tx.list_pages_by_id(self.entry.workspace, &unknown).await?;
        tree.look_up(view, found.iter().map(|page| page.access)).await?;
        for page in found {
            let level = tree.level(page.access);
            let hidden = page.trash.is_some() && level < Level::Edit;
            self.pages.insert(page.id, if hidden { Level::None } else { level });
        }
        Ok(())
    }

    /// The level on the page of an event; `None` where it is gone for good.
    fn level_on_page(&self, event: &LoggedEvent) -> Option<Level> {
        self.pages.get(&page_of(event)?).copied()
    }

    pub(super) const fn workspace(&self) -> WorkspaceId {
        self.entry.workspace
    }

    pub(super) fn shows(&self, event: &LoggedEvent) -> bool {
        if self.entry.is_in_charge() {
            return true;
        }
        let page_level = self.level_on_page(event);
        if event.kind == EventType::PermissionChanged.name() || is_of_grants(event) {
            return page_level.is_some_and(|level| level >= Level::Edit);
        }
        match event.resource_type.as_str() {
            "page" if page_level.is_some() => page_level >= Some(Level::View),
            "workspace" | "member" | "invitation" | "user" => self.is_member(),
            "team" | "team_member" if event.team_id().is_some_and(|id| self.teams.contains(id)) => true,
            // Of what is not there any more.
            _ => self.is_actor_of(event),
        }
    }

    /// Keys stand for the workspace, guests outside of it.
    fn is_member(&self) -> bool {
        self.entry.role().is_none_or(|role| role >= Role::Member)
    }

    fn is_actor_of(&self, event: &LoggedEvent) -> bool {
        let (kind, id) = match &self.entry.visitor {
            Visitor::Member { user, .. } => ("USER", user.id.to_string()),
            Visitor::Key(key) => ("API_KEY", key.id.to_string()),
            Visitor::App { app, .. } => ("OAUTH_APP", app.claims.client.to_string()),
        };
        let same_user = match &self.entry.visitor {
            Visitor::App { user, .. } => event.on_behalf_of == Some(user.id),
            Visitor::Member { .. } | Visitor::Key(_) => true,
        };
        event.actor_type == kind && event.actor_id.as_ref() == Some(&id) && same_user
    }
}

fn is_of_grants(event: &LoggedEvent) -> bool {
    OF_GRANTS.contains(&event.resource_type.as_str())
}

/// The page that decides who sees an event: the one it is about, or the one of the link or request that it is about.
fn page_of(event: &LoggedEvent) -> Option<PageId> {
    let id = match event.resource_type.as_str() {
        "page" => Some(event.resource_id.as_str()),
        _ if is_of_grants(event) => event.page_id(),
        _ => None,
    };
    id?.parse().ok()
}
