//! Which part of the event log a reader asks for.

use super::EventFilter;
use crate::{
    access::{self, WorkspaceCaller},
    outcome::AppResult,
    page_access::lineage,
    scope::View,
};
use octavo_core_model::{
    Fault,
    event::LoggedEvent,
    id::{DatabaseId, PageId},
};
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
    /// A page or database that the caller may not see is treated like one that does not exist.
    pub(super) async fn of(view: &mut View, caller: &WorkspaceCaller, wanted: &EventFilter) -> AppResult<Self> {
        require_visible(view, caller, wanted.page, wanted.database).await?;
        let Some(page) = wanted.page else {
            let part = wanted.database.map_or(LogPart::Whole, LogPart::OfDatabase);
            return Ok(Self { part, pages: None });
        };
        if !wanted.subtree {
            return Ok(Self { part: LogPart::OfPage(page), pages: None });
        }
        let mut pages = BTreeSet::from([page]);
        pages.extend(view.tx.pages().list_ids_below(caller.workspace, page).await?);
        Ok(Self { part: LogPart::Whole, pages: Some(pages) })
    }

    pub(super) fn holds(&self, event: &LoggedEvent, wanted: &EventFilter) -> bool {
        let in_pages =
            self.pages.as_ref().is_none_or(|pages| event.location.page.is_some_and(|id| pages.contains(&id)));
        in_pages && wanted.covers(event)
    }
}

/// Refuses a filter by a page or a database that the caller may not see.
async fn require_visible(
    view: &mut View,
    caller: &WorkspaceCaller,
    page: Option<PageId>,
    database: Option<DatabaseId>,
) -> AppResult<()> {
    if page.is_none() && database.is_none() {
        return Ok(());
    }
    let authority = access::authority_in_teams(view, caller).await?;
    if let Some(id) = page {
        lineage::find(view, caller, &authority, &Ok(id)).await?.ok_or(Fault::NotFound)?;
    }
    if let Some(id) = database {
        lineage::find(view, caller, &authority, &Ok(id)).await?.ok_or(Fault::NotFound)?;
    }
    Ok(())
}
