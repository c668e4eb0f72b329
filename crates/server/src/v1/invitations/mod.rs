//! Invitations: managing those of a workspace, and answering them.

pub mod accepted;
pub mod answers;
pub mod collection;
pub mod invitation;
pub mod own;
pub mod single;
