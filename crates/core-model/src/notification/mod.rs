//! Notifications: what users are told.

mod preferences;
mod told;

pub use preferences::{DailyTime, InvalidDailyTime, MailChoice, MailPreferences};
pub use told::{Doing, Involvement, told};

use crate::{
    id::{
        BlockId, CommentId, DatabaseId, InvalidId, InvitationId, JobId, NotificationId, PageId, RecordId, ReplyId,
        UserId, WorkspaceId,
    },
    name::named,
    time::{Timestamp, days},
};
use std::{fmt, str::FromStr, time::Duration};

named! {
    /// Why somebody is told. If several types fit one action, the first one wins, except that an assignment is more than
    /// a mention.
    NotificationType {
        /// Somebody mentioned them.
        Mention = "MENTION",
        /// Somebody wrote in a thread that concerns them.
        Comment = "COMMENT",
        /// Somebody reacted to what they wrote.
        Reaction = "REACTION",
        /// Something is theirs to do.
        Assigned = "ASSIGNED",
        /// A page or record that they follow changed.
        PageUpdated = "PAGE_UPDATED",
        /// They gained access to a page or database.
        PageShared = "PAGE_SHARED",
        /// Somebody asks for access that they may give.
        AccessRequest = "ACCESS_REQUEST",
        /// What became of their request for access.
        AccessDecided = "ACCESS_DECIDED",
        /// They were added to a workspace.
        MemberAdded = "MEMBER_ADDED",
        /// Their form was answered.
        FormSubmission = "FORM_SUBMISSION",
        /// Their background job has ended.
        JobFinished = "JOB_FINISHED",
        /// An automation tells them.
        Automation = "AUTOMATION",
        /// The service tells them.
        System = "SYSTEM",
    }
}

impl NotificationType {
    /// Whether a mail is sent unless the recipient decided otherwise.
    pub const fn is_mailed(self) -> bool {
        match self {
            Self::Mention
            | Self::Comment
            | Self::Assigned
            | Self::PageShared
            | Self::AccessRequest
            | Self::AccessDecided
            | Self::MemberAdded
            | Self::System => true,
            Self::Reaction | Self::PageUpdated | Self::FormSubmission | Self::JobFinished | Self::Automation => false,
        }
    }

    /// Whether only those are mailed that may view the thing then. The others are told that something concerns them, and
    /// nothing of the thing.
    pub const fn needs_access(self) -> bool {
        match self {
            Self::Comment
            | Self::Reaction
            | Self::PageUpdated
            | Self::PageShared
            | Self::AccessRequest
            | Self::MemberAdded => true,
            Self::Mention
            | Self::Assigned
            | Self::AccessDecided
            | Self::FormSubmission
            | Self::JobFinished
            | Self::Automation
            | Self::System => false,
        }
    }

    /// Whether it reaches people that muted the place.
    pub const fn ignores_mutes(self) -> bool {
        matches!(self, Self::Mention | Self::Assigned | Self::PageShared | Self::AccessRequest | Self::AccessDecided)
    }
}

/// How long changes of one page are folded into the notification of the first one.
pub const FOLDED_FOR: Duration = Duration::from_mins(10);

/// How long notifications that were read are kept.
pub const READ_KEPT_FOR: Duration = days(90);

/// How long notifications that nobody read are kept.
pub const UNREAD_KEPT_FOR: Duration = days(365);

/// What a notification is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A thread on a page, or a reply in it.
    Comment {
        /// The thread.
        id: CommentId,
        /// The page.
        page: PageId,
        /// The reply.
        reply: Option<ReplyId>,
    },
    /// A block on a page.
    Block {
        /// The block.
        id: BlockId,
        /// The page.
        page: PageId,
    },
    /// A page.
    Page(PageId),
    /// A record.
    Record(RecordId),
    /// A database.
    Database(DatabaseId),
    /// A workspace.
    Workspace(WorkspaceId),
    /// A background job.
    Job(JobId),
    /// An invitation that they sent.
    Invitation(InvitationId),
}

/// A subject as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSubject {
    /// The type of the thing.
    pub kind: SubjectType,
    /// Its id.
    pub id: String,
    /// The page or database that it is on.
    pub node: Option<PageId>,
    /// The reply.
    pub reply: Option<ReplyId>,
}

named! {
    /// The type of what a notification is about.
    SubjectType {
        Comment = "comment",
        Block = "block",
        Page = "page",
        Record = "record",
        Database = "database",
        Workspace = "workspace",
        Job = "job",
        Invitation = "invitation",
    }
}

impl Subject {
    /// What it is.
    pub const fn kind(self) -> SubjectType {
        match self {
            Self::Comment { .. } => SubjectType::Comment,
            Self::Block { .. } => SubjectType::Block,
            Self::Page(_) => SubjectType::Page,
            Self::Record(_) => SubjectType::Record,
            Self::Database(_) => SubjectType::Database,
            Self::Workspace(_) => SubjectType::Workspace,
            Self::Job(_) => SubjectType::Job,
            Self::Invitation(_) => SubjectType::Invitation,
        }
    }

    /// Its id.
    pub fn id(self) -> String {
        match self {
            Self::Comment { id, .. } => id.to_string(),
            Self::Block { id, .. } => id.to_string(),
            Self::Page(id) => id.to_string(),
            Self::Record(id) => id.to_string(),
            Self::Database(id) => id.to_string(),
            Self::Workspace(id) => id.to_string(),
            Self::Job(id) => id.to_string(),
            Self::Invitation(id) => id.to_string(),
        }
    }

    /// The node of the tree whose readers may know it.
    pub const fn node(self) -> Option<PageId> {
        match self {
            Self::Comment { page, .. } | Self::Block { page, .. } | Self::Page(page) => Some(page),
            Self::Record(id) => Some(id.page()),
            Self::Database(id) => Some(id.node()),
            Self::Workspace(_) | Self::Job(_) | Self::Invitation(_) => None,
        }
    }

    /// The reply that it is about.
    pub const fn reply(self) -> Option<ReplyId> {
        match self {
            Self::Comment { reply, .. } => reply,
            _ => None,
        }
    }

    /// The form in which it is stored.
    pub fn stored(self) -> StoredSubject {
        StoredSubject { kind: self.kind(), id: self.id(), node: self.node(), reply: self.reply() }
    }

    /// Reads the stored form.
    pub fn read(stored: &StoredSubject) -> Option<Self> {
        let id = &stored.id;
        Some(match stored.kind {
            SubjectType::Comment => Self::Comment { id: id.parse().ok()?, page: stored.node?, reply: stored.reply },
            SubjectType::Block => Self::Block { id: id.parse().ok()?, page: stored.node? },
            SubjectType::Page => Self::Page(id.parse().ok()?),
            SubjectType::Record => Self::Record(id.parse().ok()?),
            SubjectType::Database => Self::Database(id.parse().ok()?),
            SubjectType::Workspace => Self::Workspace(id.parse().ok()?),
            SubjectType::Job => Self::Job(id.parse().ok()?),
            SubjectType::Invitation => Self::Invitation(id.parse().ok()?),
        })
    }
}

/// What a user is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The id.
    pub id: NotificationId,
    /// Who is told.
    pub user: UserId,
    /// Where it happened. The user need not be a member there.
    pub workspace: WorkspaceId,
    /// Why they are told.
    pub kind: NotificationType,
    /// Identifies what was done, so that nobody is notified of it twice.
    pub action: String,
    /// Who did it; `None` for the system.
    pub actor: Option<UserId>,
    /// What it is about.
    pub subject: Subject,
    /// How many events were folded into it.
    pub count: u32,
    /// When it was read.
    pub read_at: Option<Timestamp>,
    /// When it was archived.
    pub archived_at: Option<Timestamp>,
    /// When the user was first told.
    pub created_at: Timestamp,
    /// When the last event was folded in.
    pub updated_at: Timestamp,
}

impl Notification {
    /// Marks it as read and as archived, or takes that back. Returns whether that changes anything.
    pub fn mark(&mut self, read: Option<bool>, archived: Option<bool>, now: Timestamp) -> bool {
        let (read_at, archived_at) = (self.read_at, self.archived_at);
        if let Some(read) = read {
            self.read_at = read.then(|| self.read_at.unwrap_or(now));
        }
        if let Some(archived) = archived {
            self.archived_at = archived.then(|| self.archived_at.unwrap_or(now));
        }
        (read_at, archived_at) != (self.read_at, self.archived_at)
    }
}

/// The place of a notification in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationPlace {
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its id.
    pub id: NotificationId,
}

impl fmt::Display for NotificationPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.updated_at.millis(), self.id)
    }
}

impl FromStr for NotificationPlace {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let (at, id) = text.split_once(' ').ok_or(InvalidId)?;
        let updated_at = Timestamp::from_millis(at.parse().map_err(|_| InvalidId)?);
        Ok(Self { updated_at, id: id.parse()? })
    }
}
