//! Members of a workspace: the list, one of them.

pub mod collection;
pub mod member;
pub mod single;
