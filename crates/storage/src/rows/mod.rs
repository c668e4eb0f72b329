//! Rows as the tables hold them, and their conversion to the entities of the model. They never leave this crate.
//!
//! All that are inserted have `treat_none_as_default_value = false`: with defaults in place of absent values, each
//! combination would be a different statement, and diesel prepares such statements anew each time.

pub(crate) mod access_requests;
pub(crate) mod accounts;
pub(crate) mod api_keys;
pub(crate) mod blocks;
pub(crate) mod browser_sessions;
pub(crate) mod charts;
pub(crate) mod chores;
pub(crate) mod dashboards;
pub(crate) mod databases;
pub(crate) mod directory;
pub(crate) mod grants;
pub(crate) mod histories;
pub(crate) mod invitations;
pub(crate) mod jobs;
pub(crate) mod log;
pub(crate) mod members;
pub(crate) mod oauth;
pub(crate) mod pages;
pub(crate) mod records;
pub(crate) mod replies;
pub(crate) mod sessions;
pub(crate) mod share_links;
pub(crate) mod signing_keys;
pub(crate) mod teams;
pub(crate) mod views;
pub(crate) mod workspaces;
