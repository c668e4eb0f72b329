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

/// A browser in which somebody signed in to the pages of this service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    /// The hash of the cookie.
    pub hash: TokenHash,
    /// The account that is signed in.
    pub user: UserId,
    /// The session that the sign-in opened.
    pub session: SessionId,
    /// When the browser has to sign in again.
    pub expires_at: Timestamp,
}
