//! The kinds of mail that Octavo sends. Their wording is in the mail crate.

use crate::{role::Role, text::Email, time::Timestamp};
use serde::{Deserialize, Serialize};

/// The page that the links of an invitation lead to, also the one that whoever invites hands on.
pub const INVITATION_PAGE: &str = "accept-invitation";

/// A letter to one person. Tokens stand in it in clear, so it is stored sealed only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub to: Email,
    /// The name the reader goes by.
    pub name: String,
    pub topic: Topic,
}

/// What a letter is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Prove that the mailbox is yours (`evt_`).
    VerifyEmail { token: String },
    /// Somebody registered with an address that has an account, and registration conceals that.
    AlreadyRegistered,
    /// Choose a new password (`pwrt_`).
    ResetPassword { token: String },
    /// The password was changed or reset.
    PasswordChanged,
    /// A sign-in from a place and program not seen before.
    NewDevice { at: Timestamp, address: String, user_agent: String },
    /// Prove that the new mailbox is yours (`ect_`).
    ConfirmEmailChange { token: String },
    /// Somebody wanted to move their account to this address, which has an account already.
    EmailChangeRefused,
    /// Sent to the old address, with a way back (`ecr_`).
    EmailChanged { new_email: Email, token: String },
    /// The account is to be deleted, with a way back (`urt_`).
    DeletionScheduled { purge_at: Timestamp, token: String },
    /// Somebody is invited into a workspace (`itn_`).
    Invitation { workspace: String, inviter: String, role: Role, expires_at: Timestamp, token: String },
    /// The account joined a workspace by a link, without its password.
    JoinedByLink { workspace: String, at: Timestamp, address: String },
}
