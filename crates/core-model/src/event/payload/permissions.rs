//! The event of a change of permissions.

use super::{Location, Payload};
use crate::{
    Level, Role, Timestamp,
    event::Resource,
    grant::{Grant, GranteeKind},
    id::{MembershipId, PageId, TeamId, UserId, WorkspaceId},
    page::Page,
    text::Email,
};
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum PermissionChanged {
    /// The role of a member was changed, or ended with the membership.
    Role {
        #[serde(skip)]
        membership: MembershipId,
        user_id: UserId,
        before: RoleHeld,
        after: Option<RoleHeld>,
    },
    /// Settings of the workspace.
    Settings {
        #[serde(skip)]
        workspace: WorkspaceId,
        before: Map<String, Value>,
        after: Map<String, Value>,
    },
    /// A team was deleted together with the grants to it.
    TeamDeleted { team_id: TeamId, before: TeamPrivacy, after: () },
    /// The grants of a page were changed, or whether it inherits.
    Page {
        resource_id: PageId,
        page_id: PageId,
        team_id: Option<TeamId>,
        before: Box<PageAccess>,
        after: Box<PageAccess>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoleHeld {
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamPrivacy {
    pub is_private: bool,
}

/// The grants of a page, and whether it also inherits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageAccess {
    inherit: bool,
    grants: Vec<GrantTold>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct GrantTold {
    principal_type: GranteeKind,
    principal_id: Option<String>,
    email: Option<Email>,
    level: Level,
    expires_at: Option<Timestamp>,
}

impl PageAccess {
    pub fn new(page: &Page, grants: &[Grant]) -> Self {
        let told = |grant: &Grant| GrantTold {
            principal_type: grant.grantee.kind(),
            principal_id: grant.grantee.id(),
            email: grant.grantee.email().cloned(),
            level: grant.level,
            expires_at: grant.expires_at,
        };
        Self { inherit: page.inherit, grants: grants.iter().map(told).collect() }
    }
}

impl PermissionChanged {
    pub fn on_page(page: &Page, before: PageAccess, after: PageAccess) -> Self {
        Self::Page {
            resource_id: page.id,
            page_id: page.id,
            team_id: page.team,
            before: Box::new(before),
            after: Box::new(after),
        }
    }
}

impl Payload for PermissionChanged {
    fn resource(&self) -> Resource {
        match self {
            Self::Role { membership, .. } => Resource::Member(*membership),
            Self::Settings { workspace, .. } => Resource::Workspace(*workspace),
            Self::TeamDeleted { team_id, .. } => Resource::Team(*team_id),
            Self::Page { page_id, .. } => Resource::Page(*page_id),
        }
    }

    fn location(&self) -> Location {
        match self {
            Self::Role { .. } | Self::Settings { .. } => Location::WORKSPACE,
            Self::TeamDeleted { team_id, .. } => Location::of_team(*team_id),
            Self::Page { page_id, team_id, .. } => Location::of_page(*page_id, *team_id),
        }
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        let before = GrantTold {
            principal_type: GranteeKind::User,
            principal_id: Some(UserId::EXAMPLE.to_string()),
            email: None,
            level: Level::View,
            expires_at: None,
        };
        let after = GrantTold { level: Level::Edit, ..before.clone() };
        let access = |grant| Box::new(PageAccess { inherit: true, grants: vec![grant] });
        Self::Page {
            resource_id: PageId::EXAMPLE,
            page_id: PageId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            before: access(before),
            after: access(after),
        }
    }

    fn more_examples() -> Vec<Self> {
        let role = |after| Self::Role {
            membership: MembershipId::EXAMPLE,
            user_id: UserId::EXAMPLE,
            before: RoleHeld { role: Role::Member },
            after,
        };
        let setting = |allowed: bool| Map::from_iter([("shareLinks.allowed".to_owned(), allowed.into())]);
        vec![
            role(Some(RoleHeld { role: Role::Admin })),
            role(None),
            Self::Settings { workspace: WorkspaceId::EXAMPLE, before: setting(true), after: setting(false) },
            Self::TeamDeleted { team_id: TeamId::EXAMPLE, before: TeamPrivacy { is_private: false }, after: () },
        ]
    }
}
