//! Listing access requests.

use super::AccessRequestDetails;
use crate::{
    access::{self, RouteAccess},
    outcome::{AppResult, Draft},
    page_access::{listing::Filling, visibility::Visibility},
    scope::View,
};
use octavo_core_model::{
    Level,
    access_request::{AccessRequest, RequestStatus},
    id::{AccessRequestId, WorkspaceId},
    page::{Node, Page, ResourceId},
};
use octavo_ports::access_requests::AccessRequestFilter;
use std::collections::{BTreeMap, BTreeSet};

/// Which requests to list.
#[derive(Clone, Copy, Debug)]
pub struct AccessRequestList {
    pub status: RequestStatus,
    /// Only requests for this page or database.
    pub resource: Option<ResourceId>,
    pub before: Option<AccessRequestId>,
    pub limit: u32,
}

/// Lists the requests in the workspace that the caller may decide, newest first.
pub async fn list(view: &mut View, asked: Draft<AccessRequestList>) -> AppResult<Vec<AccessRequestDetails>> {
    let caller = access::enter(view, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(view, &caller).await?;
    let AccessRequestList { status, resource, before, limit } = asked?;
    let (workspace, now) = (caller.workspace, view.call.now);
    if let Some(id) = resource
        && view.tx.pages().find(workspace, id.node()).await?.is_none_or(|page| !id.is_a(page.kind))
    {
        return Ok(Vec::new());
    }
    let (page, mut resources) = (resource.map(ResourceId::node), BTreeMap::new());
    let mut visibility = Visibility::of(workspace, &authority);
    let (mut filling, mut before) = (Filling::new(Level::FullAccess, limit), before);
    while let Some(chunk) = filling.next(view, &mut visibility).await? {
        let filter = AccessRequestFilter { status, page, within: chunk.within.nodes.clone() };
        let found = view.tx.access_requests().list(workspace, &filter, now, before, chunk.limit).await?;
        before = found.last().map(|request| request.id).or(before);
        let pages = pages_of(view, workspace, &found).await?;
        visibility.look_up(view, pages.iter().map(|page| page.access)).await?;
        let nodes: BTreeMap<_, _> = pages.iter().map(|page| (page.id, page.access)).collect();
        resources.extend(pages.iter().map(|page| (page.id, page.resource())));
        let place =
            |request: AccessRequest| (nodes.get(&request.page).copied().unwrap_or(Node::Page(request.page)), request);
        filling.add(&chunk, found.into_iter().map(place).collect(), &visibility);
    }
    let found = filling.into_seen();
    let users: Vec<_> = found.iter().map(|request| request.user).collect();
    let people = view.tx.members().list_people(&users).await?;
    let people: BTreeMap<_, _> = people.into_iter().map(|person| (person.id, person)).collect();
    let shown = found.into_iter().filter_map(|request| {
        let person = people.get(&request.user)?.clone();
        Some(AccessRequestDetails { resource: *resources.get(&request.page)?, request, person })
    });
    Ok(shown.collect())
}

/// The pages and databases of these requests. One statement.
async fn pages_of(view: &mut View, workspace: WorkspaceId, requests: &[AccessRequest]) -> AppResult<Vec<Page>> {
    let ids: BTreeSet<_> = requests.iter().map(|request| request.page).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = ids.into_iter().collect();
    Ok(view.tx.pages().list_by_id(workspace, &ids).await?)
}
