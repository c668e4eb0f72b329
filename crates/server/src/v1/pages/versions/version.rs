//! How a version of a page is shown.

use crate::{v1::blocks::block::BlockReply, wire::reply};
use octavo_app::blocks::Branch;
use octavo_core_model::{
    Timestamp,
    id::{PageId, PageVersionId, UserId},
    page::{PageVersion, VersionKind},
    text::{Name, PageIcon, PageTitle, WebAddress},
};

reply! {
    /// A page as it was.
    pub(crate) PageVersionReply {
        /// Identifies it.
        id "id": required PageVersionId,
        /// The page.
        page_id "pageId": required PageId,
        /// The version of the page that it shows.
        page_version "pageVersion": required i64 = 6,
        /// `auto` for one that was kept before a change, `manual` for one that somebody asked for.
        kind "kind": required VersionKind = "manual",
        /// What it is called. One with a label stays as long as the page.
        label "label": nullable Name = "Before the launch",
        /// The title of the page then.
        title "title": required PageTitle,
        /// What stood before the title.
        icon "icon": nullable PageIcon,
        /// Where its cover was.
        cover_url "coverUrl": nullable WebAddress = "https://example.com/cover.png",
        /// How many blocks the page had.
        block_count "blockCount": required u64 = 12,
        /// Who wrote since the version kept before this one.
        editor_ids "editorIds": required Vec<UserId>,
        /// When it was kept.
        created_at "createdAt": required Timestamp,
        /// The blocks of the page then, each with all that stood in it; shown where one version is asked for.
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
