//! The representation of a record.

use super::values::ShownValues;
use crate::wire::reply;
use octavo_app::records::RecordDetails;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, PageId, PropertyId, RecordId, UserId, WorkspaceId},
    position::Position,
    text::{PageIcon, WebAddress},
};
use std::sync::Arc;

reply! {
    /// A record.
    pub(crate) RecordReply {
        /// The id of the record.
        id "id": required RecordId,
        /// The id of the workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The database that it belongs to.
        database_id "databaseId": required DatabaseId,
        /// Its page: the blocks, comments and pages below it.
        page_id "pageId": required PageId,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// The address of the picture above its page.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// When it was archived; null while it is in use.
        archived_at "archivedAt": nullable Timestamp,
        /// Whether it is a part of another record.
        is_sub_item "isSubItem": required bool = false,
        /// The record that it is a part of.
        parent_record_id "parentRecordId": nullable RecordId,
        /// How many records are parts of it, archived ones included.
        sub_item_count "subItemCount": required u64 = 0,
        /// Its position among the records of the database; keys are compared byte by byte.
        position "position": required Position = "a0",
        /// Increases with every change of its values and its other fields.
        version "version": required i64 = 3,
        /// The user who created it.
        created_by "createdBy": nullable UserId,
        /// When it was created.
        created_time "createdTime": required Timestamp,
        /// The user who changed it last.
        last_edited_by "lastEditedBy": nullable UserId,
        /// When it last changed.
        last_edited_time "lastEditedTime": required Timestamp,
        /// Its values by the ids of properties. Properties without a value are null.
        properties "properties": required ShownValues,
    }
}

impl RecordReply {
    /// A record with the values of these properties, or of all.
    pub(super) fn selecting(shown: &RecordDetails, select: Option<Arc<[PropertyId]>>) -> Self {
        let properties = ShownValues::of(shown, select);
        let record = shown.record.clone();
        Self {
            id: record.id,
            workspace_id: record.workspace,
            database_id: record.database,
            page_id: record.id.page(),
            icon: record.icon,
            cover_url: record.cover_url,
            archived_at: record.archived_at,
            is_sub_item: record.parent.is_some(),
            parent_record_id: record.parent,
            sub_item_count: shown.part_count,
            position: record.position,
            version: record.version,
            created_by: record.created_by,
            created_time: record.created_at,
            last_edited_by: record.updated_by,
            last_edited_time: record.updated_at,
            properties,
        }
    }
}

impl From<RecordDetails> for RecordReply {
    fn from(shown: RecordDetails) -> Self {
        Self::selecting(&shown, None)
    }
}
