#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod app_scopes;
mod authority;
mod chain;
mod denied;
mod lasting;
pub mod members;
mod resolver;
pub mod teams;
#[cfg(test)]
mod tests;

pub use app_scopes::{Access, AppScopes};
pub use authority::{Authority, Member};
pub use chain::{ContentNode, NodeEntry, Principal, Root, Team};
pub use denied::Denied;
pub use lasting::{LastingLevel, LastingResolver, MovedNode, move_raises};
pub use resolver::{Resolver, level};
