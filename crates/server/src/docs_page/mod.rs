//! The documentation of the API in browsers: the reference, a page on which a viewer shows the description, and guides.

mod assets;
mod guides;
mod reference;
mod text;
#[path = "../../vendor/viewer/files.rs"]
mod viewer;

pub(crate) use assets::{DIGEST, asset, example_chunk};
pub(crate) use guides::{GUIDES, Guide, PATH as GUIDES_PATH, guide};
pub(crate) use reference::reference;
