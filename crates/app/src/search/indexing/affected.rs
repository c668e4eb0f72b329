//! What events mean for the index.

use octavo_core_model::{
    event::{EventType, LoggedEvent},
    id::{CommentId, DatabaseId, EventId, PageId, RecordId, UserId},
};
use std::collections::{BTreeMap, BTreeSet};

/// What has to be looked at because of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Affected {
    /// Pages, databases and pages of records.
    pub(super) nodes: BTreeSet<PageId>,
    pub(super) records: BTreeSet<RecordId>,
    pub(super) comments: BTreeSet<CommentId>,
    /// Pages whose blocks changed: blocks that are shown elsewhere, or on which there are threads.
    pub(super) pages_with_changed_blocks: BTreeSet<PageId>,
    /// Records that may have a new title, by the events that say so.
    pub(super) changed_records: BTreeMap<EventId, (RecordId, DatabaseId)>,
    pub(super) removed_records: BTreeSet<RecordId>,
    /// Databases whose properties may have changed.
    pub(super) schemas: BTreeSet<DatabaseId>,
    /// Databases that may have come with records.
    pub(super) new_databases: BTreeSet<DatabaseId>,
    /// Pages that may be copies, with pages below them that no event names.
    pub(super) created: BTreeMap<EventId, PageId>,
    /// Pages that were deleted permanently.
    pub(super) deleted: BTreeMap<EventId, PageId>,
    pub(super) renamed: BTreeSet<UserId>,
}

impl Affected {
    pub(super) fn of(events: &[LoggedEvent]) -> Self {
        let mut affected = Self::default();
        for event in events {
            affected.add(event);
        }
        affected
    }

    fn add(&mut self, event: &LoggedEvent) {
        // Types that only a newer release knows are skipped. It indexes everything anew if they matter to it.
        let Ok(kind) = event.kind.parse::<EventType>() else { return };
        let location = event.location;
        let node = location.page.or_else(|| location.database.map(DatabaseId::node));
        match kind {
            EventType::PageCreated => {
                self.nodes.extend(node);
                self.created.extend(node.map(|node| (event.id, node)));
            }
            EventType::PageDeleted => {
                self.nodes.extend(node);
                self.deleted.extend(node.map(|node| (event.id, node)));
            }
            EventType::BlocksChanged | EventType::PageVersionRestored => {
                self.nodes.extend(node);
                self.pages_with_changed_blocks.extend(location.page);
            }
            EventType::PageImported
            | EventType::PageMoved
            | EventType::PageRestored
            | EventType::PageTrashed
            | EventType::PageUpdated => self.nodes.extend(node),
            EventType::DatabaseCreated => {
                self.nodes.extend(node);
                self.new_databases.extend(location.database);
            }
            EventType::DatabaseUpdated => {
                self.nodes.extend(node);
                self.schemas.extend(location.database);
            }
            EventType::RecordArchived | EventType::RecordCreated | EventType::RecordUnarchived => {
                self.records.extend(location.record);
            }
            EventType::RecordUpdated => {
                self.records.extend(location.record);
                self.changed_records.extend(location.record.zip(location.database).map(|record| (event.id, record)));
            }
            EventType::RecordDeleted => {
                self.records.extend(location.record);
                self.removed_records.extend(location.record);
            }
            EventType::CommentCreated
            | EventType::CommentDeleted
            | EventType::CommentReopened
            | EventType::CommentReplyCreated
            | EventType::CommentReplyDeleted
            | EventType::CommentResolved
            | EventType::CommentUpdated => self.comments.extend(event.resource_id.parse::<CommentId>().ok()),
            EventType::UserProfileUpdated => self.renamed.extend(event.resource_id.parse::<UserId>().ok()),
            _ => {}
        }
    }
}
