//! Invitations: those of a workspace, and what the invited do with them.

pub mod accepted;
pub mod answers;
pub mod collection;
pub mod invitation;
pub mod own;
pub mod single;
