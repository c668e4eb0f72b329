//! Comments, their replies and the reactions to both.

use crate::{blocks::InvalidMark, store_result::StoreResult};
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp,
    comment::{Comment, CommentStatus, Emoji, Reaction, Reply},
    id::{BlockId, CommentId, PageId, ReplyId, TeamId, UserId, WorkspaceId},
    page::Node,
    text::CommentText,
};
use std::{fmt, str::FromStr};

/// Which threads to list.
#[derive(Clone, Debug, Default)]
pub struct CommentFilter {
    /// Only those on this page, which may be in the trash. Otherwise those on active pages.
    pub page: Option<PageId>,
    /// Only those on this block.
    pub block: Option<BlockId>,
    /// Only those that are on a record.
    pub on_record: bool,
    /// Only those on pages of this team.
    pub team: Option<TeamId>,
    pub author: Option<UserId>,
    pub status: Option<CommentStatus>,
    /// Only those on pages with one of these access nodes; `None` for all.
    pub within: Option<Vec<Node>>,
}

/// Where a text stands: in a comment, or in a reply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentPlace {
    pub comment: CommentId,
    pub reply: Option<ReplyId>,
    /// The page of the thread.
    pub page: PageId,
}

impl From<&Comment> for CommentPlace {
    fn from(comment: &Comment) -> Self {
        Self { comment: comment.id, reply: None, page: comment.page }
    }
}

impl From<&Reply> for CommentPlace {
    fn from(reply: &Reply) -> Self {
        Self { comment: reply.comment, reply: Some(reply.id), page: reply.page }
    }
}

/// A comment or reply that mentions a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentReference {
    pub place: CommentPlace,
    pub text: CommentText,
    pub created_at: Timestamp,
}

/// The reference after which a list of references to a page continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentMark {
    pub created_at: Timestamp,
    pub comment: CommentId,
    pub reply: Option<ReplyId>,
}

impl From<&CommentReference> for CommentMark {
    fn from(CommentReference { place, created_at, .. }: &CommentReference) -> Self {
        Self { created_at: *created_at, comment: place.comment, reply: place.reply }
    }
}

impl fmt::Display for CommentMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reply = self.reply.map_or_else(|| "-".to_owned(), |reply| reply.to_string());
        write!(f, "{} {reply} {}", self.comment, self.created_at.millis())
    }
}

impl FromStr for CommentMark {
    type Err = InvalidMark;

    fn from_str(text: &str) -> Result<Self, InvalidMark> {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next().ok_or(InvalidMark);
        let comment = part()?.parse().map_err(|_| InvalidMark)?;
        let reply = match part()? {
            "-" => None,
            reply => Some(reply.parse().map_err(|_| InvalidMark)?),
        };
        let created_at = part()?.parse().map(Timestamp::from_millis).map_err(|_| InvalidMark)?;
        Ok(Self { created_at, comment, reply })
    }
}

/// Threads on blocks that are deleted do not exist for any of these until the block is restored.
#[async_trait]
pub trait CommentReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<Option<Comment>>;

    /// These threads, in any order.
    async fn list_by_id(&mut self, workspace: WorkspaceId, ids: &[CommentId]) -> StoreResult<Vec<Comment>>;

    /// These replies in these threads, in any order.
    async fn list_replies_by_id(
        &mut self,
        workspace: WorkspaceId,
        comments: &[CommentId],
        ids: &[ReplyId],
    ) -> StoreResult<Vec<Reply>>;

    /// Threads, newest first, after the given one.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        filter: &CommentFilter,
        before: Option<CommentId>,
        limit: u32,
    ) -> StoreResult<Vec<Comment>>;

    async fn find_reply(
        &mut self,
        workspace: WorkspaceId,
        comment: CommentId,
        id: ReplyId,
    ) -> StoreResult<Option<Reply>>;

    /// The replies in these threads, each thread's from the oldest on.
    async fn list_replies(&mut self, workspace: WorkspaceId, comments: &[CommentId]) -> StoreResult<Vec<Reply>>;

    /// How many bytes the texts of the replies in these threads have.
    async fn measure_replies(&mut self, workspace: WorkspaceId, comments: &[CommentId]) -> StoreResult<u64>;

    /// The threads of the workspace in the order of their ids, after an id.
    async fn list_by_age(
        &mut self,
        workspace: WorkspaceId,
        after: Option<CommentId>,
        limit: u32,
    ) -> StoreResult<Vec<CommentId>>;

    /// The threads on these pages, up to a limit, in no particular order.
    async fn list_on_pages(
        &mut self,
        workspace: WorkspaceId,
        pages: &[PageId],
        limit: u32,
    ) -> StoreResult<Vec<(PageId, CommentId)>>;

    /// Who has replied in a thread, up to a limit.
    async fn list_repliers(
        &mut self,
        workspace: WorkspaceId,
        comment: CommentId,
        limit: u32,
    ) -> StoreResult<Vec<UserId>>;

    /// The reactions to these comments, and if they are wanted those to their replies, from the oldest on.
    async fn list_reactions(
        &mut self,
        workspace: WorkspaceId,
        comments: &[CommentId],
        with_replies: bool,
    ) -> StoreResult<Vec<Reaction>>;

    /// Who reacts with this emoji to a comment or to a reply, in the order of the reactions.
    async fn list_reactors(
        &mut self,
        workspace: WorkspaceId,
        target: (CommentId, Option<ReplyId>),
        emoji: Emoji,
    ) -> StoreResult<Vec<UserId>>;

    /// Comments and replies on active pages that mention a page, newest mention first, after the given one; `within` as in
    /// [`CommentFilter`].
    async fn list_references_to(
        &mut self,
        workspace: WorkspaceId,
        target: PageId,
        within: Option<&[Node]>,
        after: Option<&CommentMark>,
        limit: u32,
    ) -> StoreResult<Vec<CommentReference>>;
}

/// Comments are changed under the lock of their page.
#[async_trait]
pub trait Comments: CommentReads {
    async fn insert(&mut self, comment: &Comment) -> StoreResult<()>;

    /// Finds a thread and locks it until the unit ends.
    async fn lock(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<Option<Comment>>;

    /// Saves everything of a thread that may change.
    async fn save(&mut self, comment: &Comment) -> StoreResult<()>;

    /// Removes a thread with its replies and reactions.
    async fn remove(&mut self, workspace: WorkspaceId, id: CommentId) -> StoreResult<()>;

    async fn insert_reply(&mut self, reply: &Reply) -> StoreResult<()>;

    /// Records which pages a text mentions. Those that it mentioned before keep their time.
    async fn replace_references(
        &mut self,
        workspace: WorkspaceId,
        place: &CommentPlace,
        targets: &[PageId],
        at: Timestamp,
    ) -> StoreResult<()>;

    /// Removes a reply with the reactions to it.
    async fn remove_reply(&mut self, workspace: WorkspaceId, comment: CommentId, id: ReplyId) -> StoreResult<()>;

    /// Returns false, and writes nothing, if the same person reacts like this already.
    async fn insert_reaction(&mut self, reaction: &Reaction) -> StoreResult<bool>;

    /// Returns false if there is no such reaction.
    async fn remove_reaction(
        &mut self,
        workspace: WorkspaceId,
        target: (CommentId, Option<ReplyId>),
        emoji: Emoji,
        user: UserId,
    ) -> StoreResult<bool>;

    /// Whether anything is left of the threads of a page that was removed.
    async fn are_left_of(&mut self, workspace: WorkspaceId, page: PageId) -> StoreResult<bool>;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_is_written() {
        let mark = CommentMark { created_at: Timestamp::from_millis(7), comment: CommentId::LOWEST, reply: None };
        for mark in [mark, CommentMark { reply: Some(ReplyId::LOWEST), ..mark }] {
            assert_eq!(mark.to_string().parse::<CommentMark>().unwrap(), mark);
        }
        for wrong in ["", "x", &CommentId::LOWEST.to_string(), &format!("{} x 7", CommentId::LOWEST)] {
            assert!(wrong.parse::<CommentMark>().is_err(), "{wrong}");
        }
    }
}
