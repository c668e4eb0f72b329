//! Nodes: what contains pages, and where they inherit access from.

use super::PageKind;
use crate::id::{DatabaseId, PageId, RecordId, TeamId, WorkspaceId};
use std::{fmt, str::FromStr};

/// A workspace, one of its teams, or a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A workspace: the root of its tree.
    Workspace(WorkspaceId),
    /// A team of the workspace.
    Team(TeamId),
    /// A page.
    Page(PageId),
}

impl Node {
    /// The page, if it is one.
    pub const fn page(self) -> Option<PageId> {
        match self {
            Self::Page(id) => Some(id),
            Self::Workspace(_) | Self::Team(_) => None,
        }
    }

    /// The team, if it is one.
    pub const fn team(self) -> Option<TeamId> {
        match self {
            Self::Team(id) => Some(id),
            Self::Workspace(_) | Self::Page(_) => None,
        }
    }

    /// The kind of node in snake case.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Workspace(_) => "workspace",
            Self::Team(_) => "team",
            Self::Page(_) => "page",
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace(id) => id.fmt(f),
            Self::Team(id) => id.fmt(f),
            Self::Page(id) => id.fmt(f),
        }
    }
}

/// The text is not a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidNode;

impl FromStr for Node {
    type Err = InvalidNode;

    fn from_str(text: &str) -> Result<Self, InvalidNode> {
        let page = text.parse().map(Self::Page).ok();
        let team = || text.parse().map(Self::Team).ok();
        let workspace = || text.parse().map(Self::Workspace).ok();
        page.or_else(team).or_else(workspace).ok_or(InvalidNode)
    }
}

/// What people give access to, share and keep as a favorite: a page or a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceId {
    /// A page.
    Page(PageId),
    /// A database.
    Database(DatabaseId),
}

impl ResourceId {
    /// What a node of the tree is to people.
    pub const fn of(id: PageId, kind: PageKind) -> Self {
        match kind {
            PageKind::Page | PageKind::Record => Self::Page(id),
            PageKind::Database => Self::Database(id.as_database()),
        }
    }

    /// Its node in the tree.
    pub const fn node(self) -> PageId {
        match self {
            Self::Page(id) => id,
            Self::Database(id) => id.node(),
        }
    }

    /// Whether a node of this kind can be what is named.
    pub fn is_a(self, kind: PageKind) -> bool {
        matches!(self, Self::Database(_)) == (kind == PageKind::Database)
    }

    /// The kind of resource in snake case.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Page(_) => "page",
            Self::Database(_) => "database",
        }
    }
}

impl From<PageId> for ResourceId {
    fn from(id: PageId) -> Self {
        Self::Page(id)
    }
}

impl From<DatabaseId> for ResourceId {
    fn from(id: DatabaseId) -> Self {
        Self::Database(id)
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(id) => id.fmt(f),
            Self::Database(id) => id.fmt(f),
        }
    }
}

impl FromStr for ResourceId {
    type Err = InvalidNode;

    fn from_str(text: &str) -> Result<Self, InvalidNode> {
        let page = text.parse().map(Self::Page).ok();
        page.or_else(|| text.parse().map(Self::Database).ok()).ok_or(InvalidNode)
    }
}

impl serde::Serialize for ResourceId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a caller names as the parent of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentRef {
    /// A page.
    Page(PageId),
    /// The page of this record.
    Record(RecordId),
    /// A database, which cannot contain pages.
    Database(DatabaseId),
}

impl FromStr for ParentRef {
    type Err = InvalidNode;

    fn from_str(text: &str) -> Result<Self, InvalidNode> {
        let page = text.parse().map(Self::Page).ok();
        let database = || text.parse().map(Self::Database).ok();
        let record = || text.parse().map(Self::Record).ok();
        page.or_else(database).or_else(record).ok_or(InvalidNode)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_node_reads_back_from_its_text() {
        for node in [
            Node::Workspace(WorkspaceId::new(1, [1; 10])),
            Node::Team(TeamId::new(1, [2; 10])),
            Node::Page(PageId::new(1, [3; 10])),
        ] {
            assert_eq!(node.to_string().parse(), Ok(node));
        }
        assert_eq!("usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX".parse::<Node>(), Err(InvalidNode));
    }

    #[test]
    fn a_resource_is_a_page_or_a_database_with_a_node_of_its_kind() {
        for (text, kind) in
            [("pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", PageKind::Record), ("db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX", PageKind::Database)]
        {
            let id: ResourceId = text.parse().unwrap();
            assert_eq!(id.to_string(), text);
            assert_eq!(id.node().to_string(), "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX");
            assert_eq!(ResourceId::of(id.node(), kind), id);
            assert_eq!(
                PageKind::ALL.iter().filter(|kind| id.is_a(**kind)).count(),
                if kind == PageKind::Database { 1 } else { 2 }
            );
        }
        assert_eq!("rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX".parse::<ResourceId>(), Err(InvalidNode));
    }

    #[test]
    fn a_parent_is_named_by_page_or_record() {
        let read = |text: &str| text.parse::<ParentRef>();
        assert!(matches!(read("pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"), Ok(ParentRef::Page(_))));
        assert!(matches!(read("db_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"), Ok(ParentRef::Database(_))));
        assert_eq!(read("rpt_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"), Ok(ParentRef::Record(RecordId::EXAMPLE)));
        assert_eq!(read("rec_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"), Ok(ParentRef::Record(RecordId::EXAMPLE)));
        for wrong in ["", "root", "rpt_1", "tm_01KAHQ5ZJ8T3M6N9P2R4S7V0WX"] {
            assert_eq!(read(wrong), Err(InvalidNode), "{wrong}");
        }
    }
}
