//! Apps that act for people.

mod apps;
mod grants;
mod reads;
mod sweep;
mod tokens;
mod writes;

/// The workspace that registered a client.
pub(super) const CLIENT: &str = "oauth_client";
