//! Events about requests for access to a page. They never contain the message, which is only for those who decide.

use super::{Location, Payload};
use crate::{
    access_request::{AccessRequest, AskedLevel},
    event::Resource,
    id::{AccessRequestId, PageId, TeamId, UserId},
    page::Page,
};
use serde::Serialize;

/// Somebody asked for access to a page, or the request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequestEvent {
    #[serde(skip)]
    request: AccessRequestId,
    resource_id: PageId,
    page_id: PageId,
    team_id: Option<TeamId>,
    user_id: UserId,
    level: AskedLevel,
}

impl AccessRequestEvent {
    /// The event of this request for this page.
    pub fn new(page: &Page, request: &AccessRequest) -> Self {
        Self {
            request: request.id,
            resource_id: page.id,
            page_id: page.id,
            team_id: page.team,
            user_id: request.user,
            level: request.level,
        }
    }
}

impl Payload for AccessRequestEvent {
    fn resource(&self) -> Resource {
        Resource::AccessRequest(self.request)
    }

    fn location(&self) -> Location {
        Location::of_page(self.page_id, self.team_id)
    }

    fn version(&self) -> Option<i64> {
        None
    }

    fn example() -> Self {
        Self {
            request: AccessRequestId::EXAMPLE,
            resource_id: PageId::EXAMPLE,
            page_id: PageId::EXAMPLE,
            team_id: Some(TeamId::EXAMPLE),
            user_id: UserId::EXAMPLE,
            level: AskedLevel::Edit,
        }
    }

    fn more_examples() -> Vec<Self> {
        vec![Self { team_id: None, ..Self::example() }]
    }
}
