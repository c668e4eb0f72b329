//! The origins of earlier sign-ins.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{Timestamp, id::UserId};

/// A network (a /24 or a /64) and a family of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub network: String,
    pub program: String,
}

#[async_trait]
pub trait OriginReads: Send {
    /// Whether the user has signed in from this network since the given time, with any program.
    async fn knows_network(&mut self, user: UserId, network: &str, since: Timestamp) -> StoreResult<bool>;

    /// Whether the user has signed in from this network with this program since the given time.
    async fn knows_origin(&mut self, user: UserId, origin: &Origin, since: Timestamp) -> StoreResult<bool>;
}

#[async_trait]
pub trait Origins: OriginReads {
    /// Records a completed sign-in.
    async fn remember(&mut self, user: UserId, origin: &Origin, at: Timestamp) -> StoreResult<()>;
}
