//! Sessions and refresh tokens.

use super::{Scope, dialect};
use crate::{
    prepared::Prepare,
    rows::sessions::{RefreshTokenRow, SessionRow},
    schema::{refresh_tokens, sessions},
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    id::{SessionId, UserId},
    session::{Ending, RefreshToken, Session, SessionStatus},
};
use octavo_ports::{
    sessions::{SessionReads, Sessions},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl SessionReads for Scope {
    async fn find(&mut self, user: UserId, id: SessionId) -> StoreResult<Option<Session>> {
        let session = sessions::table.find((Stored(user), Stored(id))).select(SessionRow::as_select());
        Ok(self.optional(session).await?.map(Session::from))
    }

    async fn list(
        &mut self,
        user: UserId,
        status: SessionStatus,
        now: Timestamp,
        before: Option<SessionId>,
        limit: u32,
    ) -> StoreResult<Vec<Session>> {
        let before = before.map_or_else(|| AFTER_EVERY_ID.to_owned(), |id| id.to_string());
        let page = sessions::table
            .filter(sessions::user_id.eq(Stored(user)))
            .filter(sessions::id.lt(before))
            .order(sessions::id.desc())
            .limit(limit.into())
            .select(SessionRow::as_select());
        let running = sessions::ended_at.is_null();
        let rows = match status {
            SessionStatus::Active => self.all(page.filter(running).filter(sessions::expires_at.gt(now.millis()))),
            SessionStatus::Expired => self.all(page.filter(running).filter(sessions::expires_at.le(now.millis()))),
            SessionStatus::Revoked => self.all(page.filter(sessions::ended_at.is_not_null())),
        };
        Ok(rows.await?.into_iter().map(Session::from).collect())
    }

    async fn find_refresh_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_token_user(TokenKind::Refresh, hash).await
    }
}

#[area]
impl Sessions for Scope {
    async fn insert(&mut self, session: &Session) -> StoreResult<()> {
        let row = SessionRow::from(session);
        self.execute(diesel::insert_into(sessions::table).values(&row)).await.map(drop)
    }

    async fn save(&mut self, session: &Session) -> StoreResult<()> {
        let row = sessions::table.find((Stored(session.user), Stored(session.id)));
        self.execute(diesel::update(row).set(SessionRow::from(session)).prepared()).await.map(drop)
    }

    async fn end(
        &mut self,
        user: UserId,
        but: Option<SessionId>,
        how: Ending,
        now: Timestamp,
    ) -> StoreResult<Vec<SessionId>> {
        // No id is empty, so this excludes no session if there is no exception.
        let but = but.map_or_else(String::new, |id| id.to_string());
        let others = || sessions::table.filter(sessions::user_id.eq(Stored(user))).filter(sessions::id.ne(&but));
        if how == Ending::TokensRevoked {
            let revoked = others().filter(sessions::ended_how.eq(Stored(Ending::SessionRevoked)));
            let statement = diesel::update(revoked).set(sessions::ended_how.eq(Stored(how))).prepared();
            self.execute(statement).await?;
        }
        let live = others().filter(sessions::ended_at.is_null()).filter(sessions::expires_at.gt(now.millis()));
        let statement = diesel::update(live).set(ended(how, now)).returning(sessions::id).prepared();
        Ok(self.all::<Stored<SessionId>, _>(statement).await?.into_iter().map(|id| id.0).collect())
    }

    async fn end_surplus(&mut self, user: UserId, keep: u32, now: Timestamp) -> StoreResult<Vec<SessionId>> {
        let live = || {
            sessions::table
                .filter(sessions::user_id.eq(Stored(user)))
                .filter(sessions::ended_at.is_null())
                .filter(sessions::expires_at.gt(now.millis()))
        };
        let by_activity = live().order((sessions::last_active_at.desc(), sessions::id.desc()));
        let surplus = by_activity.select(sessions::id).offset(keep.into());
        let surplus: Vec<_> = self.all::<Stored<SessionId>, _>(surplus).await?.into_iter().map(|id| id.0).collect();
        if surplus.is_empty() {
            return Ok(surplus);
        }
        let ids = surplus.iter().copied().map(Stored);
        let rows = sessions::table.filter(sessions::user_id.eq(Stored(user))).filter(sessions::id.eq_any(ids));
        self.execute(diesel::update(rows).set(ended(Ending::SessionRevoked, now))).await?;
        Ok(surplus)
    }

    async fn touch(&mut self, touched: &[(UserId, SessionId)], since: Timestamp, now: Timestamp) -> StoreResult<()> {
        let answer = dialect::touch_sessions(self.conn().await?, touched, since, now).await;
        self.checked(answer)
    }

    async fn insert_refresh_token(&mut self, token: &RefreshToken) -> StoreResult<()> {
        self.enter_token(TokenKind::Refresh, &token.hash, token.user).await?;
        let row = RefreshTokenRow::from(token);
        self.execute(diesel::insert_into(refresh_tokens::table).values(&row)).await.map(drop)
    }

    async fn find_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<RefreshToken>> {
        let token = refresh_tokens::table.find((Stored(user), Stored(*hash))).select(RefreshTokenRow::as_select());
        Ok(self.optional(token).await?.map(RefreshToken::from))
    }

    async fn rotate_refresh_token(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<()> {
        let token = refresh_tokens::table.find((Stored(user), Stored(*hash)));
        self.execute(diesel::update(token).set(refresh_tokens::rotated.eq(true)).prepared()).await.map(drop)
    }
}

/// The columns that change when a running session ends.
fn ended(how: Ending, now: Timestamp) -> EndedColumns {
    EndedColumns { ended_at: now.millis(), ended_how: Stored(how), over_at: now.millis() }
}

#[derive(AsChangeset)]
#[diesel(table_name = sessions)]
struct EndedColumns {
    ended_at: i64,
    ended_how: Stored<Ending>,
    over_at: i64,
}
