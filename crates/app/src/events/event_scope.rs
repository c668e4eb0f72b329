//! Which part of the event log a reader asks for.

use super::CatchUp;
use crate::{
    access::{self, WorkspaceCaller},
    outcome::AppResult,
    page_access,
    scope::View,
};
use octavo_core_model::{event::LoggedEvent, id::PageId};
use octavo_ports::events::LogPart;
use std::collections::BTreeSet;

/// The part of a workspace whose events are wanted.
#[derive(Debug)]
pub(super) struct EventScope {
    /// The part that the store reads.
    pub(super) part: LogPart,
    /// The pages to keep from that; `None` keeps all.
    pages: Option<BTreeSet<PageId>>,
}

impl EventScope {
    /// Descendants of a page that the caller may not see are not looked up: the result would reveal where other pages
    /// are.
    pub(super) async fn of(view: &mut View, caller: &WorkspaceCaller, wanted: &CatchUp) -> AppResult<Self> {
        let Some(page) = wanted.page else {
            let part = wanted.database.map_or(LogPart::Whole, LogPart::OfDatabase);
            return Ok(Self { part, pages: None });
        };
        if !wanted.subtree {
            return Ok(Self { part: LogPart::OfPage(page), pages: None });
        }
        let mut pages = BTreeSet::from([page]);
        let authority = access::authority_in_teams(view, caller).await?;
        if page_access::lineage::find(view, caller, &authority, &Ok(page)).await?.is_some() {
            pages.extend(view.tx.pages().list_ids_below(caller.workspace, page).await?);
        }
        Ok(Self { part: LogPart::Whole, pages: Some(pages) })
    }

    pub(super) fn holds(&self, event: &LoggedEvent, wanted: &CatchUp) -> bool {
        let in_pages =
            self.pages.as_ref().is_none_or(|pages| event.location.page.is_some_and(|id| pages.contains(&id)));
        in_pages && wanted.database.is_none_or(|id| event.location.database == Some(id))
    }
}
