//! Sessions and refresh tokens.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{SessionId, UserId},
    session::{Ending, RefreshToken, Session, SessionStatus},
};

#[async_trait]
pub trait SessionReads: Send {
    async fn find(&mut self, user: UserId, id: SessionId) -> StoreResult<Option<Session>>;

    /// Sessions with this status at `now`, newest first, before the given id.
    async fn list(
        &mut self,
        user: UserId,
        status: SessionStatus,
        now: Timestamp,
        before: Option<SessionId>,
        limit: u32,
    ) -> StoreResult<Vec<Session>>;

    /// The owner of a refresh token, even if it was rotated.
    async fn find_refresh_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>>;
}

/// Changes are made under the lock of the user.
#[async_trait]
pub trait Sessions: SessionReads {
    async fn insert(&mut self, session: &Session) -> StoreResult<()>;

    async fn save(&mut self, session: &Session) -> StoreResult<()>;

    /// Ends all live sessions of a user except one, and returns those. A session that was revoked earlier is ended
    /// again if the new ending is stricter (see `Session::finish`), but is not returned.
    async fn end(
        &mut self,
        user: UserId,
        but: Option<SessionId>,
        how: Ending,
        now: Timestamp,
    ) -> StoreResult<Vec<SessionId>>;

    /// Ends the live sessions beyond the `keep` most recently active ones.
    async fn end_surplus(&mut self, user: UserId, keep: u32, now: Timestamp) -> StoreResult<Vec<SessionId>>;

    /// Updates the last activity of live sessions if it is before `since`.
    async fn touch(&mut self, touched: &[(UserId, SessionId)], since: Timestamp, now: Timestamp) -> StoreResult<()>;

    async fn insert_refresh_token(&mut self, token: &RefreshToken) -> StoreResult<()>;

    async fn find_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<RefreshToken>>;

    /// Marks a token as rotated.
    async fn rotate_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()>;
}
