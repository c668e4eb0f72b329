//! The event of a change of permissions.

use super::{Location, NodeFields, Payload};
use crate::{
    Level, Role, Timestamp,
    event::Resource,
    grant::{Grant, GranteeKind},
    id::{MembershipId, TeamId, UserId, WorkspaceId},
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
    /// The grants of a page or database were changed, or whether it inherits.
    Node(NodeAccessChanged),
}

/// What was granted on a page or database, and what is granted now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeAccessChanged {
    #[serde(flatten)]
    node: NodeFields,
    before: Box<NodeAccess>,
    after: Box<NodeAccess>,
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

/// The grants of a page or database, and whether it also inherits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeAccess {
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

impl NodeAccess {
    /// What these grants give on the node, and whether it inherits.
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
    /// The event of a page or database on which access changed.
    pub fn on_node(node: &Page, before: NodeAccess, after: NodeAccess) -> Self {
        let node = NodeFields::of(node);
        Self::Node(NodeAccessChanged { node, before: Box::new(before), after: Box::new(after) })
    }
}

impl Payload for PermissionChanged {
    fn resource(&self) -> Resource {
        match self {
            Self::Role { membership, .. } => Resource::Member(*membership),
            Self::Settings { workspace, .. } => Resource::Workspace(*workspace),
            Self::TeamDeleted { team_id, .. } => Resource::Team(*team_id),
            Self::Node(changed) => changed.node.resource(),
        }
    }

    fn location(&self) -> Location {
        match self {
            Self::Role { .. } | Self::Settings { .. } => Location::WORKSPACE,
            Self::TeamDeleted { team_id, .. } => Location::of_team(*team_id),
            Self::Node(changed) => changed.node.location(),
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
        let access = |grant| Box::new(NodeAccess { inherit: true, grants: vec![grant] });
        let node = NodeFields::example();
        Self::Node(NodeAccessChanged { node, before: access(before), after: access(after) })
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
        let access = |grant| Box::new(NodeAccess { inherit: true, grants: vec![grant] });
        let setting = |allowed: bool| Map::from_iter([("shareLinks.allowed".to_owned(), allowed.into())]);
        let on = |node| {
            let after = GrantSummary { level: Level::Edit, ..by_address.clone() };
            Self::Node(NodeAccessChanged { node, before: access(by_address.clone()), after: access(after) })
        };
        let others = vec![
            role(Some(MemberRole { role: Role::Admin })),
            role(None),
            Self::Settings { workspace: WorkspaceId::EXAMPLE, before: setting(true), after: setting(false) },
            Self::TeamDeleted { team_id: TeamId::EXAMPLE, before: TeamPrivacy { is_private: false }, after: () },
        ];
        others.into_iter().chain(NodeFields::more_examples().map(on)).collect()
    }
}
