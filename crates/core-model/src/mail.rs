//! The kinds of mail that Octavo sends. Their wording is in the mail crate.

use crate::{
    id::WorkspaceId,
    notification::{NotificationType, SubjectType},
    role::Role,
    text::Email,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

// The pages to which links in letters lead, as paths without the first slash.

/// Verifies an address.
pub const VERIFICATION_PAGE: &str = "verify-email";
/// Sets a new password. The command line prints links to it, too.
pub const NEW_PASSWORD_PAGE: &str = "reset-password";
/// Moves an account to a new address.
pub const EMAIL_CHANGE_PAGE: &str = "confirm-email-change";
/// Moves an account back to its old address.
pub const EMAIL_REVERT_PAGE: &str = "revert-email-change";
/// Restores an account that was deleted.
pub const RESTORATION_PAGE: &str = "restore-account";
/// Answers an invitation. Links that are shared lead there, too.
pub const INVITATION_PAGE: &str = "accept-invitation";
/// Opens what a notification is about.
pub const OPENING_PAGE: &str = "open";

/// A letter to one person. It contains tokens in clear text, so it is only stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The address that it goes to.
    pub to: Email,
    /// The name of the recipient.
    pub name: String,
    /// What it is about.
    pub topic: Topic,
}

/// The topic of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Verify the address (`evt_`).
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
    /// A sign-in from a new network or program.
    NewDevice {
        /// When somebody signed in.
        at: Timestamp,
        /// The address that the sign-in came from.
        address: String,
        /// The program that signed in, in its own words.
        user_agent: String,
    },
    /// Verify the new address (`ect_`).
    ConfirmEmailChange {
        /// The token in the link of the letter.
        token: String,
    },
    /// Somebody wanted to move their account to this address, which already has an account.
    EmailChangeRefused,
    /// Sent to the old address, with a link to undo the change (`ecr_`).
    EmailChanged {
        /// The address that the account has now.
        new_email: Email,
        /// The token in the link that changes it back.
        token: String,
    },
    /// The account will be deleted; with a link to restore it (`urt_`).
    DeletionScheduled {
        /// When the account is purged.
        purge_at: Timestamp,
        /// The token in the link that restores it.
        token: String,
    },
    /// An invitation to a workspace (`itn_`).
    Invitation {
        /// The name of the workspace.
        workspace: String,
        /// The name of the inviter.
        inviter: String,
        /// The role that the person gets.
        role: Role,
        /// When the invitation runs out.
        expires_at: Timestamp,
        /// The token in the link of the letter.
        token: String,
    },
    /// The account joined a workspace through a link, without its password.
    JoinedByLink {
        /// The name of the workspace.
        workspace: String,
        /// When the account joined.
        at: Timestamp,
        /// The address that the call came from.
        address: String,
    },
    /// One notification, at once.
    Notification(Notice),
    /// The notifications of a day that were not read.
    Digest {
        /// The newest of them.
        notices: Vec<Notice>,
        /// Whether there are more.
        has_more: bool,
    },
}

/// What a letter says of a notification. It holds nothing that the recipient may not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Why they are told.
    pub kind: NotificationType,
    /// The name of who did it; `None` for the service itself.
    pub actor: Option<String>,
    /// The title of what it is about.
    pub title: Option<String>,
    /// The beginning of the text.
    pub preview: Option<String>,
    /// The workspace, for the link.
    pub workspace: WorkspaceId,
    /// The type of what it is about, for the link.
    pub subject: SubjectType,
    /// Its id, for the link.
    pub id: String,
}
