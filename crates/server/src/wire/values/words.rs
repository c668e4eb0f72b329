//! Enumerations, and times.

use super::text;
use crate::wire::{Documented, Readable, Writable};
use octavo_app::records::bulk::OperationStatus;
use octavo_charts::{ChartSort, ChartType, svg::Theme as PictureTheme};
use octavo_core_model::{
    AppScope, KeyScope, Level, Role, TeamRole, Timestamp,
    access_request::{AskedLevel, RequestStatus},
    api_key::CreatorStatus,
    audit::{ActorType, Order},
    comment::{CommentDetail, CommentStates, CommentStatus, Emoji, MentionType},
    database::{DatabaseOrder, PageContent, RecordsFormat},
    event::Outcome,
    fault::Issue,
    follow::FollowMode,
    grant::GranteeKind,
    invitation::InvitationStatus,
    job::{ExportFormat, JobKind, JobStatus},
    member::MemberDetail,
    notification::{MailChoice, NotificationType, SubjectType},
    oauth::Verdict,
    page::{DocumentFormat, ImportFormat, PageDetail, PageState, PublicAccess, VersionKind},
    presence::PresenceState,
    search::{ResultField, ResultOrder, ResultType},
    session::{Proof, SessionKind, SessionStatus},
    settings::WorkspaceTheme,
    share_link::{ShareLevel, ShareStatus},
};
use octavo_databases::{PropertyType, csv::Delimiter, query::AggregateFunction, views::ViewType};
use serde::Serializer;
use serde_json::{Value, json};

/// Enumerations.
macro_rules! words {
    ($($set:ident)*) => {$(
        impl Documented for $set {
            fn schema() -> Value {
                let words: Vec<_> = $set::ALL.iter().map(|word| word.name()).collect();
                json!({ "type": "string", "enum": words })
            }

            fn example() -> Value {
                $set::ALL.first().map(|word| word.name()).into()
            }
        }

        impl Readable for $set {
            fn read(value: &Value) -> Result<Self, Issue> {
                text(value)?.parse().map_err(|_| Issue::InvalidValue)
            }
        }

        impl Writable for $set {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )*};
}

words!(
    ActorType AggregateFunction AppScope AskedLevel ChartSort ChartType CommentDetail CommentStates CommentStatus CreatorStatus DatabaseOrder DocumentFormat ExportFormat FollowMode GranteeKind ImportFormat InvitationStatus JobKind JobStatus KeyScope Level MailChoice MemberDetail MentionType NotificationType OperationStatus Order
    Outcome PageContent RecordsFormat PageDetail PageState PictureTheme PresenceState Proof PropertyType PublicAccess RequestStatus ResultField ResultOrder ResultType Role SessionKind SessionStatus ShareLevel ShareStatus SubjectType TeamRole Verdict VersionKind ViewType WorkspaceTheme
);

/// All emojis with which people react are listed in the description.
impl Documented for Emoji {
    fn schema() -> Value {
        json!({ "type": "string", "enum": Emoji::ALL.as_slice() })
    }

    fn example() -> Value {
        Emoji::ALL.first().copied().into()
    }
}

impl Readable for Emoji {
    fn read(value: &Value) -> Result<Self, Issue> {
        text(value)?.parse().map_err(|_| Issue::UnsupportedEmoji)
    }
}

impl Writable for Emoji {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Documented for Delimiter {
    fn schema() -> Value {
        let about = "One punctuation character or a tab; or `comma`, `semicolon` or `tab`.";
        json!({ "type": "string", "description": about })
    }

    fn example() -> Value {
        ";".into()
    }
}

impl Readable for Delimiter {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(|_| Issue::InvalidValue)
    }
}

impl Documented for Timestamp {
    fn schema() -> Value {
        json!({ "type": "string", "format": "date-time" })
    }

    fn example() -> Value {
        "2026-11-21T09:30:00.000Z".into()
    }
}

impl Readable for Timestamp {
    fn read(value: &Value) -> Result<Self, Issue> {
        Self::parse(text(value)?).map_err(|_| Issue::InvalidFormat)
    }
}

impl Writable for Timestamp {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(self, serializer)
    }
}
