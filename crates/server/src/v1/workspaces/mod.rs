//! Workspaces: the list, one of them, its settings.

pub mod collection;
pub mod settings;
pub mod single;
pub mod workspace;
