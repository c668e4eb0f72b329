//! Events about requests for access to a page or database. They never contain the message, which is only for those who decide.

use super::{Location, NodeFields, Payload};
use crate::{
    access_request::{AccessRequest, AskedLevel},
    event::Resource,
    id::{AccessRequestId, UserId},
    page::Page,
};
use serde::Serialize;

/// Somebody asked for access to a page or database, or the request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequestEvent {
    #[serde(skip)]
    request: AccessRequestId,
    #[serde(flatten)]
    node: NodeFields,
    user_id: UserId,
    level: AskedLevel,
}

impl AccessRequestEvent {
    /// The event of this request for this page or database.
    pub fn new(node: &Page, request: &AccessRequest) -> Self {
        Self { request: request.id, node: NodeFields::of(node), user_id: request.user, level: request.level }
    }
}

impl Payload for AccessRequestEvent {
    fn resource(&self) -> Resource {
        Resource::AccessRequest(self.request)
    }

    fn location(&self) -> Location {
        self.node.location()
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            request: AccessRequestId::EXAMPLE,
            node: NodeFields::example(),
            user_id: UserId::EXAMPLE,
            level: AskedLevel::Edit,
        }
    }

    fn more_examples() -> Vec<Self> {
        NodeFields::more_examples().map(|node| Self { node, ..Self::example() }).into()
    }
}
