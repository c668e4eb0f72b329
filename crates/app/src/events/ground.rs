//! Where events are to lie that a reader asks for.

use super::CatchUp;
use crate::{
    access::{self, Entry},
    engine::AppResult,
    pages,
    scope::View,
};
use octavo_core_model::{event::LoggedEvent, id::PageId};
use std::collections::BTreeSet;

/// The part of a workspace that events are wanted of.
#[derive(Debug)]
pub(super) enum Ground {
    Everywhere,
    Pages(BTreeSet<PageId>),
    Nowhere,
}

impl Ground {
    /// What is below a page that the caller does not see is not looked up: it would tell where other pages stand.
    pub(super) async fn of(view: &mut View, entry: &Entry, wanted: &CatchUp) -> AppResult<Self> {
        // There are no databases that an event could lie in.
        if wanted.database.is_some() {
            return Ok(Self::Nowhere);
        }
        let Some(page) = wanted.page else { return Ok(Self::Everywhere) };
        let mut found = BTreeSet::from([page]);
        if wanted.subtree {
            let authority = access::authority_in_teams(view, entry).await?;
            if pages::sight::find(view, entry, &authority, &Ok(page)).await?.is_some() {
                found.extend(view.tx.list_page_ids_below(entry.workspace, page).await?);
            }
        }
        Ok(Self::Pages(found))
    }

    pub(super) fn holds(&self, event: &LoggedEvent) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Pages(pages) => {
                let page = event.page_id().and_then(|id| id.parse().ok());
                page.is_some_and(|page| pages.contains(&page))
            }
            Self::Nowhere => false,
        }
    }
}
