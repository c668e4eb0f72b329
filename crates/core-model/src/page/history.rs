//! What is kept of how a page was.

use crate::{
    id::{PageId, PageVersionId, UserId, WorkspaceId},
    name::named,
    page::Page,
    text::{Name, PageIcon, PageTitle, WebAddress},
    time::Timestamp,
};
use std::{collections::BTreeSet, time::Duration};

/// How long edits after a version belong to it.
const INTERVAL: Duration = Duration::from_mins(10);

named! {
    /// Why a version is kept.
    VersionKind {
        Auto = "auto",
        Manual = "manual",
    }
}

/// A version of a page that is kept. The blocks it shows are not written again: those that stood so then are found by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageVersion {
    /// The id of the version.
    pub id: PageVersionId,
    /// The workspace of the page.
    pub workspace: WorkspaceId,
    /// The page.
    pub page: PageId,
    /// The version of the page that it shows.
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
    /// Who wrote since the version kept before it.
    pub editors: BTreeSet<UserId>,
    /// When the version was kept.
    pub created_at: Timestamp,
}

/// What the next version to keep is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// How many blocks the page has.
    pub block_count: u64,
    /// How many bytes the blocks take as JSON, or more: what blocks lose is not subtracted until they are counted anew.
    pub bytes_at_most: u64,
    /// Who wrote since the newest kept version.
    pub editors: BTreeSet<UserId>,
    /// The version that was kept last.
    pub newest: Option<Kept>,
}

/// Which version was kept last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The number of the page's version that it shows.
    pub page_version: i64,
    /// When it was kept.
    pub at: Timestamp,
}

/// How far a change reaches into what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Now and then a version is kept before such a change.
    Edit,
    /// It removes something, so the version before it is always kept.
    Loss,
}

impl History {
    /// That of a page on which nothing was written but what its maker wrote.
    pub fn of_new(page: &Page) -> Self {
        Self { editors: page.created_by.into_iter().collect(), ..Self::default() }
    }

    /// Whether the page is kept as it is before a change.
    pub fn is_due(&self, page: &Page, reach: Reach, now: Timestamp) -> bool {
        let Some(newest) = self.newest else { return true };
        match reach {
            Reach::Loss => newest.page_version != page.version,
            Reach::Edit => now > newest.at.plus(INTERVAL),
        }
    }

    /// Keeps the page as it is.
    pub fn keep(
        &mut self,
        page: &Page,
        id: PageVersionId,
        kind: VersionKind,
        label: Option<Name>,
        now: Timestamp,
    ) -> PageVersion {
        self.newest = Some(Kept { page_version: page.version, at: now });
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
            editors: std::mem::take(&mut self.editors),
            created_at: now,
        }
    }
}
