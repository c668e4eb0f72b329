//! Views: ways to look at the records of a database.

mod change;
mod draft;
mod fault;
mod kinds;
mod selection;
mod stored;
#[cfg(test)]
mod tests;

pub use draft::{MAX_VIEWS_AT_ONCE, ViewDraft};
pub use fault::{ViewFault, ViewRefusal};
pub use kinds::{Grouping, ViewConfig, ViewType};
pub use selection::Selection;
pub use stored::StoredView;

use crate::query::PageSize;
use octavo_core_model::{
    Timestamp,
    id::{DatabaseId, ViewId},
    position::Position,
    text::ViewName,
};

/// A way to look at the records of a database.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its id.
    pub id: ViewId,
    /// The database that it belongs to.
    pub database: DatabaseId,
    /// What people see.
    pub name: ViewName,
    /// Its place among the views.
    pub position: Position,
    /// Its type and configuration.
    pub config: ViewConfig,
    /// Which records it shows, in which order and groups.
    pub selection: Selection,
    /// How many records one answer has.
    pub page_size: PageSize,
    /// Whether its configuration, filter, sort and group are protected from changes.
    pub is_locked: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl View {
    /// How many views a database has at most.
    pub const MAX: usize = 100;

    /// Its type.
    pub const fn kind(&self) -> ViewType {
        self.config.kind()
    }

    /// Checks that a database with this many views may have another one.
    pub const fn check_room(count: usize) -> Result<(), ViewFault> {
        if count >= Self::MAX { Err(ViewFault::LimitReached { limit: Self::MAX }) } else { Ok(()) }
    }

    /// Checks that a view of a database with this many views may be deleted.
    pub fn check_deletion(count: usize) -> Result<(), ViewFault> {
        if count <= 1 { Err(ViewFault::Refused(vec![ViewRefusal::LastView])) } else { Ok(()) }
    }
}
