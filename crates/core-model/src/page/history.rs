//! Earlier versions of a page.

use crate::{
    id::{PageId, PageVersionId, UserId, WorkspaceId},
    name::named,
    page::Page,
    text::{Name, PageIcon, PageTitle, WebAddress},
    time::Timestamp,
};
use std::{collections::BTreeSet, time::Duration};

/// For how long edits after a saved version count as part of it.
const INTERVAL: Duration = Duration::from_mins(10);

named! {
    /// Why a version was saved.
    VersionKind {
        Auto = "auto",
        Manual = "manual",
    }
}

/// A saved version of a page. Its blocks are not copied: block states that were valid at the time are found by its
/// number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageVersion {
    /// The id of the version.
    pub id: PageVersionId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page.
    pub page: PageId,
    /// The version number of the page in this state.
    pub page_version: i64,
    /// Why it is kept.
    pub kind: VersionKind,
    /// The name that somebody gave it.
    pub label: Option<Name>,
    /// The title of the page then.
    pub title: PageTitle,
    /// The icon of the page then.
    pub icon: Option<PageIcon>,
    /// The address of its cover then.
    pub cover_url: Option<WebAddress>,
    /// How many blocks it had.
    pub block_count: u64,
    /// An upper bound for the size of its blocks as JSON. `None` if the version was saved before it was recorded.
    pub bytes_at_most: Option<u64>,
    /// The users who changed the page since the previous saved version.
    pub editors: BTreeSet<UserId>,
    /// When the version was kept.
    pub created_at: Timestamp,
}

/// The data for the next version to be saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// How many blocks the page has.
    pub block_count: u64,
    /// An upper bound for the size of the blocks as JSON: what blocks lose is not subtracted until they are counted
    /// again.
    pub bytes_at_most: u64,
    /// The users who changed the page since the newest saved version.
    pub editors: BTreeSet<UserId>,
    /// The version that was kept last.
    pub newest: Option<LatestVersion>,
}

/// The version that was saved last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatestVersion {
    /// The number of the page's version that it shows.
    pub page_version: i64,
    /// When it was kept.
    pub at: Timestamp,
}

/// The effect of a change on existing content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEffect {
    /// A version is saved before such a change from time to time.
    Edit,
    /// It removes content, so a version is always saved before it.
    Loss,
}

impl History {
    /// The history of a page that only its creator has written to.
    pub fn of_new(page: &Page) -> Self {
        Self { editors: page.created_by.into_iter().collect(), ..Self::default() }
    }

    /// Whether a version must be saved before a change.
    pub fn is_due(&self, page: &Page, effect: ContentEffect, now: Timestamp) -> bool {
        let Some(newest) = self.newest else { return true };
        match effect {
            ContentEffect::Loss => newest.page_version != page.version,
            ContentEffect::Edit => now > newest.at.plus(INTERVAL),
        }
    }

    /// Saves the present state as a version.
    pub fn keep(
        &mut self,
        page: &Page,
        id: PageVersionId,
        kind: VersionKind,
        label: Option<Name>,
        now: Timestamp,
    ) -> PageVersion {
        self.newest = Some(LatestVersion { page_version: page.version, at: now });
        PageVersion {
            id,
            workspace: page.workspace,
            page: page.id,
            page_version: page.version,
            kind,
            label,
            title: page.title.clone(),
            icon: page.icon.clone(),
            cover_url: page.cover_url.clone(),
            block_count: self.block_count,
            bytes_at_most: Some(self.bytes_at_most),
            editors: std::mem::take(&mut self.editors),
            created_at: now,
        }
    }
}
