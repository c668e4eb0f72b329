//! Comments: threads on pages, blocks, selected texts and records, with replies and reactions.
//!
//! A thread has the access of its page: those who may see the page read it, `COMMENT` is needed to add something, and
//! `EDIT` to resolve or delete what others wrote. Authors manage what is theirs as long as they see the page. Everything
//! is changed under the lock of the page.

mod access;
mod anchors;
mod create;
mod delete;
mod edit;
mod mentions;
mod reactions;
mod read;
mod replies;
mod resolve;
mod shown;

pub use anchors::{NamedAnchor, NamedSelection};
pub use create::{NewComment, create};
pub use delete::delete;
pub use edit::{CommentEdit, edit};
pub use reactions::{ReactionState, ReactionTarget, react, unreact};
pub use read::{CommentList, get, list, list_of_page};
pub use replies::{NewReply, delete_reply, reply};
pub use resolve::{reopen, resolve};
pub use shown::{Author, ReactionCount, ShownComment, ShownMention, ShownReply};
