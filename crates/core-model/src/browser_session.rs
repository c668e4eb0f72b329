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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    pub hash: TokenHash,
    pub user: UserId,
    pub session: SessionId,
    pub expires_at: Timestamp,
}
