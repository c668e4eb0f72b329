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
    /// Only what is on one of these pages and databases; `None` for everything.
    nodes: Option<BTreeSet<PageId>>,
}

impl EventScope {
    /// A page or database that the caller may not see is treated like one that does not exist.
    pub(super) async fn of(view: &mut View, caller: &WorkspaceCaller, wanted: &EventFilter) -> AppResult<Self> {
        require_visible(view, caller, wanted.page, wanted.database).await?;
        let Some(page) = wanted.page else {
            let part = wanted.database.map_or(LogPart::Whole, LogPart::OfDatabase);
            return Ok(Self { part, nodes: None });
        };
        if !wanted.subtree {
            return Ok(Self { part: LogPart::OfPage(page), nodes: None });
        }
        let mut nodes = BTreeSet::from([page]);
        nodes.extend(view.tx.pages().list_ids_below(caller.workspace, page).await?);
        Ok(Self { part: LogPart::Whole, nodes: Some(nodes) })
    }

    pub(super) fn holds(&self, event: &LoggedEvent, wanted: &EventFilter) -> bool {
        let is_inside = self.nodes.as_ref().is_none_or(|nodes| event.location.nodes().any(|id| nodes.contains(&id)));
        is_inside && wanted.covers(event)
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
