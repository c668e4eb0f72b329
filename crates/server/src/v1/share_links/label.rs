//! How pages and databases are called.

use maud::{Markup, html};
use octavo_core_model::text::{PageIcon, PageTitle};

/// The title of a page, or what stands for a missing one.
pub(super) fn name(title: &str) -> &str {
    if title.trim().is_empty() { "Untitled" } else { title }
}

/// A title after its icon. Images are left out, because browsers would load them from other origins.
pub(super) fn label(title: &PageTitle, icon: Option<&PageIcon>) -> Markup {
    html! {
        @if let Some(emoji) = icon.and_then(PageIcon::emoji) { span .icon aria-hidden="true" { (emoji) } " " }
        (name(title.as_str()))
    }
}
