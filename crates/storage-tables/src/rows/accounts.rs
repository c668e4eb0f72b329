//! Rows of accounts and of the tokens mailed to them.

use crate::{
    schema::{one_time_tokens, users},
    stored::{Stored, StoredText},
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp, TokenHash, TokenKind,
    account::{AccountStatus, User},
    id::{SessionId, UserId, WorkspaceId},
    one_time::{OneTimeToken, TokenState},
    text::{Email, Locale, Name, Theme, TimeZone, WebAddress},
};
use std::borrow::Cow;

/// An account without its password.
#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = users, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(id, email))] // what saving leaves alone
pub struct UserRow {
    id: Stored<UserId>,
    email: Stored<Email>,
    name: Stored<Name>,
    display_name: Stored<Name>,
    avatar_url: Option<Stored<WebAddress>>,
    email_verified_at: Option<i64>,
    status: Stored<AccountStatusWord>,
    purge_at: Option<i64>,
    locale: Stored<Locale>,
    timezone: Stored<TimeZone>,
    theme: Stored<Theme>,
    personal_workspace_id: Stored<WorkspaceId>,
    last_login_at: Option<i64>,
    created_at: i64,
}

/// An account status without its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatusWord {
    Active,
    Suspended,
    Deleting,
    Deleted,
}

impl StoredText for AccountStatusWord {
    fn text(&self) -> Cow<'_, str> {
        let purge_at = Timestamp::from_millis(0);
        self.with_purge_at(purge_at).name().into()
    }

    fn read(text: &str) -> Option<Self> {
        [Self::Active, Self::Suspended, Self::Deleting, Self::Deleted].into_iter().find(|word| word.text() == text)
    }
}

impl AccountStatusWord {
    pub(super) const fn with_purge_at(self, purge_at: Timestamp) -> AccountStatus {
        match self {
            Self::Active => AccountStatus::Active,
            Self::Suspended => AccountStatus::Suspended,
            Self::Deleting => AccountStatus::Deleting { purge_at },
            Self::Deleted => AccountStatus::Deleted,
        }
    }
}

impl From<&User> for UserRow {
    fn from(user: &User) -> Self {
        let (status, purge_at) = match user.status {
            AccountStatus::Active => (AccountStatusWord::Active, None),
            AccountStatus::Suspended => (AccountStatusWord::Suspended, None),
            AccountStatus::Deleting { purge_at } => (AccountStatusWord::Deleting, Some(purge_at.millis())),
            AccountStatus::Deleted => (AccountStatusWord::Deleted, None),
        };
        Self {
            id: Stored(user.id),
            email: Stored(user.email.clone()),
            name: Stored(user.name.clone()),
            display_name: Stored(user.display_name.clone()),
            avatar_url: user.avatar_url.clone().map(Stored),
            email_verified_at: user.email_verified_at.map(Timestamp::millis),
            status: Stored(status),
            purge_at,
            locale: Stored(user.locale.clone()),
            timezone: Stored(user.timezone.clone()),
            theme: Stored(user.theme.clone()),
            personal_workspace_id: Stored(user.personal_workspace),
            last_login_at: user.last_login_at.map(Timestamp::millis),
            created_at: user.created_at.millis(),
        }
    }
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        // The table has a purge time exactly for those statuses that need one.
        let purge_at = Timestamp::from_millis(row.purge_at.unwrap_or_default());
        Self {
            id: row.id.0,
            email: row.email.0,
            name: row.name.0,
            display_name: row.display_name.0,
            avatar_url: row.avatar_url.map(|address| address.0),
            email_verified_at: row.email_verified_at.map(Timestamp::from_millis),
            status: row.status.0.with_purge_at(purge_at),
            locale: row.locale.0,
            timezone: row.timezone.0,
            theme: row.theme.0,
            personal_workspace: row.personal_workspace_id.0,
            last_login_at: row.last_login_at.map(Timestamp::from_millis),
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = one_time_tokens, treat_none_as_default_value = false)]
pub struct OneTimeTokenRow {
    user_id: Stored<UserId>,
    hash: Stored<TokenHash>,
    kind: Stored<TokenKind>,
    email: Stored<Email>,
    session_id: Option<Stored<SessionId>>,
    created_at: i64,
    expires_at: i64,
    state: Stored<TokenState>,
}

impl From<&OneTimeToken> for OneTimeTokenRow {
    fn from(token: &OneTimeToken) -> Self {
        Self {
            user_id: Stored(token.user),
            hash: Stored(token.hash),
            kind: Stored(token.kind),
            email: Stored(token.email.clone()),
            session_id: token.session.map(Stored),
            created_at: token.created_at.millis(),
            expires_at: token.expires_at.millis(),
            state: Stored(token.state),
        }
    }
}

impl From<OneTimeTokenRow> for OneTimeToken {
    fn from(row: OneTimeTokenRow) -> Self {
        Self {
            hash: row.hash.0,
            user: row.user_id.0,
            kind: row.kind.0,
            email: row.email.0,
            session: row.session_id.map(|session| session.0),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            state: row.state.0,
        }
    }
}
