//! Apps that act for users: registrations, grants and tokens.

pub mod app;
pub mod apps;
pub(super) mod authorization_body;
pub(super) mod authorization_query;
pub mod authorize;
mod client;
pub mod clients;
pub mod grant;
pub mod grants;
pub mod revocation;
pub mod secret;
pub mod token;
pub mod workspace_grants;
