//! API keys: credentials of a workspace.

use crate::{
    id::{ApiKeyId, UserId, WorkspaceId},
    network::Network,
    scope::KeyScope,
    text::Name,
    time::Timestamp,
};
use std::{collections::BTreeSet, net::IpAddr};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub workspace: WorkspaceId,
    pub name: Name,
    /// The leading characters of the key, for display.
    pub prefix: String,
    /// Never empty.
    pub scopes: BTreeSet<KeyScope>,
    /// Calls in a minute, where it differs from the deployment's limit.
    pub rate_limit: Option<u32>,
    /// From where it may be used; empty means from anywhere.
    pub allowed_networks: Vec<Network>,
    pub last_used_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub created_by: UserId,
    pub created_at: Timestamp,
}

impl ApiKey {
    /// What the key may do: its highest scope includes the others, and every key can read.
    pub fn scope(&self) -> KeyScope {
        self.scopes.last().copied().unwrap_or(KeyScope::Read)
    }

    pub fn admits(&self, address: IpAddr) -> bool {
        self.allowed_networks.is_empty() || self.allowed_networks.iter().any(|network| network.contains(address))
    }
}

/// A key that a call brought, as it stood in the store when the call came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedKey {
    pub key: ApiKey,
    /// Its workspace is deleted and waits for its removal.
    pub is_workspace_deleting: bool,
}
