//! Rows as the tables hold them, and their conversion to the entities of the model. They never leave this crate.
//!
//! All that are inserted have `treat_none_as_default_value = false`: with defaults in place of absent values, each
//! combination would be a different statement, and diesel prepares such statements anew each time.

pub mod access_requests;
pub mod accounts;
pub mod api_keys;
pub mod blocks;
pub mod browser_sessions;
pub mod charts;
pub mod chores;
pub mod comments;
pub mod consumers;
pub mod dashboards;
pub mod databases;
pub mod directory;
pub mod grants;
pub mod histories;
pub mod invitations;
pub mod jobs;
pub mod log;
pub mod members;
pub mod notifications;
pub mod oauth;
pub mod pages;
pub mod records;
pub mod replies;
pub mod sessions;
pub mod share_links;
pub mod signing_keys;
pub mod stream_tickets;
pub mod teams;
pub mod views;
pub mod workspaces;
