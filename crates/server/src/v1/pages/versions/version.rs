//! The representation of a version of a page.

use crate::{v1::blocks::block::BlockReply, wire::reply};
use octavo_app::blocks::Branch;
use octavo_core_model::{
    Timestamp,
    id::{PageId, PageVersionId, UserId},
    page::{PageVersion, VersionKind},
    text::{Name, PageIcon, PageTitle, WebAddress},
};

reply! {
    /// An earlier state of a page.
    pub(crate) PageVersionReply {
        /// The id of the version.
        id "id": required PageVersionId,
        /// The page.
        page_id "pageId": required PageId,
        /// The version number of the page in this state.
        page_version "pageVersion": required i64 = 6,
        /// `auto` for a version that was saved before a change, `manual` for one that was saved on request.
        kind "kind": required VersionKind = "manual",
        /// Its label. A labelled version is kept for as long as the page.
        label "label": nullable Name = "Before the launch",
        /// The title of the page at the time.
        title "title": required PageTitle,
        /// The icon of the page at the time.
        icon "icon": nullable PageIcon,
        /// The address of its cover at the time.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// How many blocks the page had.
        block_count "blockCount": required u64 = 12,
        /// The users who changed the page since the previous version.
        editor_ids "editorIds": required Vec<UserId>,
        /// When it was saved.
        created_at "createdAt": required Timestamp,
        /// The blocks of the page at the time, each with its descendants; only for single versions.
        blocks "blocks": optional Vec<BlockReply>,
    }
}

impl From<PageVersion> for PageVersionReply {
    fn from(version: PageVersion) -> Self {
        Self {
            id: version.id,
            page_id: version.page,
            page_version: version.page_version,
            kind: version.kind,
            label: version.label,
            title: version.title,
            icon: version.icon,
            cover_url: version.cover_url,
            block_count: version.block_count,
            editor_ids: version.editors.into_iter().collect(),
            created_at: version.created_at,
            blocks: None,
        }
    }
}

impl From<(PageVersion, Vec<Branch>)> for PageVersionReply {
    fn from((version, blocks): (PageVersion, Vec<Branch>)) -> Self {
        Self { blocks: Some(blocks.into_iter().map(BlockReply::from).collect()), ..version.into() }
    }
}
