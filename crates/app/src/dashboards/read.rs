//! Reading dashboards.

use super::access::find;
use crate::{
    access::RouteAccess,
    outcome::{AppResult, Draft},
    page_access::{self, lineage, visibility::Visibility},
    scope::View,
};
use octavo_core_model::{
    Fault, Level,
    dashboard::Dashboard,
    id::{DashboardId, PageId},
    page::ResourceId,
};
use std::collections::BTreeSet;

/// How many dashboards are examined at once.
const CHUNK: u32 = 200;

/// Which dashboards to list.
#[derive(Clone, Copy, Debug)]
pub struct DashboardList {
    /// Only those on this page or in this database.
    pub host: Option<ResourceId>,
    pub before: Option<DashboardId>,
    pub limit: u32,
}

/// Finds a dashboard.
pub async fn get(view: &mut View, id: Draft<DashboardId>) -> AppResult<Dashboard> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let (dashboard, _) = find(view, &caller, &authority, &id).await?.ok_or(Fault::NotFound)?;
    Ok(dashboard)
}

/// Lists the dashboards that the caller may see, newest first.
pub async fn list(view: &mut View, asked: Draft<DashboardList>) -> AppResult<Vec<Dashboard>> {
    let (caller, authority) = page_access::enter(view, RouteAccess::DATABASES).await?;
    let DashboardList { host, mut before, limit } = asked?;
    let limit = limit as usize;
    if let Some(host) = host {
        let node = lineage::find(view, &caller, &authority, &Ok::<ResourceId, Fault>(host)).await?;
        let node = node.ok_or(Fault::NotFound)?;
        let mut found = view.tx.dashboards().list_of(caller.workspace, &[node.page.id]).await?;
        found.retain(|dashboard| before.is_none_or(|before| dashboard.id < before));
        found.sort_unstable_by_key(|dashboard| std::cmp::Reverse(dashboard.id));
        found.truncate(limit);
        return Ok(found);
    }
    let mut visibility = Visibility::of_everything(caller.workspace, &authority);
    let mut found = Vec::new();
    while found.len() < limit {
        let next = view.tx.dashboards().list(caller.workspace, before, CHUNK).await?;
        let is_end = next.len() < CHUNK as usize;
        before = next.last().map(|dashboard| dashboard.id).or(before);
        let hosts: BTreeSet<PageId> = next.iter().map(|dashboard| dashboard.host.node()).collect();
        let nodes = view.tx.pages().list_by_id(caller.workspace, &Vec::from_iter(hosts)).await?;
        visibility.look_up(view, nodes.iter().map(|node| node.access)).await?;
        let seen = nodes.iter().filter(|node| node.trash.is_none() && visibility.level_of(node) >= Level::View);
        let seen: BTreeSet<PageId> = seen.map(|node| node.id).collect();
        found.extend(next.into_iter().filter(|dashboard| seen.contains(&dashboard.host.node())));
        if is_end {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}
