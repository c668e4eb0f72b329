//! Access to databases. The handlers are those of pages: only the paths and the scopes of apps differ.

pub(crate) mod permissions;
pub(crate) mod requests;
pub(crate) mod share_links;
