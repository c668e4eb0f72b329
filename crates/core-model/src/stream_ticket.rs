//! Tickets: they open one stream, for clients that cannot send a credential in a header.

use crate::{
    claims::{AppClaims, Claims},
    id::{ApiKeyId, WorkspaceId},
    time::Timestamp,
    token::TokenHash,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long a ticket is valid.
pub const LIFE: Duration = Duration::from_mins(1);

/// A ticket that was not used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamTicket {
    /// The hash of the ticket.
    pub hash: TokenHash,
    /// The workspace whose events it opens.
    pub workspace: WorkspaceId,
    /// Whose rights it carries.
    pub holder: TicketHolder,
    /// When it stops working.
    pub expires_at: Timestamp,
}

/// The credential with which a ticket was made. What it may do is read when the ticket is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TicketHolder {
    /// A user with an access token.
    User(Claims),
    /// An API key.
    Key {
        /// The key.
        id: ApiKeyId,
        /// The hash of the secret that was presented.
        secret: [u8; 32],
    },
    /// An app that acts for a user.
    App(AppClaims),
}
