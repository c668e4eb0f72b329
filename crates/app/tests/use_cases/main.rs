//! Tests of the use cases, each with a SQLite file of its own. Rules that need no store are tested in core-model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "a failed unwrap is a failed test; a case reads best in one piece"
)]

mod access_requests;
mod api_keys;
mod audit;
mod browser_account;
mod chores;
mod collisions;
mod consumers;
mod content_memory;
mod csv_import_jobs;
mod deletion;
mod documents;
mod email_change;
mod email_verification;
mod event_audiences;
mod events;
mod guessing;
mod idempotency;
mod invitations;
mod jobs;
mod life_cycle;
mod login;
mod logout;
mod members;
mod moves;
mod notification_mails;
mod notifications;
mod oauth;
mod operator;
mod page_versions;
mod pages;
mod password_change;
mod password_reset;
mod profile;
mod reauthentication;
mod refresh;
mod registration;
mod reporting;
mod search_index;
mod sessions;
mod share_links;
mod teams;
mod visible_pages;
mod workspaces;
mod world;
mod write_budget;
