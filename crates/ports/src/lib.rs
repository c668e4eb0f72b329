//! The traits through which Octavo's use cases reach the outside world.
//!
//! Each area of the store has a trait of reads and one of writes in one file, and an accessor in [`store::Reads`] and
//! [`store::Transaction`]: `view.tx.pages()` gives the reads, `unit.tx.pages()` the writes as well. Finders have the
//! owner as their first argument and return `None` for rows that do not exist or belong to another owner.

pub mod access_requests;
pub mod access_tokens;
pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod blobs;
pub mod blocks;
pub mod browser_sessions;
pub mod charts;
pub mod chores;
pub mod comments;
pub mod compute;
pub mod consumers;
pub mod counters;
pub mod dashboards;
pub mod databases;
pub mod events;
pub mod favorites;
pub mod follows;
pub mod grants;
pub mod invitations;
pub mod jobs;
pub mod log_signals;
pub mod mailer;
pub mod members;
pub mod notifications;
pub mod oauth;
pub mod origins;
pub mod pages;
pub mod passwords;
pub mod random;
pub mod record_links;
pub mod records;
pub mod replies;
pub mod sealed;
pub mod search;
pub mod sessions;
pub mod share_links;
pub mod signatures;
pub mod signing_keys;
pub mod store;
mod store_result;
pub mod stream_tickets;
pub mod sweeps;
pub mod teams;
pub mod workspaces;
