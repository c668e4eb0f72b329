//! Ids.

use super::text;
use crate::wire::{Documented, Readable, Writable};
use octavo_core_model::{
    fault::Issue,
    id::{
        AccessGrantId, AccessRequestId, ApiKeyId, AuditId, BlockId, ChartId, ClientId, CommentId, DashboardId,
        DatabaseId, EventId, GrantId, InvitationId, JobId, MembershipId, NotificationId, PageId, PageVersionId,
        PropertyId, RecordId, ReplyId, RequestId, SessionId, ShareLinkId, TeamId, TeamMembershipId, UserId, ViewId,
        WidgetId, WorkspaceId,
    },
};
use serde::Serializer;
use serde_json::{Value, json};

/// The part of an example id after its prefix.
const BODY: &str = "01KAHQ5ZJ8T3M6N9P2R4S7V0WX";

macro_rules! ids {
    ($($id:ident)*) => {$(
        impl Documented for $id {
            fn schema() -> Value {
                json!({ "type": "string", "pattern": format!("^{}[0-7][0-9A-HJKMNP-TV-Z]{{25}}$", $id::PREFIX) })
            }

            fn example() -> Value {
                format!("{}{BODY}", $id::PREFIX).into()
            }
        }

        impl Readable for $id {
            fn read(value: &Value) -> Result<Self, Issue> {
                text(value)?.parse().map_err(|_| Issue::InvalidId)
            }
        }

        impl Writable for $id {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(self, serializer)
            }
        }
    )*};
}

ids!(
    AccessGrantId AccessRequestId ApiKeyId AuditId BlockId ChartId ClientId CommentId DashboardId DatabaseId EventId GrantId InvitationId JobId MembershipId NotificationId PageId PageVersionId PropertyId RecordId ReplyId RequestId SessionId ShareLinkId TeamId TeamMembershipId UserId ViewId WidgetId WorkspaceId
);
