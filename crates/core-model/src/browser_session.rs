//! Browser sessions: the cookie by which the pages of this service recognise a signed-in user.
//!
//! Such a cookie belongs to an ordinary session, in place of a refresh token. So its user sees it in the list of
//! sessions, and whatever ends sessions also ends it.

use crate::{
    id::{SessionId, UserId},
    time::Timestamp,
    token::TokenHash,
};
use std::time::Duration;

/// How long a browser stays signed in, even if it is in use.
pub const LIFE: Duration = Duration::from_hours(12);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    pub hash: TokenHash,
    pub user: UserId,
    pub session: SessionId,
    pub expires_at: Timestamp,
}
