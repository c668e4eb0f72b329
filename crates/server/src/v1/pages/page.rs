//! How a page is shown.

use crate::{v1::blocks::block::BlockReply, wire::reply};
use octavo_app::blocks::PageBlocks;
use octavo_app::pages::{Ancestor, PageDetails, Recent, parent_of, trash::Discarded};
use octavo_core_model::{
    Level, Timestamp,
    id::{PageId, TeamId, UserId, WorkspaceId},
    page::{Page, PageState, PublicAccess},
    position::Position,
    text::{PageIcon, PageTitle, WebAddress},
};

reply! {
    /// A page of a workspace, as the caller sees it.
    pub(crate) PageReply {
        /// Identifies the page.
        id "id": required PageId,
        /// Where it belongs.
        workspace_id "workspaceId": required WorkspaceId,
        /// The team of the page at the root above it.
        team_id "teamId": nullable TeamId,
        /// The kind of its parent: `workspace` for a page at the root, `page`, or `database` for the page of a record.
        parent_type "parentType": required &'static str = "page",
        /// The parent page; null at the root.
        parent_id "parentId": nullable PageId,
        /// The record whose page it is.
        record_id "recordId": nullable String = null,
        /// Its title; it may be empty.
        title "title": required PageTitle,
        /// An emoji, a file or an address.
        icon "icon": nullable PageIcon,
        /// Where its cover is.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// Its place among its siblings; keys are compared byte by byte, and pages with equal keys are in the order of their creation.
        position "position": required Position,
        /// Whether it is in the trash.
        state "state": required PageState = "active",
        /// When it went into the trash.
        trashed_at "trashedAt": nullable Timestamp = null,
        /// Who threw it away.
        trashed_by "trashedBy": nullable UserId = null,
        /// The page that was thrown away and took this one along.
        trash_root_id "trashRootId": nullable PageId = null,
        /// When it is removed for good.
        purge_at "purgeAt": nullable Timestamp = null,
        /// Whether somebody keeps it as it is.
        is_locked "isLocked": required bool = false,
        /// Who locked it.
        locked_by "lockedBy": nullable UserId = null,
        /// Since when it is locked.
        locked_at "lockedAt": nullable Timestamp = null,
        /// Whether access flows down to it.
        inherit "inherit": required bool = true,
        /// Whether a public link shows it.
        public_access "publicAccess": required PublicAccess = "none",
        /// What the caller may do with it.
        access_level "accessLevel": required Level = "EDIT",
        /// Whether the caller keeps it at hand; always false for API keys.
        is_favorite "isFavorite": required bool = false,
        /// How many active pages in it the caller sees.
        child_count "childCount": required u64 = 3,
        /// Counts up with every change of its fields, place, state or blocks.
        version "version": required i64 = 7,
        /// Who made it; for an API key, who made the key.
        created_by "createdBy": nullable UserId,
        /// Who changed it last.
        updated_by "updatedBy": nullable UserId,
        /// When it was made.
        created_at "createdAt": required Timestamp,
        /// When it was changed last.
        updated_at "updatedAt": required Timestamp,
        /// The pages above it that the caller sees, from the root on; shown where one page is asked for.
        ancestors "ancestors": optional Vec<AncestorReply>,
        /// Its blocks as a tree; shown on request.
        blocks "blocks": optional Vec<BlockReply>,
        /// True where there are more than 2000 blocks: then only those at the top are shown, without what is in them.
        blocks_truncated "blocksTruncated": optional bool = false,
        /// Its permissions; shown on request.
        permissions "permissions": optional super::permissions::PermissionsReply,
        /// When the caller looked at it last; shown in the list of recent pages.
        last_visited_at "lastVisitedAt": optional Timestamp,
        /// How many pages went into the trash along with it; shown in the list of the trash.
        descendant_count "descendantCount": optional u64 = 4,
    }
}

reply! {
    /// Something above a page.
    pub(crate) AncestorReply {
        /// Identifies it.
        id "id": required PageId,
        /// What it is: `page` or `database`.
        kind "type": required &'static str = "page",
        /// Its title.
        title "title": required PageTitle,
        /// What stands before the title.
        icon "icon": nullable PageIcon,
    }
}

impl From<Ancestor> for AncestorReply {
    fn from(Ancestor { id, title, icon }: Ancestor) -> Self {
        Self { id, kind: "page", title, icon }
    }
}

impl PageReply {
    pub(super) fn with_content(self, content: PageBlocks) -> Self {
        let blocks = content.blocks.into_iter().map(BlockReply::from).collect();
        Self { blocks: Some(blocks), blocks_truncated: content.is_truncated.then_some(true), ..self }
    }

    fn new(page: Page, level: Level) -> Self {
        let (parent_type, parent_id) = parent_of(&page);
        let parent_type = parent_type.name();
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
            record_id: None,
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
