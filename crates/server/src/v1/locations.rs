//! The paths of single things, for the `Location` of answers that report a new one.

use crate::route::BASE;
use octavo_core_model::id::{
    BlockId, ChartId, ClientId, CommentId, DashboardId, DatabaseId, PageId, PageVersionId, RecordId, TeamId,
    WorkspaceId,
};

pub(crate) fn page(id: PageId) -> String {
    format!("{BASE}/pages/{id}")
}

pub(crate) fn page_version(page: PageId, id: PageVersionId) -> String {
    format!("{BASE}/pages/{page}/versions/{id}")
}

pub(crate) fn record(id: RecordId) -> String {
    format!("{BASE}/records/{id}")
}

pub(crate) fn database(id: DatabaseId) -> String {
    format!("{BASE}/databases/{id}")
}

pub(crate) fn chart(id: ChartId) -> String {
    format!("{BASE}/charts/{id}")
}

pub(crate) fn comment(id: CommentId) -> String {
    format!("{BASE}/comments/{id}")
}

pub(crate) fn dashboard(id: DashboardId) -> String {
    format!("{BASE}/dashboards/{id}")
}

pub(crate) fn block(id: BlockId) -> String {
    format!("{BASE}/blocks/{id}")
}

pub(crate) fn workspace(id: WorkspaceId) -> String {
    format!("{BASE}/workspaces/{id}")
}

pub(crate) fn team(workspace: WorkspaceId, id: TeamId) -> String {
    format!("{BASE}/workspaces/{workspace}/teams/{id}")
}

/// The public details of an app, the only ones that are read by themselves.
pub(crate) fn client(id: ClientId) -> String {
    format!("{BASE}/oauth/clients/{id}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{
        route::{RouteMatch, Table},
        v1::AREAS,
    };
    use actix_web::http::Method;

    #[test]
    fn every_location_can_be_read() {
        let table = Table::new(AREAS).unwrap();
        let (space, parent) = (WorkspaceId::new(1, [1; 10]), PageId::new(1, [2; 10]));
        for path in [
            page(parent),
            page_version(parent, PageVersionId::new(1, [3; 10])),
            block(BlockId::new(1, [4; 10])),
            workspace(space),
            team(space, TeamId::new(1, [5; 10])),
            database(DatabaseId::LOWEST),
            record(RecordId::LOWEST),
            comment(CommentId::LOWEST),
            client(ClientId::new(1, [6; 10])),
        ] {
            assert!(matches!(table.find(&Method::GET, &path), RouteMatch::Route(..)), "{path}");
        }
    }
}
