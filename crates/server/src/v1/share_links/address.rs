//! Where browsers find what a link shows.

use octavo_core_model::page::ResourceId;

/// The address of the page or database of a link, or of a descendant, for browsers.
pub(super) fn shared_page_address(token: &str, page: Option<ResourceId>) -> String {
    match page {
        None => format!("/share/{token}"),
        Some(page) => format!("/share/{token}/{page}"),
    }
}
