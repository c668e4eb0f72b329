//! The store in plain diesel, compiled once for each engine. What they do not share stands in their `dialect`.

mod accounts;
mod audit;
mod directory;
mod invitations;
mod jobs;
mod members;
mod origins;
mod replies;
mod scope;
mod sealed;
mod seals;
mod sessions;
mod store;
mod sweeps;
mod teams;
mod workspaces;

use super::{Conn, Db, dialect};
use scope::Scope;

pub(crate) use store::EngineStore;
