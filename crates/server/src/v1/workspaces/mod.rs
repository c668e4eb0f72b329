//! Workspaces: the list, single workspaces, settings.

pub mod collection;
pub mod settings;
pub mod single;
pub mod workspace;
