//! Background work that outlives the request that caused it. It is invisible to users; work that they wait for is a
//! job, and a chore runs the job.

use crate::{
    event::Actor,
    id::{JobId, PageId, UserId, WorkspaceId},
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
    Deliver(Letter),
    /// Mail a password-reset link if the address has an account. The request does not look that up itself, because it
    /// must take the same time for known and unknown addresses.
    SendReset {
        email: Email,
    },
    /// Mail a verification link if the address is the user's own and unverified.
    SendVerification {
        user: UserId,
        email: Email,
    },
    /// Mail the token that moves the account, or a notice if the address is taken. The token is issued with the
    /// request, so anything that revokes the account's tokens meanwhile revokes it too.
    SendEmailChange {
        user: UserId,
        email: Email,
        token: String,
    },
    /// Continue emptying the trash of a workspace: pages that were trashed before this time, on behalf of the user
    /// who started.
    EmptyTrash {
        workspace: WorkspaceId,
        until_millis: i64,
        by: Actor,
        name: Option<String>,
    },
    /// Continue deleting instances of blocks on permanently deleted pages, on behalf of the user who deleted those.
    DeleteInstances {
        workspace: WorkspaceId,
        pages: Vec<PageId>,
        /// The recorded author of the deletions.
        author: Option<UserId>,
        by: Actor,
        name: Option<String>,
    },
    /// Run the job with the id of this chore.
    Run {
        owner: JobOwner,
    },
}

named! {
    /// Chores of different queues run in parallel.
    Queue {
        Mail = "mail",
        Accounts = "accounts",
        Jobs = "jobs",
    }
}

impl Work {
    pub const fn queue(&self) -> Queue {
        match self {
            Self::Deliver(_) => Queue::Mail,
            Self::SendReset { .. }
            | Self::SendVerification { .. }
            | Self::SendEmailChange { .. }
            | Self::EmptyTrash { .. }
            | Self::DeleteInstances { .. } => Queue::Accounts,
            Self::Run { .. } => Queue::Jobs,
        }
    }
}

/// A chore as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chore {
    pub id: JobId,
    pub queue: Queue,
    /// The sealed [`Work`].
    pub payload: Vec<u8>,
    /// The number of failed attempts.
    pub attempts: u32,
    pub run_at: Timestamp,
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
