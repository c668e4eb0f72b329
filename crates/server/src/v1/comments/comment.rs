//! The representations of comments and their parts.

use crate::wire::reply;
use octavo_app::comments::{Author, ReactionCount, ShownComment, ShownMention, ShownReply};
use octavo_core_model::{
    Timestamp,
    comment::{CommentStatus, Emoji, Mention, MentionType, Selection},
    id::{BlockId, CommentId, PageId, RecordId, ReplyId, TeamId, UserId, WorkspaceId},
    text::{CommentText, WebAddress},
};

reply! {
    /// Who wrote a comment.
    pub(crate) CommentAuthorReply {
        /// The account.
        id "id": required UserId,
        /// The full name.
        name "name": required String = "Ada Lovelace",
        /// The address of the picture.
        avatar_url "avatarUrl": nullable WebAddress,
    }
}

reply! {
    /// A part of the text of a block, as it was when somebody commented on it.
    pub(crate) SelectionReply {
        /// Where it begins, in UTF-16 code units.
        start_offset "startOffset": required u32 = 0,
        /// Where it ends: the offset of the first unit after it.
        end_offset "endOffset": required u32 = 9,
        /// The selected text, as the author quoted it.
        quoted_text "quotedText": required String = "Ship it t",
    }
}

reply! {
    /// A mentioned user or team.
    pub(crate) MentionReply {
        /// What it is.
        kind "type": required MentionType = "user",
        /// Its id.
        id "id": required String = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Its name; null for users who are no members, and for teams that the caller may not see.
        name "name": nullable String = "Ada Lovelace",
    }
}

reply! {
    /// A mentioned page or database.
    pub(crate) PageMentionReply {
        /// What it is.
        kind "type": required MentionType = "page",
        /// Its id.
        id "id": required String = "pg_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
        /// Its title; null if it is not in use or the caller may not see it.
        title "title": nullable String = "Roadmap",
    }
}

reply! {
    /// The people who react with one emoji.
    pub(crate) ReactionReply {
        /// The emoji.
        emoji "emoji": required Emoji,
        /// How many people react with it.
        count "count": required u64 = 1,
        /// These people, from the first on.
        user_ids "userIds": required Vec<UserId>,
    }
}

reply! {
    /// A reply in a thread.
    pub(crate) ThreadReply {
        /// The id of the reply.
        id "id": required ReplyId,
        /// The thread.
        comment_id "commentId": required CommentId,
        /// What the author wrote.
        body "body": required CommentText,
        /// The users and teams that it mentions.
        mentions "mentions": required Vec<MentionReply>,
        /// The pages and databases that it mentions.
        page_mentions "pageMentions": required Vec<PageMentionReply>,
        /// The reactions to it, in the order in which each emoji was first used.
        reactions "reactions": required Vec<ReactionReply>,
        /// Who wrote it.
        author "author": required CommentAuthorReply,
        /// When it was written.
        created_at "createdAt": required Timestamp,
        /// The same: replies are not edited.
        updated_at "updatedAt": required Timestamp,
    }
}

reply! {
    /// A thread: the comment that begins it.
    pub(crate) CommentReply {
        /// The id of the thread.
        id "id": required CommentId,
        /// Its workspace.
        workspace_id "workspaceId": required WorkspaceId,
        /// The team of its page.
        team_id "teamId": nullable TeamId = null,
        /// The page that it is on.
        page_id "pageId": required PageId,
        /// The block that it is on.
        block_id "blockId": nullable BlockId = null,
        /// The record that it is on.
        record_id "recordId": nullable RecordId = null,
        /// The text of the block that it is about.
        selection "selection": nullable SelectionReply = null,
        /// What the author wrote.
        body "body": required CommentText,
        /// The users and teams that it mentions.
        mentions "mentions": required Vec<MentionReply>,
        /// The pages and databases that it mentions.
        page_mentions "pageMentions": required Vec<PageMentionReply>,
        /// Whether it is resolved.
        status "status": required CommentStatus,
        /// When it was resolved.
        resolved_at "resolvedAt": nullable Timestamp = null,
        /// Who resolved it.
        resolved_by "resolvedBy": nullable UserId = null,
        /// How many replies it has.
        reply_count "replyCount": required u32 = 1,
        /// The reactions to it, in the order in which each emoji was first used.
        reactions "reactions": required Vec<ReactionReply>,
        /// Its replies, from the oldest on; in lists only on request.
        replies "replies": optional Vec<ThreadReply>,
        /// Who wrote it.
        author "author": required CommentAuthorReply,
        /// When it was written.
        created_at "createdAt": required Timestamp,
        /// When it was last edited, resolved or reopened.
        updated_at "updatedAt": required Timestamp,
    }
}

impl From<Author> for CommentAuthorReply {
    fn from(author: Author) -> Self {
        Self { id: author.id, name: author.name, avatar_url: author.avatar_url }
    }
}

impl From<&Selection> for SelectionReply {
    fn from(selection: &Selection) -> Self {
        Self { start_offset: selection.start(), end_offset: selection.end(), quoted_text: selection.quote().to_owned() }
    }
}

impl From<ReactionCount> for ReactionReply {
    fn from(count: ReactionCount) -> Self {
        Self { emoji: count.emoji, count: count.users.len() as u64, user_ids: count.users }
    }
}

/// Mentioned users and teams, and mentioned pages and databases.
fn mentions(shown: Vec<ShownMention>) -> (Vec<MentionReply>, Vec<PageMentionReply>) {
    let (mut others, mut pages) = (Vec::new(), Vec::new());
    for ShownMention { mention, name } in shown {
        let (kind, id) = (mention.kind(), mention.id());
        match mention {
            Mention::Page(_) | Mention::Database(_) => pages.push(PageMentionReply { kind, id, title: name }),
            Mention::User(_) | Mention::Outsider(_) | Mention::Team(_) => others.push(MentionReply { kind, id, name }),
        }
    }
    (others, pages)
}

impl From<ShownReply> for ThreadReply {
    fn from(shown: ShownReply) -> Self {
        let ShownReply { reply, author, mentions: mentioned, reactions } = shown;
        let (mentions, page_mentions) = mentions(mentioned);
        Self {
            id: reply.id,
            comment_id: reply.comment,
            body: reply.body,
            mentions,
            page_mentions,
            reactions: reactions.into_iter().map(ReactionReply::from).collect(),
            author: author.into(),
            created_at: reply.created_at,
            updated_at: reply.created_at,
        }
    }
}

impl From<ShownComment> for CommentReply {
    fn from(shown: ShownComment) -> Self {
        let ShownComment { comment, team, author, mentions: mentioned, reactions, replies } = shown;
        let (mentions, page_mentions) = mentions(mentioned);
        Self {
            id: comment.id,
            workspace_id: comment.workspace,
            team_id: team,
            page_id: comment.page,
            block_id: comment.anchor.block(),
            record_id: comment.record(),
            selection: comment.anchor.selection().map(SelectionReply::from),
            mentions,
            page_mentions,
            status: comment.status(),
            resolved_at: comment.resolution.map(|resolution| resolution.at),
            resolved_by: comment.resolution.map(|resolution| resolution.by),
            reply_count: comment.reply_count,
            reactions: reactions.into_iter().map(ReactionReply::from).collect(),
            replies: replies.map(|replies| replies.into_iter().map(ThreadReply::from).collect()),
            author: author.into(),
            created_at: comment.created_at,
            updated_at: comment.updated_at,
            body: comment.body,
        }
    }
}
