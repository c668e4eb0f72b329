//! What is copied together, and what that means for relations.

use octavo_blocks_tree::CopiedIds;
use octavo_core_model::id::{DatabaseId, PageId, RecordId};
use octavo_databases::{
    copy::{CopiedNames, RelationCopy},
    types::RelationConfig,
};
use std::collections::{BTreeMap, BTreeSet};

/// The ids of what is copied together, with those of the copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    /// Pages, databases as nodes, and pages of records that have a row.
    pub(crate) nodes: BTreeMap<PageId, PageId>,
    pub(crate) records: BTreeMap<RecordId, RecordId>,
}

impl Copies {
    pub(super) fn record(&self, original: RecordId) -> Option<RecordId> {
        self.records.get(&original).copied()
    }

    pub(super) fn database(&self, original: DatabaseId) -> Option<DatabaseId> {
        self.nodes.get(&original.node()).map(|copy| copy.as_database())
    }

    /// Everything that mentions can lead to: every record has a page.
    pub(crate) fn mentioned(&self) -> CopiedIds {
        let pages = self.records.iter().map(|(original, copy)| (original.page(), copy.page()));
        let pages = pages.chain(self.nodes.iter().map(|(original, copy)| (*original, *copy))).collect();
        CopiedIds { pages, ..CopiedIds::default() }
    }
}

/// What all copies of a call share.
pub(super) struct Plan<'a> {
    pub(super) copies: &'a Copies,
    pub(super) names: CopiedNames,
    /// The targets of relations that are not copied, but stay targets.
    pub(super) kept_targets: BTreeSet<DatabaseId>,
}

impl Plan<'_> {
    pub(super) fn fate(&self, relation: &RelationConfig) -> RelationCopy {
        if self.copies.database(relation.target).is_some() {
            RelationCopy::Within
        } else if self.kept_targets.contains(&relation.target) {
            RelationCopy::ToSame
        } else {
            RelationCopy::Dropped
        }
    }
}
