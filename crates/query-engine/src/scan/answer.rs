//! The answer to a query.

use super::place::Place;
use crate::{aggregate::AggregateValue, group::GroupKey};
use octavo_core_model::id::RecordId;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The records of the page.
    pub found: Found,
    /// The aggregates over all records that were found, in the order of the query.
    pub aggregates: Vec<AggregateValue>,
    /// How many records were found; `None` if the page was complete before all records were read.
    pub total: Option<u64>,
    /// Where the next page begins; `None` if this is the last one.
    pub next: Option<Place>,
}

/// The records of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The query has no groups.
    Records(Vec<RecordId>),
    /// All groups of the outermost level, in their order.
    Groups(Vec<Group>),
}

/// A group of records.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What the records have in common.
    pub key: GroupKey,
    /// How many records are in it, also those that are not on this page.
    pub count: u64,
    /// The aggregates over the records of the group, if the query asks for them.
    pub aggregates: Vec<AggregateValue>,
    /// The groups of the next level; none on the innermost level.
    pub groups: Vec<Self>,
    /// The records of the group that are on this page; none where there are groups of a next level.
    pub records: Vec<RecordId>,
}

impl Found {
    /// The ids of all records of the page, in the order in which they are shown.
    pub fn ids(&self) -> Vec<RecordId> {
        match self {
            Self::Records(ids) => ids.clone(),
            Self::Groups(groups) => groups.iter().flat_map(Group::ids).collect(),
        }
    }
}

impl Group {
    fn ids(&self) -> Vec<RecordId> {
        self.groups.iter().flat_map(Self::ids).chain(self.records.iter().copied()).collect()
    }
}
