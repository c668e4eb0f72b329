//! The representation of a page.

use crate::{v1::blocks::block::BlockReply, wire::reply};
use octavo_app::blocks::PageBlocks;
use octavo_app::pages::{Ancestor, PageDetails, Recent, parent_of, trash::Discarded};
use octavo_core_model::{
    Level, Timestamp,
    id::{PageId, RecordId, TeamId, UserId, WorkspaceId},
    page::{Page, PageState, PublicAccess, ResourceId},
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
};

reply! {
    /// A page of a workspace, as the caller sees it.
    pub(crate) PageReply {
        /// The id of the page.
        id "id": required PageId,
        /// The id of the workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The team of the root page above it.
        team_id "teamId": nullable TeamId,
        /// The kind of its parent: `workspace` for a root page, `page`, or `database` for the page of a record.
        parent_type "parentType": required &'static str | ["workspace", "page", "database"] = "page",
        /// The parent page, or the database of the record; null at the root.
        parent_id "parentId": nullable ResourceId,
        /// The record that the page belongs to.
        record_id "recordId": nullable RecordId = null,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// The address of its cover.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// Its position among its siblings; keys are compared byte by byte, and pages with equal keys are in the
        /// order of their creation.
        position "position": required Position,
        /// Whether it is in the trash.
        state "state": required PageState = "active",
        /// When it was moved to the trash.
        trashed_at "trashedAt": nullable Timestamp = null,
        /// The user who moved it to the trash.
        trashed_by "trashedBy": nullable UserId = null,
        /// The page with which it was moved to the trash.
        trash_root_id "trashRootId": nullable PageId = null,
        /// When it is deleted permanently.
        purge_at "purgeAt": nullable Timestamp = null,
        /// Whether it is locked against changes.
        is_locked "isLocked": required bool = false,
        /// The user who locked it.
        locked_by "lockedBy": nullable UserId = null,
        /// When it was locked.
        locked_at "lockedAt": nullable Timestamp = null,
        /// Whether it inherits access.
        inherit "inherit": required bool = true,
        /// Whether a share link leads to it, and how.
        public_access "publicAccess": required PublicAccess = "none",
        /// The caller's level.
        access_level "accessLevel": required Level = "EDIT",
        /// Whether it is a favorite of the caller; always false for API keys.
        is_favorite "isFavorite": required bool = false,
        /// The number of active children that the caller may see.
        child_count "childCount": required u64 = 3,
        /// Increases with every change of its fields, place, state or blocks.
        version "version": required i64 = 7,
        /// The user who created it; for an API key, the user who created the key.
        created_by "createdBy": nullable UserId,
        /// The user who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// When it was created.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
        /// The pages above it that the caller may see, from the root down; only for single pages.
        ancestors "ancestors": optional Vec<AncestorReply>,
        /// Its blocks as a tree; only on request.
        blocks "blocks": optional Vec<BlockReply>,
        /// True if there are more than 2000 blocks: then only top-level blocks are included, without their children.
        blocks_truncated "blocksTruncated": optional bool = false,
        /// Its permissions; only on request.
        permissions "permissions": optional super::permissions::PermissionsReply,
        /// The caller's last visit; only in the list of recent pages.
        last_visited_at "lastVisitedAt": optional Timestamp,
        /// How many pages were moved to the trash together with it; only in the list of the trash.
        descendant_count "descendantCount": optional u64 = 4,
    }
}

reply! {
    /// An ancestor of a page.
    pub(crate) AncestorReply {
        /// The id.
        id "id": required ResourceId,
        /// The kind: `page` or `database`.
        kind "type": required &'static str | ["page", "database"] = "page",
        /// Its title.
        title "title": required PageTitle,
        /// Its icon.
        icon "icon": nullable PageIcon,
    }
}

impl From<Ancestor> for AncestorReply {
    fn from(Ancestor { id, title, icon }: Ancestor) -> Self {
        Self { id, kind: id.kind(), title, icon }
    }
}

impl PageReply {
    pub(super) fn with_content(self, content: PageBlocks) -> Self {
        let blocks = content.blocks.into_iter().map(BlockReply::from).collect();
        Self { blocks: Some(blocks), blocks_truncated: content.is_truncated.then_some(true), ..self }
    }

    fn new(page: Page, level: Level) -> Self {
        let (parent_type, parent_id) = parent_of(&page);
        let (parent_type, record_id) = (parent_type.name(), page.record());
        let state = page.state();
        let Page {
            id,
            workspace,
            team,
            title,
            icon,
            cover_url,
            position,
            lock,
            trash,
            inherit,
            version,
            created_by,
            updated_by,
            created_at,
            updated_at,
            ..
        } = page;
        Self {
            id,
            workspace_id: workspace,
            team_id: team,
            parent_type,
            parent_id,
            record_id,
            title,
            icon,
            cover_url,
            position,
            state,
            trashed_at: trash.map(|trash| trash.at),
            trashed_by: trash.and_then(|trash| trash.by),
            trash_root_id: trash.map(|trash| trash.root),
            purge_at: trash.map(|trash| trash.purge_at),
            is_locked: lock.is_some(),
            locked_by: lock.map(|lock| lock.by),
            locked_at: lock.map(|lock| lock.at),
            inherit,
            public_access: PublicAccess::None,
            access_level: level,
            is_favorite: false,
            child_count: 0,
            version,
            created_by,
            updated_by,
            created_at,
            updated_at,
            ancestors: None,
            blocks: None,
            blocks_truncated: None,
            permissions: None,
            last_visited_at: None,
            descendant_count: None,
        }
    }
}

impl From<PageDetails> for PageReply {
    fn from(PageDetails { page, level, is_favorite, public_access, child_count, ancestors }: PageDetails) -> Self {
        let ancestors = ancestors.map(|above| above.into_iter().map(AncestorReply::from).collect());
        Self { public_access, is_favorite, child_count, ancestors, ..Self::new(page, level) }
    }
}

impl From<Recent> for PageReply {
    fn from(Recent { shown, last_visited_at }: Recent) -> Self {
        Self { last_visited_at: Some(last_visited_at), ..shown.into() }
    }
}

impl From<Discarded> for PageReply {
    fn from(Discarded { page, level, is_favorite, descendants }: Discarded) -> Self {
        Self { is_favorite, descendant_count: descendants, ..Self::new(page, level) }
    }
}
