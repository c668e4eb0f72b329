//! Members of a workspace: the list and single members.

pub mod collection;
pub mod member;
pub mod single;
