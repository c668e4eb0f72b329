//! Apps that act for users: registrations, grants and tokens.

pub mod app;
pub mod apps;
pub(super) mod asking;
pub(super) mod asking_body;
pub mod authorize;
mod client;
pub mod clients;
pub mod grant;
pub mod grants;
pub mod revocation;
pub mod secret;
pub mod token;
pub mod workspace_grants;
