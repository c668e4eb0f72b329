//! Browser sessions.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{TokenHash, account::User, browser_session::BrowserSession, id::UserId, session::Session};

#[async_trait]
pub trait BrowserSessionReads: Send {
    /// The owner of a cookie, even if its session has ended.
    async fn find_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;

    /// The session and the user of a cookie.
    async fn find(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<(User, Session)>>;
}

#[async_trait]
pub trait BrowserSessions: BrowserSessionReads {
    /// Inserts the cookie of a session.
    async fn insert(&mut self, browser: &BrowserSession) -> StoreResult<()>;
}
