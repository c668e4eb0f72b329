//! Holds memory for the content of a page before it is loaded.

use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::page::{History, Page};
use octavo_ports::{compute::WorkOwner, store::Reads};

/// Holds memory for all blocks of a page, by its recorded size, and returns that size. One statement.
pub(crate) async fn hold_page<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    owner: WorkOwner,
    page: &Page,
) -> AppResult<History> {
    let size = scope.tx.histories().find(page.workspace, page.id).await?.unwrap_or_default();
    scope.call.content.hold(owner, size.bytes_at_most)?;
    Ok(size)
}
