//! Teams of a workspace: the list, single teams, and their members.

pub mod collection;
pub mod members;
pub mod single;
pub mod team;
