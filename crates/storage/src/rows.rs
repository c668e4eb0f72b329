//! Rows as the tables hold them, and how they become the entities of the model. They never leave this crate.

pub(crate) mod accounts;
pub(crate) mod jobs;
pub(crate) mod log;
pub(crate) mod sessions;
pub(crate) mod workspaces;
