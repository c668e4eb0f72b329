//! The nodes that access is inherited through: the root of a chain and the nodes below it.

use octavo_core_model::{
    Level,
    id::{TeamId, UserId},
};

/// The principal of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    /// One member.
    User(UserId),
    /// All members of a team who are not guests.
    Team(TeamId),
    /// All members of the workspace who are not guests.
    Workspace,
}

/// The level that a node gives to a principal. `NONE` removes what it would inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEntry {
    /// The principal.
    pub principal: Principal,
    /// The level.
    pub level: Level,
    /// Whether it expires. Until then it counts like any other entry, except for the lasting level
    /// ([`LastingResolver`](crate::LastingResolver)).
    pub expires: bool,
}

/// A team, with the properties that affect access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// The id of the team.
    pub id: TeamId,
    /// Whether it is hidden from members of the workspace who are not in it.
    pub is_private: bool,
}

/// The root of a chain. A page of a team inherits from the team and not also from the workspace, so a chain has
/// exactly one root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The workspace, for pages without a team.
    Workspace,
    /// A team, for its pages.
    Team(Team),
}

/// A page, a database or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentNode<'a> {
    /// Whether entries from above apply here. `false` stops them for this node and everything below it.
    pub inherit: bool,
    /// The entries of this node that are valid now, without expired ones and without those for an address without a
    /// membership.
    pub entries: &'a [NodeEntry],
}
