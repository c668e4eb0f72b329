//! Teams of a workspace: the list, one of them, who is in it.

pub mod collection;
pub mod members;
pub mod single;
pub mod team;
