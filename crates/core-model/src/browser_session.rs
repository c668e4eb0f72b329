//! Browser sessions: the cookie by which the pages of this service know who is signed in.
//!
//! Such a cookie belongs to an ordinary session, in the place of a refresh token. So its owner sees it in the list of sessions, and whatever
//! ends sessions ends it too.

use crate::{
    id::{SessionId, UserId},
    time::Timestamp,
    token::TokenHash,
};
use std::time::Duration;

/// How long a browser stays signed in, used or not.
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
