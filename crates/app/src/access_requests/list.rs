//! Listing access requests.

use super::Shown;
use crate::{
    access::{self, Door},
    engine::{AppResult, Draft},
    pages::sight::Sight,
    scope::View,
};
use octavo_core_model::{
    Level,
    access_request::RequestStatus,
    id::{AccessRequestId, PageId},
};
use octavo_ports::access_requests::AccessRequestFilter;
use std::collections::BTreeMap;

/// Which requests to list.
#[derive(Clone, Copy, Debug)]
pub struct AccessRequestList {
    pub status: RequestStatus,
    pub page: Option<PageId>,
    pub before: Option<AccessRequestId>,
    pub limit: u32,
}

/// The requests of the workspace of the call that the caller may decide, newest first.
pub async fn list(view: &mut View, asked: Draft<AccessRequestList>) -> AppResult<Vec<Shown>> {
    let entry = access::enter(view, Door::MEMBERS).await?;
    let authority = access::authority_in_teams(view, &entry).await?;
    let AccessRequestList { status, page, before, limit } = asked?;
    let within = Sight::of(view, entry.workspace, &authority).await?.within(Level::FullAccess);
    let (filter, now) = (AccessRequestFilter { status, page, within }, view.call.now);
    let found = view.tx.list_access_requests(entry.workspace, &filter, now, before, limit).await?;
    let users: Vec<_> = found.iter().map(|request| request.user).collect();
    let people = view.tx.list_people(&users).await?;
    let people: BTreeMap<_, _> = people.into_iter().map(|person| (person.id, person)).collect();
    let shown = found.into_iter().filter_map(|request| {
        let person = people.get(&request.user)?.clone();
        Some(Shown { request, person })
    });
    Ok(shown.collect())
}
