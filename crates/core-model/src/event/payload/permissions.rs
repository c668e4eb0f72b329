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

/// Who may do what changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum PermissionChanged {
    /// The role of a member was changed, or ended with the membership.
    Role {
        /// The membership.
        #[serde(skip)]
        membership: MembershipId,
        /// The member.
        user_id: UserId,
        /// The old role.
        before: MemberRole,
        /// The new role; `None` if the membership ended.
        after: Option<MemberRole>,
    },
    /// Settings of the workspace.
    Settings {
        /// The workspace.
        #[serde(skip)]
        workspace: WorkspaceId,
        /// The old values of the settings that changed.
        before: Map<String, Value>,
        /// Their new values.
        after: Map<String, Value>,
    },
    /// A team was deleted together with the grants to it.
    TeamDeleted {
        /// The team.
        team_id: TeamId,
        /// Who could see it.
        before: TeamPrivacy,
        /// Nothing, since the team is gone.
        after: (),
    },
    /// The grants of a page were changed, or whether it inherits.
    Page {
        /// The page, as the resource of the event.
        resource_id: PageId,
        /// The page.
        page_id: PageId,
        /// The team that the page belongs to.
        team_id: Option<TeamId>,
        /// What was granted.
        before: Box<PageAccess>,
        /// What is granted now.
        after: Box<PageAccess>,
    },
}

/// The role that a member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MemberRole {
    /// The role.
    pub role: Role,
}

/// Who could see a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamPrivacy {
    /// Whether only its members could.
    pub is_private: bool,
}

/// The grants of a page, and whether it also inherits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageAccess {
    inherit: bool,
    grants: Vec<GrantSummary>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct GrantSummary {
    principal_type: GranteeKind,
    principal_id: Option<String>,
    email: Option<Email>,
    level: Level,
    expires_at: Option<Timestamp>,
}

impl PageAccess {
    /// What these grants give on the page, and whether it inherits.
    pub fn new(page: &Page, grants: &[Grant]) -> Self {
        let summary = |grant: &Grant| GrantSummary {
            principal_type: grant.grantee.kind(),
            principal_id: grant.grantee.id(),
            email: grant.grantee.email().cloned(),
            level: grant.level,
            expires_at: grant.expires_at,
        };
        Self { inherit: page.inherit, grants: grants.iter().map(summary).collect() }
    }
}

impl PermissionChanged {
    /// The event of a page on which access changed.
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
        let before = GrantSummary {
            principal_type: GranteeKind::User,
            principal_id: Some(UserId::EXAMPLE.to_string()),
            email: None,
            level: Level::View,
            expires_at: None,
        };
        let after = GrantSummary { level: Level::Edit, ..before.clone() };
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
            before: MemberRole { role: Role::Member },
            after,
        };
        let by_address = GrantSummary {
            principal_type: GranteeKind::Email,
            principal_id: None,
            email: Some(Email::from_stored("ada@example.com".to_owned())),
            level: Level::View,
            expires_at: Some(Timestamp::from_millis(1_795_858_200_000)),
        };
        let access = |grant| Box::new(PageAccess { inherit: true, grants: vec![grant] });
        let setting = |allowed: bool| Map::from_iter([("shareLinks.allowed".to_owned(), allowed.into())]);
        vec![
            role(Some(MemberRole { role: Role::Admin })),
            role(None),
            Self::Settings { workspace: WorkspaceId::EXAMPLE, before: setting(true), after: setting(false) },
            Self::TeamDeleted { team_id: TeamId::EXAMPLE, before: TeamPrivacy { is_private: false }, after: () },
            Self::Page {
                resource_id: PageId::EXAMPLE,
                page_id: PageId::EXAMPLE,
                team_id: None,
                before: access(by_address.clone()),
                after: access(GrantSummary { level: Level::Edit, ..by_address }),
            },
        ]
    }
}
