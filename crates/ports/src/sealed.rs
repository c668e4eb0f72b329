//! Rows with content that is encrypted with the deployment's secret, for encrypting them with a new one.

use crate::{replies::ReplyKey, signing_keys::KeyPurpose, store_result::StoreResult};
use async_trait::async_trait;
use octavo_core_model::{
    chore::Queue,
    id::{JobId, ShareLinkId, WorkspaceId},
};

/// Identifies a sealed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealedPlace {
    Chore(Queue, JobId),
    Reply(ReplyKey),
    SigningKey(KeyPurpose),
    ShareLink(WorkspaceId, ShareLinkId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRow {
    pub place: SealedPlace,
    pub sealed: Vec<u8>,
}

#[async_trait]
pub trait Sealed: Send {
    /// Sealed rows in a fixed order (chores, replies, signing keys, share links), after the given one.
    async fn list(&mut self, after: Option<&SealedPlace>, limit: u32) -> StoreResult<Vec<SealedRow>>;

    async fn replace(&mut self, row: &SealedRow) -> StoreResult<()>;
}
