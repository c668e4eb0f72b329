//! How values of the model are stored in text columns.
//!
//! If a value cannot be read back, the statement that read it fails, so that converting rows to entities cannot fail.

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::{Binary, Text},
};
use octavo_core_model::{
    KeyScope, Level, Role, TeamRole, TokenHash, TokenKind,
    access_request::{AskedLevel, RequestAnswer},
    chore::Queue,
    comment::{Emoji, Mentions, Selection},
    consumer::ConsumerName,
    follow::{FollowMode, FollowTarget},
    grant::Grantee,
    id::{
        AccessGrantId, AccessRequestId, ApiKeyId, AuditId, BlockId, ChartId, ClientId, CommentId, DashboardId,
        DatabaseId, EventId, FamilyId, GrantId, InvitationId, JobId, MembershipId, NotificationId, PageId,
        PageVersionId, PropertyId, RecordId, ReplyId, RequestId, SessionId, ShareLinkId, TeamId, TeamMembershipId,
        TokenId, UserId, ViewId, WorkspaceId,
    },
    invitation::{InvitationState, TokenDelivery},
    job::{Ending, JobKind, JobOwner, JobProgress, JobStatus, Task},
    network::Network,
    notification::{MailPreferences, NotificationType, SubjectType},
    oauth::RedirectUri,
    one_time::TokenState,
    page::{Node, PageKind, VersionKind},
    position::Position,
    session::{self, Proof, SessionKind},
    settings::Settings,
    share_link::ShareLevel,
    stream_ticket::TicketHolder,
    text::{
        ChartName, Color, CommentText, DashboardName, DatabaseDescription, Description, Email, Locale, Message, Name,
        PageIcon, PageTitle, PropertyName, Slug, TeamName, Theme, TimeZone, ViewName, WebAddress,
    },
    token::unhex,
};
use octavo_databases::views::ViewType;
use octavo_ports::signing_keys::KeyPurpose;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    fmt::{Debug, Display},
};

/// Sorts after all ids in the byte order of the columns.
pub const AFTER_EVERY_ID: &str = "~";

/// A value with its own text form.
pub trait StoredText: Sized + Debug {
    fn text(&self) -> Cow<'_, str>;
    fn read(text: &str) -> Option<Self>;
}

/// Converts a value of the model to and from a text column.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub struct Stored<T>(pub T);

impl<T: StoredText> Stored<T> {
    fn read(text: &str) -> deserialize::Result<Self> {
        // The error does not repeat the text: it may be personal.
        T::read(text).map(Self).ok_or_else(|| format!("not a {}", std::any::type_name::<T>()).into())
    }
}

#[cfg(feature = "postgres")]
impl<T: StoredText> FromSql<Text, diesel::pg::Pg> for Stored<T> {
    fn from_sql(value: diesel::pg::PgValue<'_>) -> deserialize::Result<Self> {
        Self::read(std::str::from_utf8(value.as_bytes())?)
    }
}

#[cfg(feature = "sqlite")]
impl<T: StoredText> FromSql<Text, diesel::sqlite::Sqlite> for Stored<T> {
    fn from_sql(mut value: diesel::sqlite::SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Self::read(value.read_text())
    }
}

#[cfg(feature = "postgres")]
impl<T: StoredText> ToSql<Text, diesel::pg::Pg> for Stored<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, diesel::pg::Pg>) -> serialize::Result {
        use std::io::Write;
        out.write_all(self.0.text().as_bytes())?;
        Ok(IsNull::No)
    }
}

#[cfg(feature = "sqlite")]
impl<T: StoredText> ToSql<Text, diesel::sqlite::Sqlite> for Stored<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, diesel::sqlite::Sqlite>) -> serialize::Result {
        match self.0.text() {
            Cow::Borrowed(text) => out.set_value(text),
            Cow::Owned(text) => out.set_value(text),
        }
        Ok(IsNull::No)
    }
}

/// Values that implement `Display` and `FromStr`.
macro_rules! parsed {
    ($($type:ty),* $(,)?) => {$(
        impl StoredText for $type {
            fn text(&self) -> Cow<'_, str> {
                self.to_string().into()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

/// Members of closed sets.
macro_rules! named {
    ($($type:ty),* $(,)?) => {$(
        impl StoredText for $type {
            fn text(&self) -> Cow<'_, str> {
                self.name().into()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

/// Texts that were validated before they were written.
macro_rules! checked_before {
    ($($type:ty),* $(,)?) => {$(
        impl StoredText for $type {
            fn text(&self) -> Cow<'_, str> {
                self.as_str().into()
            }

            fn read(text: &str) -> Option<Self> {
                Some(Self::from_stored(text.to_owned()))
            }
        }
    )*};
}

parsed!(
    AccessGrantId,
    AccessRequestId,
    ApiKeyId,
    AuditId,
    BlockId,
    ChartId,
    ClientId,
    CommentId,
    DashboardId,
    DatabaseId,
    Emoji,
    EventId,
    FamilyId,
    FollowTarget,
    GrantId,
    Grantee,
    InvitationId,
    JobId,
    JobOwner,
    MembershipId,
    Node,
    NotificationId,
    PageId,
    PageVersionId,
    PropertyId,
    RecordId,
    ReplyId,
    RequestId,
    SessionId,
    ShareLinkId,
    TeamId,
    TeamMembershipId,
    TokenId,
    UserId,
    ViewId,
    WorkspaceId
);
named!(
    AskedLevel,
    ConsumerName,
    FollowMode,
    NotificationType,
    SubjectType,
    session::Ending,
    InvitationState,
    JobKind,
    JobStatus,
    Queue,
    Level,
    RequestAnswer,
    Role,
    SessionKind,
    ShareLevel,
    TeamRole,
    TokenState,
    PageKind,
    VersionKind,
    TokenDelivery,
    ViewType
);
checked_before!(
    ChartName,
    Color,
    CommentText,
    DashboardName,
    DatabaseDescription,
    Description,
    Email,
    Locale,
    Message,
    Name,
    PageIcon,
    PageTitle,
    Position,
    PropertyName,
    RedirectUri,
    Slug,
    TeamName,
    Theme,
    TimeZone,
    ViewName,
    WebAddress
);

impl StoredText for TokenHash {
    fn text(&self) -> Cow<'_, str> {
        self.hex().into()
    }

    fn read(text: &str) -> Option<Self> {
        unhex(text).map(Self::from_bytes)
    }
}

impl StoredText for TicketHolder {
    fn text(&self) -> Cow<'_, str> {
        // Plain data with text keys: writing it cannot fail.
        serde_json::to_string(self).unwrap_or_default().into()
    }

    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl StoredText for TokenKind {
    fn text(&self) -> Cow<'_, str> {
        token_word(*self).into()
    }

    fn read(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| token_word(*kind) == text)
    }
}

/// The name of a kind of token in the tables.
pub const fn token_word(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Refresh => "refresh_token",
        TokenKind::EmailVerification => "email_verification",
        TokenKind::PasswordReset => "password_reset",
        TokenKind::EmailChange => "email_change",
        TokenKind::EmailRevert => "email_revert",
        TokenKind::AccountRestore => "account_restore",
        TokenKind::Invitation => "invitation",
        TokenKind::Browser => "browser_session",
        TokenKind::AuthorizationCode => "oauth_code",
        TokenKind::ClientSecret => "oauth_client_secret",
        TokenKind::ShareLink => "share_link",
        TokenKind::StreamTicket => "stream_ticket",
    }
}

impl StoredText for KeyPurpose {
    fn text(&self) -> Cow<'_, str> {
        self.name().into()
    }

    fn read(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|purpose| purpose.name() == text)
    }
}

/// Plain data with text keys, which can always be serialized.
macro_rules! as_json {
    ($($type:ty),* $(,)?) => {$(
        impl StoredText for $type {
            fn text(&self) -> Cow<'_, str> {
                serde_json::to_string(self).unwrap_or_default().into()
            }

            fn read(text: &str) -> Option<Self> {
                serde_json::from_str(text).ok()
            }
        }
    )*};
}

as_json!(JobProgress, Ending, MailPreferences, Mentions, Selection, Settings, Task);

/// Collections of words, separated by spaces.
macro_rules! side_by_side {
    ($($collection:ty),* $(,)?) => {$(
        impl StoredText for $collection {
            fn text(&self) -> Cow<'_, str> {
                joined(self).into()
            }

            fn read(text: &str) -> Option<Self> {
                text.split_whitespace().map(|word| word.parse().ok()).collect()
            }
        }
    )*};
}

side_by_side!(Vec<Proof>, Vec<Network>, Vec<WorkspaceId>, BTreeSet<KeyScope>);

impl StoredText for Vec<RedirectUri> {
    fn text(&self) -> Cow<'_, str> {
        joined(self).into()
    }

    fn read(text: &str) -> Option<Self> {
        Some(text.split_whitespace().map(|uri| RedirectUri::from_stored(uri.to_owned())).collect())
    }
}

fn joined<'a, T: Display + 'a>(words: impl IntoIterator<Item = &'a T>) -> String {
    words.into_iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// A hash in a binary column.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub struct Hash32(pub [u8; 32]);

impl<DB: Backend> FromSql<Binary, DB> for Hash32
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = Vec::<u8>::from_sql(bytes)?;
        bytes.try_into().map(Self).map_err(|_| "not a hash of 32 bytes".into())
    }
}

impl<DB: Backend> ToSql<Binary, DB> for Hash32
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        <[u8] as ToSql<Binary, DB>>::to_sql(&self.0, out)
    }
}
