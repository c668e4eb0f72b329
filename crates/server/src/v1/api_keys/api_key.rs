//! How an API key is shown.

use crate::{activity::Activity, wire::reply};
use octavo_app::api_keys::Issued;
use octavo_core_model::{
    KeyScope, Secret, Timestamp,
    api_key::{ApiKey, CreatorStatus, ListedKey},
    id::{ApiKeyId, UserId},
    network::Network,
    text::Name,
};

reply! {
    /// An API key, without the key itself.
    pub(crate) ApiKeyReply {
        /// The id of the key.
        id "id": required ApiKeyId,
        /// Its name.
        name "name": required Name = "Importer",
        /// Its first characters, to recognise it.
        prefix "prefix": required String = "svc_live_k3Jc",
        /// The scopes.
        scopes "scopes": required Vec<KeyScope>,
        /// How many calls per minute it allows; null if the limit of the deployment applies.
        rate_limit "rateLimit": nullable u32 = 300,
        /// The addresses from which it may be used; null for any.
        allowed_ips "allowedIps": nullable Vec<Network>,
        /// When it was used last.
        last_used_at "lastUsedAt": nullable Timestamp,
        /// When it expires.
        expires_at "expiresAt": nullable Timestamp,
        /// When it was revoked.
        revoked_at "revokedAt": nullable Timestamp = null,
        /// The user who created it.
        created_by_id "createdById": required UserId,
        /// The status of the user who created it. The key keeps its scopes when that user leaves, and when they are no
        /// longer an owner or admin, which this does not show. Only in the list.
        creator_status "creatorStatus": optional CreatorStatus,
        /// When it was created.
        created_at "createdAt": required Timestamp,
    }
}

// A type of its own, so that answers without the secret can be compressed.
reply! {
    /// A new or replaced API key, with the key itself.
    pub(crate) NewApiKeyReply {
        /// The id of the key.
        id "id": required ApiKeyId,
        /// Its name.
        name "name": required Name = "Importer",
        /// The key itself. It is shown only here.
        key "key": required Secret<String> = "svc_live_k3JcQh2f9bXvTzYw7LmNp4RsD8aGe6Ui0FyZRp",
        /// Its first characters, to recognise it.
        prefix "prefix": required String = "svc_live_k3Jc",
        /// The scopes.
        scopes "scopes": required Vec<KeyScope>,
        /// How many calls per minute it allows; null if the limit of the deployment applies.
        rate_limit "rateLimit": nullable u32 = 300,
        /// The addresses from which it may be used; null for any.
        allowed_ips "allowedIps": nullable Vec<Network>,
        /// When it was used last.
        last_used_at "lastUsedAt": nullable Timestamp,
        /// When it expires.
        expires_at "expiresAt": nullable Timestamp,
        /// When it was revoked.
        revoked_at "revokedAt": nullable Timestamp = null,
        /// The user who created it.
        created_by_id "createdById": required UserId,
        /// How long the replaced key still works; shown when a key is rotated.
        previous_valid_until "previousValidUntil": optional Timestamp,
        /// When it was created.
        created_at "createdAt": required Timestamp,
    }
}

impl ApiKeyReply {
    /// A key in the list. Its last use may not be stored yet.
    pub(crate) fn listed(listed: ListedKey, activity: &Activity) -> Self {
        let used = activity.last_use(listed.key.id).max(listed.key.last_used_at);
        Self { creator_status: Some(listed.creator), last_used_at: used, ..listed.key.into() }
    }
}

impl From<ApiKey> for ApiKeyReply {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes.into_iter().collect(),
            rate_limit: key.rate_limit,
            allowed_ips: Some(key.allowed_networks).filter(|networks| !networks.is_empty()),
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            created_by_id: key.created_by,
            creator_status: None,
            created_at: key.created_at,
        }
    }
}

/// The only time that the key itself is shown.
impl From<Issued> for NewApiKeyReply {
    fn from(issued: Issued) -> Self {
        let shown = ApiKeyReply::from(issued.key);
        Self {
            id: shown.id,
            name: shown.name,
            key: issued.text,
            prefix: shown.prefix,
            scopes: shown.scopes,
            rate_limit: shown.rate_limit,
            allowed_ips: shown.allowed_ips,
            last_used_at: shown.last_used_at,
            expires_at: shown.expires_at,
            revoked_at: shown.revoked_at,
            created_by_id: shown.created_by_id,
            previous_valid_until: issued.previous_until,
            created_at: shown.created_at,
        }
    }
}
