//! The kinds of mail that Octavo sends. Their wording is in the mail crate.

use crate::{role::Role, text::Email, time::Timestamp};
use serde::{Deserialize, Serialize};

/// The page that the links of an invitation lead to, also the one that whoever invites hands on.
pub const INVITATION_PAGE: &str = "accept-invitation";

/// A letter to one person. Tokens stand in it in clear, so it is stored sealed only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The address that it goes to.
    pub to: Email,
    /// The name the reader goes by.
    pub name: String,
    /// What it is about.
    pub topic: Topic,
}

/// What a letter is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Prove that the mailbox is yours (`evt_`).
    VerifyEmail {
        /// The token in the link of the letter.
        token: String,
    },
    /// Somebody registered with an address that has an account, and registration conceals that.
    AlreadyRegistered,
    /// Choose a new password (`pwrt_`).
    ResetPassword {
        /// The token in the link of the letter.
        token: String,
    },
    /// The password was changed or reset.
    PasswordChanged,
    /// A sign-in from a place and program not seen before.
    NewDevice {
        /// When somebody signed in.
        at: Timestamp,
        /// The address that the sign-in came from.
        address: String,
        /// The program that signed in, in its own words.
        user_agent: String,
    },
    /// Prove that the new mailbox is yours (`ect_`).
    ConfirmEmailChange {
        /// The token in the link of the letter.
        token: String,
    },
    /// Somebody wanted to move their account to this address, which has an account already.
    EmailChangeRefused,
    /// Sent to the old address, with a way back (`ecr_`).
    EmailChanged {
        /// The address that the account has now.
        new_email: Email,
        /// The token in the link that changes it back.
        token: String,
    },
    /// The account is to be deleted, with a way back (`urt_`).
    DeletionScheduled {
        /// When the account is purged.
        purge_at: Timestamp,
        /// The token in the link that restores it.
        token: String,
    },
    /// Somebody is invited into a workspace (`itn_`).
    Invitation {
        /// The name of the workspace.
        workspace: String,
        /// The name of whoever invites.
        inviter: String,
        /// The role that the person gets.
        role: Role,
        /// When the invitation runs out.
        expires_at: Timestamp,
        /// The token in the link of the letter.
        token: String,
    },
    /// The account joined a workspace by a link, without its password.
    JoinedByLink {
        /// The name of the workspace.
        workspace: String,
        /// When the account joined.
        at: Timestamp,
        /// The address that the call came from.
        address: String,
    },
}
