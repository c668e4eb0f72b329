//! The kinds of mail that Octavo sends. Their wording is in the mail crate.

use crate::{role::Role, text::Email, time::Timestamp};
use serde::{Deserialize, Serialize};

/// The page to which the links of invitations lead, both mailed and shared ones.
pub const INVITATION_PAGE: &str = "accept-invitation";

/// A letter to one person. It contains tokens in clear text, so it is only stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    pub to: Email,
    /// The name of the recipient.
    pub name: String,
    pub topic: Topic,
}

/// The topic of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Verify the address (`evt_`).
    VerifyEmail { token: String },
    /// Somebody registered with an address that has an account, and registration conceals that.
    AlreadyRegistered,
    /// Choose a new password (`pwrt_`).
    ResetPassword { token: String },
    /// The password was changed or reset.
    PasswordChanged,
    /// A sign-in from a new network or program.
    NewDevice { at: Timestamp, address: String, user_agent: String },
    /// Verify the new address (`ect_`).
    ConfirmEmailChange { token: String },
    /// Somebody wanted to move their account to this address, which already has an account.
    EmailChangeRefused,
    /// Sent to the old address, with a link to undo the change (`ecr_`).
    EmailChanged { new_email: Email, token: String },
    /// The account will be deleted; with a link to restore it (`urt_`).
    DeletionScheduled { purge_at: Timestamp, token: String },
    /// An invitation to a workspace (`itn_`).
    Invitation { workspace: String, inviter: String, role: Role, expires_at: Timestamp, token: String },
    /// The account joined a workspace through a link, without its password.
    JoinedByLink { workspace: String, at: Timestamp, address: String },
}
