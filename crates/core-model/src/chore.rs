//! Background work that outlives the request that asked for it. It is invisible from outside; work that people wait for is a job, which a chore runs.

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

/// How long a lease lasts without renewal; a chore whose worker died is free afterwards.
pub const LEASE: Duration = Duration::from_secs(20);

/// How often a worker renews its leases.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

/// What is to be done. Chores hold addresses and tokens, so they are stored sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Send a letter.
    Deliver(Letter),
    /// Mail a password-reset link, should the address have an account. The request cannot look it up itself:
    /// it must cost the same for known and unknown addresses.
    SendReset {
        /// The address that somebody typed.
        email: Email,
    },
    /// Mail a verification link, should the address be the user's own and unproven.
    SendVerification {
        /// The account to verify.
        user: UserId,
        /// The address to prove.
        email: Email,
    },
    /// Mail the token that moves the account, or a notice should the address be taken. The token is issued with the request: whatever
    /// kills the tokens of the account meanwhile kills it too.
    SendEmailChange {
        /// The account that moves.
        user: UserId,
        /// The address that it moves to.
        email: Email,
        /// The token that proves the new address.
        token: String,
    },
    /// Go on emptying the trash of a workspace of what was in it by then, in the name of whoever began.
    EmptyTrash {
        /// The workspace whose trash is emptied.
        workspace: WorkspaceId,
        /// What came into the trash later stays.
        until_millis: i64,
        /// Who began.
        by: Actor,
        /// The name of whoever began, for the audit trail.
        name: Option<String>,
    },
    /// Go on deleting the blocks that show what stood on pages which were removed for good, in the name of whoever removed them.
    DeleteInstances {
        /// The workspace of the pages.
        workspace: WorkspaceId,
        /// The pages that were removed.
        pages: Vec<PageId>,
        /// Whose name stands on what is deleted.
        author: Option<UserId>,
        /// Who removed them.
        by: Actor,
        /// The name of whoever removed them, for the audit trail.
        name: Option<String>,
    },
    /// Run the job that has the id of the chore.
    Run {
        /// Whose job it is.
        owner: JobOwner,
    },
}

named! {
    /// Chores of one queue run side by side with those of another.
    Queue {
        Mail = "mail",
        Accounts = "accounts",
        Jobs = "jobs",
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
            | Self::DeleteInstances { .. } => Queue::Accounts,
            Self::Run { .. } => Queue::Jobs,
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
    /// How often it was tried without success.
    pub attempts: u32,
    /// When it is due.
    pub run_at: Timestamp,
    /// When it was given.
    pub created_at: Timestamp,
}

/// How long to wait after the given number of failed attempts; `None` when it is not worth another one.
pub const fn retry_after(attempts: u32) -> Option<Duration> {
    const WAITS: [u64; 8] = [5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600, 24 * 3600];
    match attempts {
        0 => Some(Duration::ZERO),
        1..=8 => Some(Duration::from_secs(WAITS[attempts as usize - 1])),
        _ => None,
    }
}
