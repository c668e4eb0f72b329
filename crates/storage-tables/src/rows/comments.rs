//! Rows of comments, replies and reactions.

use crate::{
    schema::{comment_reactions, comment_references, comment_replies, comments},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    comment::{Anchor, Comment, Emoji, Mentions, Reaction, Reply, Resolution, Selection},
    id::{BlockId, CommentId, PageId, ReplyId, UserId, WorkspaceId},
    text::CommentText,
};
use octavo_ports::comments::CommentPlace;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = comments, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, page_id, on_record, block_id, selection, author_id, created_at))] // what saving leaves alone
pub struct CommentRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<CommentId>,
    page_id: Stored<PageId>,
    on_record: bool,
    block_id: Option<Stored<BlockId>>,
    selection: Option<Stored<Selection>>,
    author_id: Stored<UserId>,
    created_at: i64,
    body: Stored<CommentText>,
    mentions: Stored<Mentions>,
    resolved_at: Option<i64>,
    resolved_by: Option<Stored<UserId>>,
    reply_count: i64,
    updated_at: i64,
}

impl From<&Comment> for CommentRow {
    fn from(comment: &Comment) -> Self {
        Self {
            workspace_id: Stored(comment.workspace),
            id: Stored(comment.id),
            page_id: Stored(comment.page),
            on_record: comment.anchor == Anchor::Record,
            block_id: comment.anchor.block().map(Stored),
            selection: comment.anchor.selection().cloned().map(Stored),
            author_id: Stored(comment.author),
            created_at: comment.created_at.millis(),
            body: Stored(comment.body.clone()),
            mentions: Stored(comment.mentions.clone()),
            resolved_at: comment.resolution.map(|resolution| resolution.at.millis()),
            resolved_by: comment.resolution.map(|resolution| Stored(resolution.by)),
            reply_count: comment.reply_count.into(),
            updated_at: comment.updated_at.millis(),
        }
    }
}

impl From<CommentRow> for Comment {
    fn from(row: CommentRow) -> Self {
        let anchor = match (row.block_id, row.selection) {
            (Some(block), Some(selection)) => Anchor::Text(block.0, selection.0),
            (Some(block), None) => Anchor::Block(block.0),
            (None, _) if row.on_record => Anchor::Record,
            (None, _) => Anchor::Page,
        };
        let resolution = row.resolved_at.zip(row.resolved_by);
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.page_id.0,
            anchor,
            body: row.body.0,
            mentions: row.mentions.0,
            resolution: resolution.map(|(at, by)| Resolution { at: Timestamp::from_millis(at), by: by.0 }),
            reply_count: u32::try_from(row.reply_count).unwrap_or_default(),
            author: row.author_id.0,
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = comment_replies, treat_none_as_default_value = false)]
pub struct CommentReplyRow {
    workspace_id: Stored<WorkspaceId>,
    comment_id: Stored<CommentId>,
    id: Stored<ReplyId>,
    page_id: Stored<PageId>,
    body: Stored<CommentText>,
    mentions: Stored<Mentions>,
    author_id: Stored<UserId>,
    created_at: i64,
}

impl From<&Reply> for CommentReplyRow {
    fn from(reply: &Reply) -> Self {
        Self {
            workspace_id: Stored(reply.workspace),
            comment_id: Stored(reply.comment),
            id: Stored(reply.id),
            page_id: Stored(reply.page),
            body: Stored(reply.body.clone()),
            mentions: Stored(reply.mentions.clone()),
            author_id: Stored(reply.author),
            created_at: reply.created_at.millis(),
        }
    }
}

impl From<CommentReplyRow> for Reply {
    fn from(row: CommentReplyRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            comment: row.comment_id.0,
            page: row.page_id.0,
            body: row.body.0,
            mentions: row.mentions.0,
            author: row.author_id.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

#[derive(Debug, Insertable)]
#[diesel(table_name = comment_references, treat_none_as_default_value = false)]
pub struct CommentReferenceRow {
    workspace_id: Stored<WorkspaceId>,
    comment_id: Stored<CommentId>,
    source_id: String,
    target_id: Stored<PageId>,
    page_id: Stored<PageId>,
    created_at: i64,
}

impl CommentReferenceRow {
    pub fn new(workspace: WorkspaceId, place: &CommentPlace, mentioned: PageId, at: Timestamp) -> Self {
        Self {
            workspace_id: Stored(workspace),
            comment_id: Stored(place.comment),
            source_id: target(place.comment, place.reply),
            target_id: Stored(mentioned),
            page_id: Stored(place.page),
            created_at: at.millis(),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = comment_reactions, treat_none_as_default_value = false)]
pub struct ReactionRow {
    workspace_id: Stored<WorkspaceId>,
    comment_id: Stored<CommentId>,
    target_id: String,
    emoji: Stored<Emoji>,
    user_id: Stored<UserId>,
    page_id: Stored<PageId>,
    created_at: i64,
}

/// What a reaction is to: the reply, or the comment itself.
pub fn target(comment: CommentId, reply: Option<ReplyId>) -> String {
    reply.map_or_else(|| comment.to_string(), |reply| reply.to_string())
}

impl From<&Reaction> for ReactionRow {
    fn from(reaction: &Reaction) -> Self {
        Self {
            workspace_id: Stored(reaction.workspace),
            comment_id: Stored(reaction.comment),
            target_id: target(reaction.comment, reaction.reply),
            emoji: Stored(reaction.emoji),
            user_id: Stored(reaction.user),
            page_id: Stored(reaction.page),
            created_at: reaction.created_at.millis(),
        }
    }
}

impl From<ReactionRow> for Reaction {
    fn from(row: ReactionRow) -> Self {
        Self {
            workspace: row.workspace_id.0,
            comment: row.comment_id.0,
            reply: row.target_id.parse().ok(),
            page: row.page_id.0,
            emoji: row.emoji.0,
            user: row.user_id.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}
