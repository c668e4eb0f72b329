//! Browser sessions.

use super::Scope;
use crate::{
    rows::{accounts::UserRow, browser_sessions::BrowserSessionRow, sessions::SessionRow},
    schema::{browser_sessions, sessions, users},
    stored::Stored,
};
use diesel::prelude::*;
use octavo_core_model::{
    TokenHash, TokenKind, account::User, browser_session::BrowserSession, id::UserId, session::Session,
};
use octavo_ports::{
    browser_sessions::{BrowserSessionReads, BrowserSessions},
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl BrowserSessionReads for Scope {
    async fn find_owner(&mut self, hash: &TokenHash) -> StoreResult<Option<UserId>> {
        self.find_token_user(TokenKind::Browser, hash).await
    }

    async fn find(&mut self, user: UserId, hash: &TokenHash) -> StoreResult<Option<(User, Session)>> {
        let of_session =
            sessions::user_id.eq(browser_sessions::user_id).and(sessions::id.eq(browser_sessions::session_id));
        let found = browser_sessions::table
            .inner_join(sessions::table.on(of_session))
            .inner_join(users::table.on(users::id.eq(browser_sessions::user_id)))
            .filter(browser_sessions::user_id.eq(Stored(user)))
            .filter(browser_sessions::hash.eq(Stored(*hash)))
            .select((UserRow::as_select(), SessionRow::as_select()));
        Ok(self.optional(found).await?.map(|(user, session)| (User::from(user), Session::from(session))))
    }
}

#[area]
impl BrowserSessions for Scope {
    async fn insert(&mut self, browser: &BrowserSession) -> StoreResult<()> {
        self.enter_token(TokenKind::Browser, &browser.hash, browser.user).await?;
        let row = BrowserSessionRow::from(browser);
        self.execute(diesel::insert_into(browser_sessions::table).values(&row)).await.map(drop)
    }
}
