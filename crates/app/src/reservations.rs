//! Places in the compute pool for the content of pages. A place is reserved before the blocks of a page are loaded.

use crate::{
    outcome::AppResult,
    page_memory::{PageSize, size_of},
    scope::Scope,
};
use octavo_core_model::page::Page;
use octavo_ports::{
    compute::{ComputePool, Reservation, WorkKind, WorkOwner},
    store::Reads,
};
use std::{fmt, sync::Arc};

/// Reserves places. That never waits, so a view may do it between checking the rights of a caller and loading.
#[derive(Clone)]
pub struct Reservations {
    pool: Arc<dyn ComputePool>,
}

impl Reservations {
    pub(crate) fn in_pool(pool: Arc<dyn ComputePool>) -> Self {
        Self { pool }
    }

    /// Reserves a place for a job of at least this kind on all blocks of a page, and holds memory for the blocks. One
    /// or two statements.
    pub(crate) async fn for_page<T: Reads + ?Sized>(
        &self,
        scope: &mut Scope<T>,
        owner: WorkOwner,
        page: &Page,
        least: WorkKind,
    ) -> AppResult<Reservation> {
        let size = size_of(scope, page).await?;
        scope.call.content.hold_for_job(owner, size.bytes)?;
        let kind = kind_of(scope, page, size).await?.max(least);
        Ok(self.pool.reserve(kind, owner)?)
    }

    /// Exchanges a place if the job turns out to be of a heavier kind.
    pub(crate) fn at_least(&self, reservation: Reservation, kind: WorkKind) -> AppResult<Reservation> {
        if kind <= reservation.kind() {
            return Ok(reservation);
        }
        let owner = reservation.owner();
        drop(reservation);
        Ok(self.pool.reserve(kind, owner)?)
    }
}

impl fmt::Debug for Reservations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reservations")
    }
}

/// The kind of job for all blocks of a page. If the page has few blocks, and only the upper bound for their bytes would
/// make the job a long one, the bytes are counted.
async fn kind_of<T: Reads + ?Sized>(scope: &mut Scope<T>, page: &Page, size: PageSize) -> AppResult<WorkKind> {
    let is_certain = size.is_exact
        || WorkKind::of_page(size.blocks, 0) == WorkKind::Long
        || WorkKind::of_page(0, size.bytes) == WorkKind::Short;
    let bytes = if is_certain { size.bytes } else { scope.tx.blocks().count_bytes(page.workspace, &[page.id]).await? };
    Ok(WorkKind::of_page(size.blocks, bytes))
}
