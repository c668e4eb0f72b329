//! Rows of browser sessions.

use crate::{schema::browser_sessions, stored::Stored};
use diesel::prelude::Insertable;
use octavo_core_model::{
    TokenHash,
    browser_session::BrowserSession,
    id::{SessionId, UserId},
};

#[derive(Debug, Insertable)]
#[diesel(table_name = browser_sessions, treat_none_as_default_value = false)]
pub struct BrowserSessionRow {
    user_id: Stored<UserId>,
    hash: Stored<TokenHash>,
    session_id: Stored<SessionId>,
    expires_at: i64,
}

impl From<&BrowserSession> for BrowserSessionRow {
    fn from(browser: &BrowserSession) -> Self {
        Self {
            user_id: Stored(browser.user),
            hash: Stored(browser.hash),
            session_id: Stored(browser.session),
            expires_at: browser.expires_at.millis(),
        }
    }
}
