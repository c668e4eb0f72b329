//! Background work that outlives the request that caused it. It is invisible to users; work that they wait for is a
//! job, and a chore runs the job.

use crate::{
    event::Actor,
    id::{BlockId, JobId, NotificationId, PageId, UserId, WorkspaceId},
    job::JobOwner,
    mail::Letter,
    name::named,
    text::Email,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long a lease lasts unless it is renewed; if a worker dies, its chores become free after this time.
pub const LEASE: Duration = Duration::from_secs(20);

/// How often a worker renews its leases.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

/// The work of a chore. It can contain addresses and tokens, so it is stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Send a letter.
    Deliver(Letter),
    /// Mail a password-reset link if the address has an account. The request does not look that up itself, because it
    /// must take the same time for known and unknown addresses.
    SendReset {
        /// The address that somebody typed.
        email: Email,
    },
    /// Mail a verification link if the address is the user's own and unverified.
    SendVerification {
        /// The account to verify.
        user: UserId,
        /// The address to prove.
        email: Email,
    },
    /// Mail the token that moves the account, or a notice if the address is taken. The token is issued with the
    /// request, so anything that revokes the account's tokens meanwhile revokes it too.
    SendEmailChange {
        /// The account that moves.
        user: UserId,
        /// The address that it moves to.
        email: Email,
        /// The token that proves the new address.
        token: String,
    },
    /// Continue emptying the trash of a workspace: pages that were trashed before this time, on behalf of the user
    /// who started.
    EmptyTrash {
        /// The workspace whose trash is emptied.
        workspace: WorkspaceId,
        /// What came into the trash later stays.
        until_millis: i64,
        /// Who started it.
        by: Actor,
        /// The name of that actor, for the audit trail.
        name: Option<String>,
    },
    /// Continue deleting instances of blocks on permanently deleted pages, on behalf of the user who deleted those.
    DeleteInstances {
        /// The workspace of the pages.
        workspace: WorkspaceId,
        /// The pages that were removed.
        pages: Vec<PageId>,
        /// The recorded author of the deletions.
        author: Option<UserId>,
        /// Who removed them.
        by: Actor,
        /// The name of that actor, for the audit trail.
        name: Option<String>,
    },
    /// Continue removing the content of permanently deleted pages, on behalf of the user who deleted those.
    RemoveContent {
        /// The workspace of the pages.
        workspace: WorkspaceId,
        /// The removed pages that may have content left.
        pages: Vec<PageId>,
        /// Whether blocks of these pages may still have references.
        with_references: bool,
        /// The recorded author of the deletion of instances.
        author: Option<UserId>,
        /// Who removed the pages.
        by: Actor,
        /// The name of that actor, for the audit trail.
        name: Option<String>,
    },
    /// Continue deleting instances of deleted blocks on other pages, on behalf of the user who deleted those.
    DeleteInstancesOf {
        /// The workspace of the blocks.
        workspace: WorkspaceId,
        /// The blocks that were deleted.
        sources: Vec<BlockId>,
        /// The recorded author of the deletions.
        author: UserId,
        /// Who deleted them.
        by: Actor,
        /// The name of that actor, for the audit trail.
        name: Option<String>,
    },
    /// Mail a notification, if its recipient still wants that by then.
    MailNotification {
        /// The recipient.
        user: UserId,
        /// What they were told.
        notification: NotificationId,
    },
    /// Mail what a user has not read of a day.
    MailDigest {
        /// The user.
        user: UserId,
        /// When the first of its notifications was created.
        since_millis: i64,
        /// What they were told of from then on belongs to the next one.
        until_millis: i64,
        /// When the mail is due.
        due_millis: i64,
    },
    /// Run the job with the id of this chore.
    Run {
        /// Whose job it is.
        owner: JobOwner,
    },
}

named! {
    /// Chores of different queues run in parallel.
    Queue {
        Mail = "mail",
        Accounts = "accounts",
        Jobs = "jobs",
        Removals = "removals",
        Notifications = "notifications",
        /// Mails about the notifications of a day.
        Digests = "digests",
    }
}

impl Work {
    /// The queue that work of this kind waits in.
    pub const fn queue(&self) -> Queue {
        match self {
            Self::Deliver(_) => Queue::Mail,
            Self::SendReset { .. }
            | Self::SendVerification { .. }
            | Self::SendEmailChange { .. }
            | Self::EmptyTrash { .. }
            | Self::DeleteInstances { .. }
            | Self::DeleteInstancesOf { .. } => Queue::Accounts,
            Self::Run { .. } => Queue::Jobs,
            Self::RemoveContent { .. } => Queue::Removals,
            // Not with other letters: somebody who signs in must not wait for thousands of these.
            Self::MailNotification { .. } => Queue::Notifications,
            // Those are due at a minute, so they must not wait for thousands of the others.
            Self::MailDigest { .. } => Queue::Digests,
        }
    }
}

/// A chore as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chore {
    /// The id of the chore.
    pub id: JobId,
    /// The queue that it waits in.
    pub queue: Queue,
    /// The sealed [`Work`].
    pub payload: Vec<u8>,
    /// The number of failed attempts.
    pub attempts: u32,
    /// When it is due.
    pub run_at: Timestamp,
    /// When it was given.
    pub created_at: Timestamp,
}

/// How long to wait after this number of failed attempts; `None` for giving up.
pub const fn retry_after(attempts: u32) -> Option<Duration> {
    const WAITS: [u64; 8] = [5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600, 24 * 3600];
    match attempts {
        0 => Some(Duration::ZERO),
        1..=8 => Some(Duration::from_secs(WAITS[attempts as usize - 1])),
        _ => None,
    }
}
