//! Events of comments. They name what is mentioned by its id only: names of people and titles of pages can be hidden from
//! some readers of an event, and change.

use super::{Location, MAX_LISTED, Payload};
use crate::{
    comment::{Comment, CommentStatus, Emoji, Mention, MentionType, Mentions, Reaction, Reply, Selection},
    event::Resource,
    id::{BlockId, CommentId, DatabaseId, PageId, RecordId, ReplyId, TeamId, UserId, WorkspaceId},
    page::Page,
    text::CommentText,
    time::Timestamp,
};
use serde::Serialize;

/// Something happened to a thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfComment<T> {
    /// The record whose page the thread is on, whether or not it is about the record.
    #[serde(skip)]
    record_of_page: Option<RecordId>,
    actor: Option<String>,
    workspace_id: WorkspaceId,
    comment_id: CommentId,
    page_id: PageId,
    block_id: Option<BlockId>,
    record_id: Option<RecordId>,
    database_id: Option<DatabaseId>,
    team_id: Option<TeamId>,
    author_id: UserId,
    mentions: Vec<Mentioned>,
    page_mentions: Vec<Mentioned>,
    #[serde(flatten)]
    what: T,
}

/// Something that a comment mentions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mentioned {
    #[serde(rename = "type")]
    kind: MentionType,
    id: String,
}

impl Mentioned {
    const fn is_page(mention: Mention) -> bool {
        matches!(mention, Mention::Page(_) | Mention::Database(_))
    }
}

impl From<Mention> for Mentioned {
    fn from(mention: Mention) -> Self {
        Self { kind: mention.kind(), id: mention.id() }
    }
}

impl<T> OfComment<T> {
    /// The event of this thread on this page, which this actor caused.
    pub fn new(comment: &Comment, page: &Page, actor: Option<String>, what: T) -> Self {
        let Location { database, record, team, .. } = Location::of_node(page);
        Self {
            record_of_page: record,
            actor,
            workspace_id: comment.workspace,
            comment_id: comment.id,
            page_id: comment.page,
            block_id: comment.anchor.block(),
            record_id: comment.record(),
            database_id: database,
            team_id: team,
            author_id: comment.author,
            mentions: Vec::new(),
            page_mentions: Vec::new(),
            what,
        }
        .about(comment.author, &comment.mentions)
    }

    /// The same about a reply: its author, and what it mentions.
    #[must_use]
    pub fn about(mut self, author: UserId, mentions: &Mentions) -> Self {
        let (pages, others): (Vec<_>, Vec<_>) = mentions.iter().partition(|mention| Mentioned::is_page(*mention));
        self.author_id = author;
        self.mentions = others.into_iter().map(Mentioned::from).collect();
        self.page_mentions = pages.into_iter().map(Mentioned::from).collect();
        self
    }
}

/// What such an event says besides its place.
pub trait OnComment: Serialize {
    /// The example in the description.
    fn example() -> Self;

    /// Examples of further forms.
    fn more_examples() -> Vec<Self>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

impl<T: OnComment> OfComment<T> {
    fn example_with(what: T) -> Self {
        Self {
            record_of_page: None,
            actor: Some(UserId::EXAMPLE.to_string()),
            workspace_id: WorkspaceId::EXAMPLE,
            comment_id: CommentId::EXAMPLE,
            page_id: PageId::EXAMPLE,
            block_id: None,
            record_id: None,
            database_id: None,
            team_id: Some(TeamId::EXAMPLE),
            author_id: UserId::EXAMPLE,
            mentions: vec![Mention::User(UserId::EXAMPLE).into()],
            page_mentions: vec![Mention::Page(PageId::EXAMPLE).into()],
            what,
        }
    }
}

impl<T: OnComment> Payload for OfComment<T> {
    fn resource(&self) -> Resource {
        Resource::Comment(self.comment_id)
    }

    fn location(&self) -> Location {
        let page = Location::of_page(self.page_id, self.team_id);
        Location { database: self.database_id, record: self.record_of_page, ..page }
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self::example_with(T::example())
    }

    fn more_examples() -> Vec<Self> {
        let on_block = Self { team_id: None, actor: None, block_id: Some(BlockId::EXAMPLE), ..Self::example() };
        let record = PageId::EXAMPLE.as_record();
        let on_record = Self {
            record_of_page: Some(record),
            record_id: Some(record),
            database_id: Some(DatabaseId::EXAMPLE),
            ..Self::example()
        };
        T::more_examples().into_iter().map(Self::example_with).chain([on_block, on_record]).collect()
    }
}

/// A thread was begun, or its first comment edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommentWritten {
    body: CommentText,
    selection: Option<SelectedText>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SelectedText {
    start_offset: u32,
    end_offset: u32,
    quoted_text: String,
}

impl From<&Selection> for SelectedText {
    fn from(selection: &Selection) -> Self {
        Self { start_offset: selection.start(), end_offset: selection.end(), quoted_text: selection.quote().to_owned() }
    }
}

impl From<&Comment> for CommentWritten {
    fn from(comment: &Comment) -> Self {
        Self { body: comment.body.clone(), selection: comment.anchor.selection().map(SelectedText::from) }
    }
}

fn example_text() -> CommentText {
    CommentText::from_stored("Can you check this, @Ada?".to_owned())
}

impl OnComment for CommentWritten {
    fn example() -> Self {
        Self { body: example_text(), selection: None }
    }

    fn more_examples() -> Vec<Self> {
        let selection = SelectedText { start_offset: 4, end_offset: 9, quoted_text: "seven".to_owned() };
        vec![Self { selection: Some(selection), ..Self::example() }]
    }
}

/// A thread mentions somebody or something that it did not mention before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommentMentioned {
    mention: Mentioned,
}

impl From<Mention> for CommentMentioned {
    fn from(mention: Mention) -> Self {
        Self { mention: mention.into() }
    }
}

impl OnComment for CommentMentioned {
    fn example() -> Self {
        Mention::User(UserId::EXAMPLE).into()
    }
}

/// A thread was deleted, with this many replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentDeleted {
    reply_count: u32,
}

impl From<&Comment> for CommentDeleted {
    fn from(comment: &Comment) -> Self {
        Self { reply_count: comment.reply_count }
    }
}

impl OnComment for CommentDeleted {
    fn example() -> Self {
        Self { reply_count: 3 }
    }
}

/// A thread was resolved or reopened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentState {
    status: CommentStatus,
    resolved_at: Option<Timestamp>,
    resolved_by: Option<UserId>,
}

impl From<&Comment> for CommentState {
    fn from(comment: &Comment) -> Self {
        let resolution = comment.resolution;
        Self {
            status: comment.status(),
            resolved_at: resolution.map(|resolution| resolution.at),
            resolved_by: resolution.map(|resolution| resolution.by),
        }
    }
}

impl OnComment for CommentState {
    fn example() -> Self {
        let resolved_at = Some(Timestamp::from_millis(1_763_717_400_000));
        Self { status: CommentStatus::Resolved, resolved_at, resolved_by: Some(UserId::EXAMPLE) }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { status: CommentStatus::Open, resolved_at: None, resolved_by: None }]
    }
}

/// Somebody replied in a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyCreated {
    reply_id: ReplyId,
    body: CommentText,
    /// The author of the thread; that of the event is the author of the reply.
    thread_author_id: UserId,
    /// Who has written in the thread, with both authors; the first [`MAX_LISTED`].
    participant_ids: Vec<UserId>,
}

impl ReplyCreated {
    /// The event of a reply in this thread, in which these users have written.
    pub fn new(comment: &Comment, reply: &Reply, mut participants: Vec<UserId>) -> Self {
        participants.truncate(MAX_LISTED);
        Self {
            reply_id: reply.id,
            body: reply.body.clone(),
            thread_author_id: comment.author,
            participant_ids: participants,
        }
    }
}

impl OnComment for ReplyCreated {
    fn example() -> Self {
        Self {
            reply_id: ReplyId::EXAMPLE,
            body: example_text(),
            thread_author_id: UserId::EXAMPLE,
            participant_ids: vec![UserId::EXAMPLE],
        }
    }
}

/// A reply was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyDeleted {
    reply_id: ReplyId,
    thread_author_id: UserId,
}

impl ReplyDeleted {
    /// The event of a reply in this thread.
    pub const fn new(comment: &Comment, reply: &Reply) -> Self {
        Self { reply_id: reply.id, thread_author_id: comment.author }
    }
}

impl OnComment for ReplyDeleted {
    fn example() -> Self {
        Self { reply_id: ReplyId::EXAMPLE, thread_author_id: UserId::EXAMPLE }
    }
}

/// Somebody reacted to a comment or a reply, or took a reaction back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReactionChanged {
    emoji: &'static str,
    reply_id: Option<ReplyId>,
    user_id: UserId,
    /// How many people react like this now.
    count: u64,
}

impl ReactionChanged {
    /// The event of this reaction, which this many people have now.
    pub fn new(reaction: &Reaction, count: u64) -> Self {
        Self { emoji: reaction.emoji.as_str(), reply_id: reaction.reply, user_id: reaction.user, count }
    }
}

impl OnComment for ReactionChanged {
    fn example() -> Self {
        Self { emoji: Emoji::ALL[0], reply_id: None, user_id: UserId::EXAMPLE, count: 2 }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { reply_id: Some(ReplyId::EXAMPLE), ..Self::example() }]
    }
}
