//! Rows of API keys and of their secrets.

use crate::{
    schema::{api_key_secrets, api_keys},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    KeyScope, Timestamp, TokenHash,
    api_key::{ApiKey, KeySecret},
    id::{ApiKeyId, UserId, WorkspaceId},
    network::Network,
    text::Name,
};
use std::collections::BTreeSet;

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = api_keys, treat_none_as_null = true, treat_none_as_default_value = false)]
#[diesel(primary_key(workspace_id, id, scopes, last_used_at, created_by, created_at))] // what saving leaves alone
pub struct ApiKeyRow {
    workspace_id: Stored<WorkspaceId>,
    id: Stored<ApiKeyId>,
    scopes: Stored<BTreeSet<KeyScope>>,
    last_used_at: Option<i64>,
    created_by: Stored<UserId>,
    created_at: i64,
    name: Stored<Name>,
    prefix: String,
    rate_limit: Option<i64>,
    allowed_networks: Stored<Vec<Network>>,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
}

impl ApiKeyRow {
    pub fn creator(&self) -> UserId {
        self.created_by.0
    }
}

impl From<&ApiKey> for ApiKeyRow {
    fn from(key: &ApiKey) -> Self {
        Self {
            workspace_id: Stored(key.workspace),
            id: Stored(key.id),
            scopes: Stored(key.scopes.clone()),
            last_used_at: key.last_used_at.map(Timestamp::millis),
            created_by: Stored(key.created_by),
            created_at: key.created_at.millis(),
            name: Stored(key.name.clone()),
            prefix: key.prefix.clone(),
            rate_limit: key.rate_limit.map(i64::from),
            allowed_networks: Stored(key.allowed_networks.clone()),
            expires_at: key.expires_at.map(Timestamp::millis),
            revoked_at: key.revoked_at.map(Timestamp::millis),
        }
    }
}

impl From<ApiKeyRow> for ApiKey {
    fn from(row: ApiKeyRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.0,
            name: row.name.0,
            prefix: row.prefix,
            scopes: row.scopes.0,
            rate_limit: row.rate_limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX)),
            allowed_networks: row.allowed_networks.0,
            last_used_at: row.last_used_at.map(Timestamp::from_millis),
            expires_at: row.expires_at.map(Timestamp::from_millis),
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
            created_by: row.created_by.0,
            created_at: Timestamp::from_millis(row.created_at),
        }
    }
}

#[derive(Debug, Insertable)]
#[diesel(table_name = api_key_secrets, treat_none_as_default_value = false)]
pub struct ApiKeySecretRow {
    workspace_id: Stored<WorkspaceId>,
    hash: Stored<TokenHash>,
    api_key_id: Stored<ApiKeyId>,
    ends_at: Option<i64>,
}

impl ApiKeySecretRow {
    /// The present secret of a key.
    pub fn present(key: &ApiKey, hash: &TokenHash) -> Self {
        Self { workspace_id: Stored(key.workspace), hash: Stored(*hash), api_key_id: Stored(key.id), ends_at: None }
    }
}

/// The columns of a secret that are read together with its key.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = api_key_secrets)]
pub struct KeySecretRow {
    hash: Stored<TokenHash>,
    ends_at: Option<i64>,
}

impl From<KeySecretRow> for KeySecret {
    fn from(row: KeySecretRow) -> Self {
        Self { hash: row.hash.0, ends_at: row.ends_at.map(Timestamp::from_millis) }
    }
}
