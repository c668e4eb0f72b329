//! The icon of the pages in the tabs of browsers.

/// Its path at the origin.
pub(crate) const PATH: &str = "/favicon.svg";

/// The logo in a colour that can be seen on light and dark tabs.
pub(crate) const SVG: &str = concat!(
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#3f87c5">"##,
    r#"<path d="M4 4.5 11 7v13L4 17.5z"/><path d="M20 4.5 13 7v13l7-2.5z"/></svg>"#,
);
