//! Apps that act for people.

mod apps;
mod grants;
mod reads;
mod sweep;
mod tokens;
mod writes;

/// The workspace that registered a client.
pub(super) const CLIENT: &str = "oauth_client";
/// The user for whom an app holds a refresh token. Such tokens look like those of sessions but are stored separately.
pub(super) const FAMILY_TOKEN: &str = "oauth_refresh_token";
