//! The level of a caller on a node: the one function behind every route, list, search and stream.

use crate::{Authority, ContentNode, Member, NodeEntry, Principal, Root, Team};
use octavo_core_model::{Level, Role, TeamRole};
use smallvec::SmallVec;

/// Members of up to this many teams are resolved without allocation.
const TEAMS_WITHOUT_ALLOCATION: usize = 16;

/// The level of a caller on the last node of a chain, or on the root if there are no nodes below it.
pub fn level<'n>(authority: &Authority, root: Root, below: impl IntoIterator<Item = ContentNode<'n>>) -> Level {
    below.into_iter().fold(Resolver::at(authority, root), Resolver::enter).level()
}

/// Walks down a chain on behalf of one caller. It is at one node and knows the level there.
///
/// Clone it before each branch when walking a tree: all nodes below share the way so far. For callers with the same
/// level everywhere (keys, owners, admins, outsiders), entering a node does nothing.
#[derive(Clone, Debug)]
pub struct Resolver<'a> {
    verdict: NodeOutcome<'a>,
    cap: Level,
}

/// The result of the entries on the way, before any cap.
#[derive(Clone, Debug)]
pub(crate) enum NodeOutcome<'a> {
    /// The same on every node.
    Settled(Level),
    /// The relevant entries.
    Entries(Entries<'a>),
}

impl<'a> Resolver<'a> {
    /// Starts at the root of a chain.
    pub fn at(authority: &'a Authority, root: Root) -> Self {
        Self { verdict: NodeOutcome::at(authority, root), cap: authority.cap() }
    }

    /// Steps down to a node.
    #[must_use]
    pub fn enter(mut self, node: ContentNode<'_>) -> Self {
        self.verdict.enter(node.inherit, node.entries.iter());
        self
    }

    /// The caller's level on the node that was entered last.
    pub fn level(&self) -> Level {
        self.verdict.level().min(self.cap)
    }
}

impl<'a> NodeOutcome<'a> {
    pub(crate) fn at(authority: &'a Authority, root: Root) -> Self {
        match authority {
            Authority::Outsider => Self::Settled(Level::None),
            Authority::Key(scope) => Self::Settled(scope.level()),
            Authority::Member(member) | Authority::App { member, .. } if member.administers() => {
                Self::Settled(Level::FullAccess)
            }
            Authority::Member(member) | Authority::App { member, .. } => Self::Entries(Entries::of_root(member, root)),
        }
    }

    pub(crate) fn enter<'e>(&mut self, inherit: bool, granted: impl Iterator<Item = &'e NodeEntry>) {
        if let Self::Entries(entries) = self {
            entries.enter(inherit, granted);
        }
    }

    pub(crate) fn level(&self) -> Level {
        match self {
            Self::Settled(level) => *level,
            Self::Entries(entries) => entries.level(),
        }
    }
}

/// The nearest entry of each principal that can matter to one member; entries of others are not kept.
#[derive(Clone, Debug)]
pub(crate) struct Entries<'a> {
    member: &'a Member,
    user: Option<Level>,
    workspace: Option<Level>,
    /// In the order of the member's teams; empty until one of them has an entry.
    teams: SmallVec<[Option<Level>; TEAMS_WITHOUT_ALLOCATION]>,
}

impl<'a> Entries<'a> {
    fn of_root(member: &'a Member, root: Root) -> Self {
        let mut entries = Self { member, user: None, workspace: None, teams: SmallVec::new() };
        match root {
            Root::Workspace => entries.workspace = Some(Level::Edit),
            Root::Team(Team { id, is_private }) => {
                entries.workspace = (!is_private).then_some(Level::View);
                entries.put(NodeEntry { principal: Principal::Team(id), level: Level::Edit, expires: false });
                if member.team_role(id) == Some(TeamRole::Admin) && member.role() > Role::Guest {
                    entries.user = Some(Level::FullAccess);
                }
            }
        }
        entries
    }

    fn enter<'e>(&mut self, inherit: bool, granted: impl Iterator<Item = &'e NodeEntry>) {
        if !inherit {
            self.user = None;
            self.workspace = None;
            self.teams.clear();
        }
        for entry in granted {
            self.put(*entry);
        }
    }

    fn put(&mut self, entry: NodeEntry) {
        match entry.principal {
            Principal::User(user) if user == self.member.user() => self.user = Some(entry.level),
            Principal::User(_) => {}
            Principal::Workspace => self.workspace = Some(entry.level),
            Principal::Team(team) => {
                if let Some(index) = self.member.team_index(team) {
                    self.teams.resize(self.member.teams().len(), None);
                    self.teams[index] = Some(entry.level);
                }
            }
        }
    }

    /// An entry for the member decides alone. Otherwise the highest level counts, but guests only get what entries
    /// for them give.
    fn level(&self) -> Level {
        let for_many = || {
            let teams = self.teams.iter().copied().flatten().max();
            if self.member.is_guest() { None } else { teams.max(self.workspace) }
        };
        self.user.or_else(for_many).unwrap_or(Level::None)
    }
}
