//! Comments: threads on pages, blocks, selected texts and records, with replies and reactions.

mod mention;
mod names;
mod reaction;
mod selection;

pub use mention::{Mention, MentionType, Mentions, TooManyMentions};
pub use names::{Names, mentioned};
pub use reaction::{Emoji, Reaction, UnsupportedEmoji};
pub use selection::Selection;

use crate::{
    id::{BlockId, CommentId, PageId, RecordId, ReplyId, UserId, WorkspaceId},
    name::named,
    text::CommentText,
    time::Timestamp,
};

/// A thread: the comment that begins it. Its replies are kept separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The id of the thread.
    pub id: CommentId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The page that it is on. That of a record, if it is on a record.
    pub page: PageId,
    /// What of the page it is about.
    pub anchor: Anchor,
    /// What the author wrote.
    pub body: CommentText,
    /// Whom and what it mentions.
    pub mentions: Mentions,
    /// When and by whom it was resolved; `None` while it is open.
    pub resolution: Option<Resolution>,
    /// How many replies it has.
    pub reply_count: u32,
    /// Who wrote it.
    pub author: UserId,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was last edited, resolved or reopened.
    pub updated_at: Timestamp,
}

/// What of its page a thread is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The page as a whole.
    Page,
    /// The record that the page belongs to.
    Record,
    /// A block of the page.
    Block(BlockId),
    /// A part of the text of a block.
    Text(BlockId, Selection),
}

impl Anchor {
    /// The block.
    pub const fn block(&self) -> Option<BlockId> {
        match self {
            Self::Block(block) | Self::Text(block, _) => Some(*block),
            Self::Page | Self::Record => None,
        }
    }

    /// The selected text.
    pub const fn selection(&self) -> Option<&Selection> {
        match self {
            Self::Text(_, selection) => Some(selection),
            Self::Page | Self::Record | Self::Block(_) => None,
        }
    }
}

named! {
    /// Which threads a list shows.
    CommentStates {
        Open = "open",
        Resolved = "resolved",
        All = "all",
    }
}

impl CommentStates {
    /// The only state that is shown; `None` for both.
    pub const fn only(self) -> Option<CommentStatus> {
        match self {
            Self::Open => Some(CommentStatus::Open),
            Self::Resolved => Some(CommentStatus::Resolved),
            Self::All => None,
        }
    }
}

/// The end of a discussion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// When the thread was resolved.
    pub at: Timestamp,
    /// Who resolved it.
    pub by: UserId,
}

named! {
    /// The state of a thread.
    CommentStatus {
        Open = "open",
        Resolved = "resolved",
    }
}

named! {
    /// Optional parts of a comment in a reply. Reactions are always there.
    CommentDetail {
        Reactions = "reactions",
        Replies = "replies",
    }
}

impl Comment {
    /// How many replies a thread has at most. An answer shows all of them.
    pub const MOST_REPLIES: u32 = 5_000;

    /// The state of the thread.
    pub const fn status(&self) -> CommentStatus {
        if self.resolution.is_some() { CommentStatus::Resolved } else { CommentStatus::Open }
    }

    /// The record that the thread is on.
    pub fn record(&self) -> Option<RecordId> {
        (self.anchor == Anchor::Record).then(|| self.page.as_record())
    }

    /// Resolves the thread. Returns false if it already was.
    pub fn resolve(&mut self, by: UserId, now: Timestamp) -> bool {
        let changes = self.resolution.is_none();
        if changes {
            self.resolution = Some(Resolution { at: now, by });
            self.updated_at = now;
        }
        changes
    }

    /// Opens the thread again. Returns false if it was open.
    pub fn reopen(&mut self, now: Timestamp) -> bool {
        let changes = self.resolution.take().is_some();
        if changes {
            self.updated_at = now;
        }
        changes
    }

    /// Replaces the text and what it mentions. Returns false if nothing changes.
    pub fn edit(&mut self, body: CommentText, mentions: Mentions, now: Timestamp) -> bool {
        let changes = (&self.body, &self.mentions) != (&body, &mentions);
        if changes {
            (self.body, self.mentions, self.updated_at) = (body, mentions, now);
        }
        changes
    }
}

/// A reply in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The id of the reply.
    pub id: ReplyId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The thread.
    pub comment: CommentId,
    /// The page of the thread.
    pub page: PageId,
    /// What the author wrote.
    pub body: CommentText,
    /// Whom and what it mentions.
    pub mentions: Mentions,
    /// Who wrote it.
    pub author: UserId,
    /// When it was written.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const LATER: Timestamp = Timestamp::from_millis(9);

    fn thread() -> Comment {
        Comment {
            id: CommentId::EXAMPLE,
            workspace: WorkspaceId::EXAMPLE,
            page: PageId::EXAMPLE,
            anchor: Anchor::Page,
            body: CommentText::parse("Why?").unwrap(),
            mentions: Mentions::default(),
            resolution: None,
            reply_count: 0,
            author: UserId::EXAMPLE,
            created_at: Timestamp::from_millis(1),
            updated_at: Timestamp::from_millis(1),
        }
    }

    #[test]
    fn a_thread_is_resolved_and_reopened_once() {
        let mut comment = thread();
        assert!(!comment.reopen(LATER));
        assert_eq!(comment, thread());
        assert!(comment.resolve(UserId::EXAMPLE, LATER));
        assert_eq!((comment.status(), comment.updated_at), (CommentStatus::Resolved, LATER));
        let resolved = comment.clone();
        assert!(!comment.resolve(UserId::LOWEST, Timestamp::from_millis(12)));
        assert_eq!(comment, resolved, "who resolved it first stays named");
        assert!(comment.reopen(LATER));
        assert_eq!(comment.status(), CommentStatus::Open);
    }

    #[test]
    fn an_edit_without_a_difference_is_none() {
        let mut comment = thread();
        assert!(!comment.edit(comment.body.clone(), comment.mentions.clone(), LATER));
        assert_eq!(comment, thread());
        assert!(comment.edit(CommentText::parse("Because.").unwrap(), Mentions::default(), LATER));
        assert_eq!((comment.body.as_str(), comment.updated_at), ("Because.", LATER));
    }

    #[test]
    fn only_a_thread_on_a_record_names_it() {
        let on = |anchor| Comment { anchor, ..thread() };
        assert_eq!(on(Anchor::Record).record(), Some(PageId::EXAMPLE.as_record()));
        assert_eq!(on(Anchor::Block(BlockId::EXAMPLE)).record(), None);
        assert_eq!(on(Anchor::Page).record(), None);
    }
}
