//! Rows of grants.

use crate::{schema::access_grants, stored::Stored};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Level, Timestamp,
    grant::{Grant, Grantee},
    id::{AccessGrantId, PageId, UserId, WorkspaceId},
};
use octavo_ports::grants::GrantedLevel;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = access_grants, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, resource_id, grantee, created_by, created_at))] // what a grant in place of another leaves alone
pub struct GrantRow {
    workspace_id: Stored<WorkspaceId>,
    resource_id: Stored<PageId>,
    grantee: Stored<Grantee>,
    created_by: Option<Stored<UserId>>,
    created_at: i64,
    id: Stored<AccessGrantId>,
    level: Stored<Level>,
    expires_at: Option<i64>,
    given_by: Option<Stored<UserId>>,
    updated_at: i64,
}

impl From<&Grant> for GrantRow {
    fn from(grant: &Grant) -> Self {
        Self {
            workspace_id: Stored(grant.workspace),
            resource_id: Stored(grant.page),
            grantee: Stored(grant.grantee.clone()),
            created_by: grant.created_by.map(Stored),
            created_at: grant.created_at.millis(),
            id: Stored(grant.id),
            level: Stored(grant.level),
            expires_at: grant.expires_at.map(Timestamp::millis),
            given_by: grant.given_by.map(Stored),
            updated_at: grant.updated_at.millis(),
        }
    }
}

impl From<GrantRow> for Grant {
    fn from(row: GrantRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            page: row.resource_id.0,
            grantee: row.grantee.0,
            level: row.level.0,
            expires_at: row.expires_at.map(Timestamp::from_millis),
            created_by: row.created_by.map(|user| user.0),
            given_by: row.given_by.map(|user| user.0),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        }
    }
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = access_grants)]
pub struct GrantedLevelRow {
    resource_id: Stored<PageId>,
    grantee: Stored<Grantee>,
    level: Stored<Level>,
    expires_at: Option<i64>,
}

impl From<GrantedLevelRow> for GrantedLevel {
    fn from(row: GrantedLevelRow) -> Self {
        let expires_at = row.expires_at.map(Timestamp::from_millis);
        Self { page: row.resource_id.0, grantee: row.grantee.0, level: row.level.0, expires_at }
    }
}
