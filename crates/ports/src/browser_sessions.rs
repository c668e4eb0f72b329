//! Browser sessions.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{TokenHash, account::User, browser_session::BrowserSession, id::UserId, session::Session};

#[async_trait]
pub trait BrowserSessionReads: Send {
    /// The owner of a cookie, also of one whose session has ended.
    async fn find_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    /// The session of a cookie, and its user.
    async fn find(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<(User, Session)>>;
}

#[async_trait]
pub trait BrowserSessions: BrowserSessionReads {
    /// Adds the cookie of a session.
    async fn insert(&mut self, browser: &BrowserSession) -> StoreResult<()>;
}
