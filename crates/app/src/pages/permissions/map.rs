//! The entries that apply to a page, each with its source.

use super::super::lineage::Visible;
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    Level, Role, TeamRole,
    grant::{Grant, Grantee},
    id::{AccessGrantId, TeamId, UserId, WorkspaceId},
    member::MemberFilter,
    page::{Node, ResourceId},
};
use octavo_ports::store::Reads;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The source of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub node: SourceNode,
    /// `None` for what a workspace or a team gives by default.
    pub grant: Option<AccessGrantId>,
}

/// What an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceNode {
    Workspace(WorkspaceId),
    Team(TeamId),
    Resource(ResourceId),
}

impl SourceNode {
    /// The kind in snake case.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Workspace(_) => "workspace",
            Self::Team(_) => "team",
            Self::Resource(id) => id.kind(),
        }
    }
}

impl fmt::Display for SourceNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace(id) => id.fmt(f),
            Self::Team(id) => id.fmt(f),
            Self::Resource(id) => id.fmt(f),
        }
    }
}

/// An entry that a page or database inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inherited {
    pub grantee: Grantee,
    pub level: Level,
    pub source: Source,
}

/// The nearest entry of each principal.
pub(super) type Map = BTreeMap<Grantee, (Level, Source)>;

/// The entries that the page inherits. `grants` contains the grants of the pages above, possibly among others.
pub(super) async fn above<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    seen: &Visible<'_>,
    grants: &[Grant],
) -> AppResult<Vec<Inherited>> {
    let above = seen.lineage.steps.len().saturating_sub(1);
    let map = walk(scope, seen, grants, above).await?;
    Ok(map.into_iter().map(|(grantee, (level, source))| Inherited { grantee, level, source }).collect())
}

/// The entries that apply to the page itself.
pub(super) async fn on_page<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    seen: &Visible<'_>,
    grants: &[Grant],
) -> AppResult<Map> {
    walk(scope, seen, grants, seen.lineage.steps.len()).await
}

async fn walk<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    seen: &Visible<'_>,
    grants: &[Grant],
    count: usize,
) -> AppResult<Map> {
    let steps = &seen.lineage.steps;
    let mut map = Map::new();
    if let Some(top) = steps.first() {
        map = root(scope, seen.page.workspace, top.container, top.in_private_team).await?;
    }
    for step in steps.iter().take(count) {
        if !step.inherit {
            map.clear();
        }
        for grant in grants.iter().filter(|grant| grant.page == step.id && grant.grantee.email().is_none()) {
            let source =
                Source { node: SourceNode::Resource(ResourceId::of(step.id, step.kind)), grant: Some(grant.id) };
            map.insert(grant.grantee.clone(), (grant.level, source));
        }
    }
    Ok(map)
}

async fn root<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    container: Node,
    in_private_team: Option<bool>,
) -> AppResult<Map> {
    let everybody = Grantee::Workspace(workspace);
    let Some(team) = container.team() else {
        let source = Source { node: SourceNode::Workspace(workspace), grant: None };
        return Ok([(everybody, (Level::Edit, source))].into());
    };
    let source = Source { node: SourceNode::Team(team), grant: None };
    let mut map = Map::from([(Grantee::Team(team), (Level::Edit, source))]);
    if in_private_team == Some(false) {
        map.insert(everybody, (Level::View, source));
    }
    for admin in team_admins(scope, workspace, team).await? {
        map.insert(Grantee::User(admin), (Level::FullAccess, source));
    }
    Ok(map)
}

/// The admins of a team, without guests.
async fn team_admins<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    team: TeamId,
) -> AppResult<Vec<UserId>> {
    let members = scope.tx.teams().list_memberships(workspace, team, None, u32::MAX).await?;
    let admins: Vec<_> = members.into_iter().filter(|member| member.role == TeamRole::Admin).collect();
    if admins.is_empty() {
        return Ok(Vec::new());
    }
    let filter = MemberFilter { role: Some(Role::Guest), ..MemberFilter::default() };
    let guests = scope.tx.members().list(workspace, &filter, None, u32::MAX).await?;
    let guests: BTreeSet<_> = guests.into_iter().map(|guest| guest.user).collect();
    Ok(admins.into_iter().map(|admin| admin.user).filter(|user| !guests.contains(user)).collect())
}
