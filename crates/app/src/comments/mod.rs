//! Comments: threads on pages, blocks, selected texts and records, with replies and reactions.
//!
//! Access to a thread follows from its page: `VIEW` is needed to read it, `COMMENT` to write, and `EDIT` to resolve or delete
//! what others wrote. Authors may change their own texts as long as they see the page. Every change locks the page.

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
