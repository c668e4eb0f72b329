//! The store in plain diesel, compiled once for each engine. The differences between the engines are in their
//! `dialect`.

mod access_requests;
mod accounts;
mod api_keys;
mod audit;
mod blocks;
mod browser_sessions;
mod charts;
mod chores;
mod comments;
mod consumers;
mod content_removal;
mod dashboards;
mod databases;
mod directory;
mod events;
mod favorites;
mod follows;
mod grants;
mod invitations;
mod jobs;
mod members;
mod notifications;
mod oauth;
mod origins;
mod pages;
mod prunings;
mod record_links;
mod records;
mod replies;
mod scope;
mod sealed;
mod seals;
mod sessions;
mod share_links;
mod signing_keys;
mod store;
mod stream_tickets;
mod sweeps;
mod teams;
mod workspaces;

use super::{Conn, Db, dialect};
use scope::Scope;

pub(crate) use store::EngineStore;
