//! API keys.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    api_key::{ApiKey, ListedKey, PresentedKey},
    id::{ApiKeyId, WorkspaceId},
    text::Name,
};

#[async_trait]
pub trait ApiKeyReads: Send {
    /// The workspace of the key that has, or had, a secret with this hash. It never changes.
    async fn find_workspace(&mut self, hash: &TokenHash) -> StoreResult<Option<WorkspaceId>>;

    /// The key with this secret, even if it is revoked or expired.
    async fn find_presented(&mut self, workspace: WorkspaceId, hash: &TokenHash) -> StoreResult<Option<PresentedKey>>;

    async fn find(&mut self, workspace: WorkspaceId, id: ApiKeyId) -> StoreResult<Option<ApiKey>>;

    /// Keys of a workspace, including revoked ones, newest first, before the given id.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        before: Option<ApiKeyId>,
        limit: u32,
    ) -> StoreResult<Vec<ListedKey>>;
}

/// Changes are made under the lock of the workspace.
#[async_trait]
pub trait ApiKeys: ApiKeyReads {
    /// Inserts a key and its secret.
    async fn insert(&mut self, key: &ApiKey, secret: &TokenHash) -> StoreResult<()>;

    /// Saves everything except the time of the last use.
    async fn save(&mut self, key: &ApiKey) -> StoreResult<()>;

    async fn count_live(&mut self, workspace: WorkspaceId, now: Timestamp) -> StoreResult<u64>;

    /// Whether another key that is not revoked has this name.
    async fn is_name_taken(&mut self, workspace: WorkspaceId, name: &Name, but: ApiKeyId) -> StoreResult<bool>;

    /// Gives a key another secret. The present ones end at the given time, unless their end was set earlier. Those
    /// that ended before `forget` are removed.
    async fn rotate(
        &mut self,
        key: &ApiKey,
        secret: &TokenHash,
        ends_at: Timestamp,
        forget: Timestamp,
    ) -> StoreResult<()>;

    /// Updates the last use of keys. Skips keys that are being changed.
    async fn touch(&mut self, used: &[(WorkspaceId, ApiKeyId, Timestamp)]) -> StoreResult<()>;
}
