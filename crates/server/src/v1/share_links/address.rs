//! Where browsers find what a link shows.

use octavo_core_model::id::PageId;

/// The address of the page of a link, or of a descendant, for browsers.
pub(super) fn shared_page_address(token: &str, page: Option<PageId>) -> String {
    match page {
        None => format!("/share/{token}"),
        Some(page) => format!("/share/{token}/{page}"),
    }
}
