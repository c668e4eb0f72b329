//! Who sees an event, judged when it is read.

use crate::{
    access::{Entry, Visitor},
    engine::AppResult,
    scope::View,
};
use octavo_core_model::{
    Role,
    event::{EventType, LoggedEvent},
    id::WorkspaceId,
};
use octavo_permissions::teams;
use std::collections::BTreeSet;

/// What a caller sees of the log of a workspace.
#[derive(Debug)]
pub(super) struct Sight {
    entry: Entry,
    /// The teams the caller sees, where it does not see everything.
    teams: BTreeSet<String>,
}

impl Sight {
    pub(super) async fn of(view: &mut View, entry: Entry) -> AppResult<Self> {
        let mut sight = Self { entry, teams: BTreeSet::new() };
        if !sight.entry.is_in_charge() && sight.is_member() {
            let seen = teams::sight(&sight.entry.authority());
            let found = view.tx.list_teams(sight.entry.workspace, seen, None, u32::MAX).await?;
            sight.teams = found.into_iter().map(|team| team.id.to_string()).collect();
        }
        Ok(sight)
    }

    pub(super) const fn workspace(&self) -> WorkspaceId {
        self.entry.workspace
    }

    pub(super) fn shows(&self, event: &LoggedEvent) -> bool {
        if self.entry.is_in_charge() {
            return true;
        }
        if event.kind == EventType::PermissionChanged.name() {
            // Only who may read the grants learns of them.
            return false;
        }
        match event.resource_type.as_str() {
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
