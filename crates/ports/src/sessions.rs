//! Sessions and refresh tokens.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{SessionId, UserId},
    session::{Ending, RefreshToken, Session, SessionStatus},
};

#[async_trait]
pub trait SessionReads: Send {
    async fn find(&mut self, user: UserId, id: SessionId) -> StoreResult<Option<Session>>;

    /// Sessions of one status at `now`, newest first, those before the given id.
    async fn list(
        &mut self,
        user: UserId,
        status: SessionStatus,
        now: Timestamp,
        before: Option<SessionId>,
        limit: u32,
    ) -> StoreResult<Vec<Session>>;

    /// The owner of a refresh token, also of one that is rotated.
    async fn find_refresh_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;
}

/// Changes are made under the lock of the user.
#[async_trait]
pub trait Sessions: SessionReads {
    async fn insert(&mut self, session: &Session) -> StoreResult<()>;

    async fn save(&mut self, session: &Session) -> StoreResult<()>;

    /// Ends all live sessions of a user but one, and says which ended. A session revoked earlier is ended anew where the new way is stricter,
    /// as `Session::finish` rules, but is not named.
    async fn end(
        &mut self,
        user: UserId,
        but: Option<SessionId>,
        how: Ending,
        now: Timestamp,
    ) -> StoreResult<Vec<SessionId>>;

    /// Ends the live sessions beyond the `keep` most recently active ones.
    async fn end_surplus(&mut self, user: UserId, keep: u32, now: Timestamp) -> StoreResult<Vec<SessionId>>;

    /// Moves the last activity of live sessions whose last activity is before `since`.
    async fn touch(&mut self, touched: &[(UserId, SessionId)], since: Timestamp, now: Timestamp) -> StoreResult<()>;

    async fn insert_refresh_token(&mut self, token: &RefreshToken) -> StoreResult<()>;

    async fn find_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<RefreshToken>>;

    /// Marks a token as rotated.
    async fn rotate_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()>;
}
