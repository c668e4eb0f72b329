//! Rows of access requests.

use crate::{schema::access_requests, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp,
    access_request::{AccessRequest, AskedLevel, Decision, RequestAnswer},
    id::{AccessRequestId, PageId, UserId, WorkspaceId},
    text::Message,
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = access_requests, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, resource_id, user_id, created_at, expires_at))] // what saving leaves alone
pub struct AccessRequestRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<AccessRequestId>,
    resource_id: Stored<PageId>,
    user_id: Stored<UserId>,
    created_at: i64,
    expires_at: i64,
    level: Stored<AskedLevel>,
    message: Option<Stored<Message>>,
    answer: Option<Stored<RequestAnswer>>,
    decided_by: Option<Stored<UserId>>,
    decided_at: Option<i64>,
}

impl From<&AccessRequest> for AccessRequestRow {
    fn from(request: &AccessRequest) -> Self {
        Self {
            workspace_id: Stored(request.workspace),
            id: Stored(request.id),
            resource_id: Stored(request.page),
            user_id: Stored(request.user),
            created_at: request.created_at.millis(),
            expires_at: request.expires_at.millis(),
            level: Stored(request.level),
            message: request.message.clone().map(Stored),
            answer: request.decision.map(|decision| Stored(decision.answer)),
            decided_by: request.decision.map(|decision| Stored(decision.by)),
            decided_at: request.decision.map(|decision| decision.at.millis()),
        }
    }
}

impl From<AccessRequestRow> for AccessRequest {
    fn from(row: AccessRequestRow) -> Self {
        let decided = row.answer.zip(row.decided_by).zip(row.decided_at);
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.resource_id.0,
            user: row.user_id.0,
            level: row.level.0,
            message: row.message.map(|message| message.0),
            decision: decided.map(|((answer, by), at)| Decision {
                answer: answer.0,
                by: by.0,
                at: Timestamp::from_millis(at),
            }),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        }
    }
}
