//! Pages: the list and the tree, one of them, its place, the trash, favorites, who may do what, kept versions.

pub mod collection;
pub mod copies;
mod document;
pub mod favorites;
mod home;
pub mod levels;
pub mod page;
pub mod permissions;
pub mod place;
pub mod single;
pub mod transfer;
pub mod trash;
pub mod tree;
pub mod versions;
