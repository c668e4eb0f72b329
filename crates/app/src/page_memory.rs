//! Holds memory for the content of a page before it is loaded.

use crate::{content_memory::SMALL, outcome::AppResult, scope::Scope};
use octavo_core_model::page::{History, Page, PageVersion};
use octavo_ports::{compute::WorkOwner, store::Reads};

/// The size of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageSize {
    pub(crate) blocks: u64,
    /// The size of the blocks as JSON, or an upper bound.
    pub(crate) bytes: u64,
    /// Whether the bytes were counted. Otherwise they are an upper bound.
    pub(crate) is_exact: bool,
}

/// Returns the size of a page. One statement, or two.
pub(crate) async fn size_of<T: Reads + ?Sized>(scope: &mut Scope<T>, page: &Page) -> AppResult<PageSize> {
    let recorded = scope.tx.histories().find(page.workspace, page.id).await?.unwrap_or_default();
    size_with(scope, page, &recorded).await
}

/// Returns the size of a page with this history. The recorded bytes still include what was deleted or replaced, so if
/// there seem to be many, they are counted. One statement, or none.
pub(crate) async fn size_with<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    page: &Page,
    recorded: &History,
) -> AppResult<PageSize> {
    let (blocks, bytes) = (recorded.block_count, recorded.bytes_at_most);
    if bytes <= SMALL {
        return Ok(PageSize { blocks, bytes, is_exact: false });
    }
    let bytes = scope.tx.blocks().count_bytes(page.workspace, &[page.id]).await?;
    Ok(PageSize { blocks, bytes, is_exact: true })
}

/// Returns how many bytes the blocks of a saved version have, or an upper bound. If none was recorded, they are counted,
/// so that an old version of a small page does not seem to be large. No statement, or two.
pub(crate) async fn bytes_of_version<T: Reads + ?Sized>(scope: &mut Scope<T>, version: &PageVersion) -> AppResult<u64> {
    if let Some(bytes) = version.bytes_at_most {
        return Ok(bytes);
    }
    let PageVersion { workspace, page, page_version, .. } = version;
    Ok(scope.tx.histories().count_bytes_at(*workspace, *page, *page_version).await?)
}

/// Holds memory for all blocks of a page. One statement, or two.
pub(crate) async fn hold_page<T: Reads + ?Sized>(scope: &mut Scope<T>, owner: WorkOwner, page: &Page) -> AppResult<()> {
    let size = size_of(scope, page).await?;
    scope.call.content.hold(owner, size.bytes)
}
