//! Pages: list and tree, single pages, moves, trash, favorites, permissions, and versions.

pub mod collection;
pub mod copies;
mod document;
pub mod favorites;
mod home;
pub mod import;
pub(crate) mod import_body;
pub mod levels;
pub mod page;
pub mod permissions;
pub mod place;
pub mod presence;
pub mod single;
mod table;
pub mod transfer;
pub mod trash;
pub mod tree;
pub mod versions;
