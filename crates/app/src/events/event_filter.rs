//! Which events a reader asks for.

use octavo_core_model::{
    event::{EventPattern, LoggedEvent},
    id::{DatabaseId, PageId},
};

/// Which events a reader asks for; by default all.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Only these types.
    pub types: Option<Vec<EventPattern>>,
    /// Only events on this page.
    pub page: Option<PageId>,
    /// Also events on the pages below it.
    pub subtree: bool,
    /// Only events in this database.
    pub database: Option<DatabaseId>,
    /// Only events about this resource.
    pub resource: Option<String>,
}

impl EventFilter {
    /// Whether the event fits, as far as that does not depend on the page.
    pub fn covers(&self, event: &LoggedEvent) -> bool {
        self.types.as_ref().is_none_or(|types| types.iter().any(|pattern| pattern.covers(&event.kind)))
            && self.database.is_none_or(|id| event.location.database == Some(id))
            && self.resource.as_ref().is_none_or(|id| *id == event.resource_id)
    }
}
