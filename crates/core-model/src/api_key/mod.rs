//! API keys: credentials of a workspace.

mod text;

pub use text::{KeyText, MalformedKey};

use crate::{
    fault::Unknown,
    id::{ApiKeyId, UserId, WorkspaceId},
    name::named,
    network::Network,
    scope::KeyScope,
    text::Name,
    time::Timestamp,
    token::TokenHash,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, net::IpAddr, time::Duration};
use subtle::ConstantTimeEq;

/// How many keys of a workspace may be in use at the same time.
pub const MAX_LIVE: u64 = 100;
/// How long a replaced secret keeps working by default.
pub const GRACE: Duration = Duration::from_hours(24);

/// A key that a program uses to act in one workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The id of the key.
    pub id: ApiKeyId,
    /// The only workspace that the key reaches.
    pub workspace: WorkspaceId,
    /// What its owners call it.
    pub name: Name,
    /// The first characters of the key, for display.
    pub prefix: String,
    /// Never empty.
    pub scopes: BTreeSet<KeyScope>,
    /// Calls per minute, if it differs from the deployment's limit.
    pub rate_limit: Option<u32>,
    /// The addresses from which it may be used; empty for any.
    pub allowed_networks: Vec<Network>,
    /// When a call last used it, give or take the interval at which this is written.
    pub last_used_at: Option<Timestamp>,
    /// When it stops working; `None` if it works until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// The person who created it.
    pub created_by: UserId,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A change of a key; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiKeyChange {
    /// The new name.
    pub name: Option<Name>,
    /// The new limit; `Some(None)` goes back to the deployment's limit.
    pub rate_limit: Option<Option<u32>>,
    /// The new end; `Some(None)` removes it.
    pub expires_at: Option<Option<Timestamp>>,
    /// The new list of networks.
    pub allowed_networks: Option<Vec<Network>>,
}

impl ApiKey {
    /// The highest scope of the key, which includes the others; every key can read.
    pub fn scope(&self) -> KeyScope {
        self.scopes.last().copied().unwrap_or(KeyScope::Read)
    }

    /// Whether the key may be used from this address.
    pub fn admits(&self, address: IpAddr) -> bool {
        self.allowed_networks.is_empty() || self.allowed_networks.iter().any(|network| network.contains(address))
    }

    /// Whether the key was neither revoked nor has expired.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Revokes the key. Returns false if it was revoked before; the time of that stays.
    pub fn revoke(&mut self, now: Timestamp) -> bool {
        let is_first = self.revoked_at.is_none();
        self.revoked_at.get_or_insert(now);
        is_first
    }

    /// Applies the change and returns the changed fields with their old and new values.
    pub fn apply(&mut self, change: ApiKeyChange) -> Vec<Value> {
        let mut changed = Vec::new();
        let mut note = |field, from: Value, to: Value| {
            if from != to {
                changed.push(json!({ "field": field, "from": from, "to": to }));
            }
        };
        if let Some(name) = change.name {
            note("name", json!(self.name), json!(name));
            self.name = name;
        }
        if let Some(limit) = change.rate_limit {
            note("rateLimit", json!(self.rate_limit), json!(limit));
            self.rate_limit = limit;
        }
        if let Some(end) = change.expires_at {
            note("expiresAt", json!(self.expires_at), json!(end));
            self.expires_at = end;
        }
        if let Some(networks) = change.allowed_networks {
            note("allowedIps", json_of(&self.allowed_networks), json_of(&networks));
            self.allowed_networks = networks;
        }
        changed
    }
}

fn json_of(networks: &[Network]) -> Value {
    networks.iter().map(|network| Value::from(network.to_string())).collect()
}

/// One of the secrets of a key: the present one, or one that a rotation replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySecret {
    /// The hash of the secret.
    pub hash: TokenHash,
    /// When a replaced secret stops working.
    pub ends_at: Option<Timestamp>,
}

/// A key that a call presented, in its state at the start of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedKey {
    /// The key.
    pub key: ApiKey,
    /// The secret that the call brought.
    pub secret: KeySecret,
    /// Its workspace is deleted and waits for its removal.
    pub is_workspace_deleting: bool,
    /// Its creator is no member of the workspace any more.
    pub has_creator_left: bool,
}

impl PresentedKey {
    /// Whether the key is valid when it is presented with this secret.
    pub fn check(&self, presented: &TokenHash, now: Timestamp) -> Result<(), Unknown> {
        if !bool::from(self.secret.hash.as_bytes().ct_eq(presented.as_bytes())) {
            return Err(Unknown::TokenMalformed);
        }
        if self.key.revoked_at.is_some() || self.secret.ends_at.is_some_and(|end| end <= now) {
            return Err(Unknown::KeyRevoked);
        }
        if self.key.is_live(now) { Ok(()) } else { Err(Unknown::KeyExpired) }
    }
}

named! {
    /// The status of the user who created a key. The key stays valid after their membership ends.
    CreatorStatus {
        Active = "ACTIVE",
        Suspended = "SUSPENDED",
        /// The account is deleted and waits for its purge.
        Deleting = "DELETING",
        Deleted = "DELETED",
        /// No longer a member of the workspace.
        Removed = "REMOVED",
    }
}

/// A key in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    /// The key.
    pub key: ApiKey,
    /// Whether its creator could still act in the workspace.
    pub creator: CreatorStatus,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1000);
    const LATER: Timestamp = Timestamp::from_millis(2000);
    const HASH: TokenHash = TokenHash::from_bytes([7; 32]);

    fn key() -> ApiKey {
        ApiKey {
            id: ApiKeyId::new(1, [1; 10]),
            workspace: WorkspaceId::new(1, [2; 10]),
            name: Name::parse("Importer").unwrap(),
            prefix: "svc_live_abcd".to_owned(),
            scopes: [KeyScope::Write].into(),
            rate_limit: None,
            allowed_networks: Vec::new(),
            last_used_at: None,
            expires_at: None,
            revoked_at: None,
            created_by: UserId::new(1, [3; 10]),
            created_at: NOW,
        }
    }

    fn presented(shape: impl FnOnce(&mut PresentedKey)) -> Result<(), Unknown> {
        let secret = KeySecret { hash: HASH, ends_at: None };
        let mut presented = PresentedKey { key: key(), secret, is_workspace_deleting: false, has_creator_left: false };
        shape(&mut presented);
        presented.check(&HASH, NOW)
    }

    #[test]
    fn a_key_counts_until_it_is_revoked_expires_or_its_secret_was_replaced_for_long_enough() {
        assert_eq!(presented(|_| ()), Ok(()));
        assert_eq!(presented(|it| it.key.expires_at = Some(LATER)), Ok(()));
        assert_eq!(presented(|it| it.key.expires_at = Some(NOW)), Err(Unknown::KeyExpired));
        assert_eq!(presented(|it| it.secret.ends_at = Some(LATER)), Ok(()));
        assert_eq!(presented(|it| it.secret.ends_at = Some(NOW)), Err(Unknown::KeyRevoked));
        assert_eq!(presented(|it| it.secret.hash = TokenHash::from_bytes([8; 32])), Err(Unknown::TokenMalformed));
        let revoked = presented(|it| {
            it.key.expires_at = Some(NOW);
            it.key.revoke(NOW);
        });
        assert_eq!(revoked, Err(Unknown::KeyRevoked), "revoking is the last word");
    }

    #[test]
    fn revoking_again_changes_nothing() {
        let mut key = key();
        assert!(key.revoke(NOW));
        assert!(!key.revoke(LATER));
        assert_eq!(key.revoked_at, Some(NOW));
    }

    #[test]
    fn a_change_names_what_became_different_and_an_empty_one_nothing() {
        let mut key = key();
        assert!(key.apply(ApiKeyChange::default()).is_empty());
        let same = ApiKeyChange { name: Some(key.name.clone()), rate_limit: Some(None), ..ApiKeyChange::default() };
        assert!(key.apply(same).is_empty());
        let change = ApiKeyChange {
            rate_limit: Some(Some(7)),
            allowed_networks: Some(vec!["192.0.2.0/24".parse().unwrap()]),
            ..ApiKeyChange::default()
        };
        let limit = json!({ "field": "rateLimit", "from": null, "to": 7 });
        let networks = json!({ "field": "allowedIps", "from": [], "to": ["192.0.2.0/24"] });
        assert_eq!(key.apply(change), [limit, networks]);
        assert_eq!(key.rate_limit, Some(7));
        assert!(key.admits("192.0.2.9".parse().unwrap()) && !key.admits("192.0.3.9".parse().unwrap()));
    }

    #[test]
    fn the_highest_scope_counts() {
        let mut key = key();
        assert_eq!(key.scope(), KeyScope::Write);
        key.scopes = [KeyScope::Read, KeyScope::Admin].into();
        assert_eq!(key.scope(), KeyScope::Admin);
    }
}
