//! What access flows through: the root of a chain and the nodes below it.

use octavo_core_model::{
    Level,
    id::{TeamId, UserId},
};

/// Whom an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    /// One member.
    User(UserId),
    /// All members of a team who are not guests.
    Team(TeamId),
    /// All members of the workspace who are not guests.
    Workspace,
}

/// The level that a node gives to a principal. `NONE` takes away what it would inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry {
    /// Whom it names.
    pub principal: Principal,
    /// What they get.
    pub level: Level,
    /// Whether it ends by itself at some time. Until then it counts like any other, but not for what somebody has for good
    /// ([`LastingResolver`](crate::LastingResolver)).
    pub expires: bool,
}

/// A team, as far as access depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// Which one.
    pub id: TeamId,
    /// Whether it is hidden from members of the workspace who are not in it.
    pub is_private: bool,
}

/// Where a chain begins. A page that belongs to a team hangs below the team and not below the workspace too,
/// so a chain has exactly one root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The workspace, for what belongs to no team.
    Workspace,
    /// A team, for what belongs to it.
    Team(Team),
}

/// A page, a database or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentNode<'a> {
    /// Whether entries from above count here. `false` cuts them off for this node and all below it.
    pub inherit: bool,
    /// The grants of this node that count at this moment: none that expired, and none for an address without a membership.
    pub entries: &'a [NodeEntry],
}
